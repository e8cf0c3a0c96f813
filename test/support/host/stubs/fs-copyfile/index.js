// Native, and needed only to load VS Code's git extension: it copies worktrees with it.
const { cp } = require('node:fs/promises');

exports.cp = cp;
exports.isCloneSupported = async () => false;
