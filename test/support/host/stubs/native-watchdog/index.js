// Stands in for VS Code's native watchdog, which would need a compiler: ends this process when its parent is gone.
exports.start = (parentPid) => {
  setInterval(() => {
    try {
      process.kill(parentPid, 0);
    } catch {
      process.exit(87);
    }
  }, 1000).unref();
};
exports.exit = (code) => process.exit(code);
