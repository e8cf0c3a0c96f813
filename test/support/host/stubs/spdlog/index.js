// Stands in for VS Code's native logger, which would need a compiler: the same methods, writing to a plain file.
const { appendFileSync, mkdirSync } = require('node:fs');
const { dirname } = require('node:path');

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  #file;
  #level = levels.indexOf('info');
  #isRaw = false;

  constructor(_type, _name, file) {
    this.#file = file;
    for (const [rank, level] of levels.entries()) {
      this[level] = (message) => {
        if (rank >= this.#level) this.#write(level, message);
      };
    }
  }

  getLevel() {
    return this.#level;
  }

  setLevel(level) {
    this.#level = level;
  }

  clearFormatters() {
    this.#isRaw = true;
  }

  setPattern() {
    this.#isRaw = false;
  }

  flush() {}

  drop() {}

  #write(level, message) {
    const line = this.#isRaw ? message : `${new Date().toISOString()} [${level}] ${message}\n`;
    try {
      appendFileSync(this.#file, line);
    } catch {
      // The folder of a closed window may be gone; a log line is not worth a crash of the host.
    }
  }
}

async function createLogger(name, file) {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
}

// Assigned one by one, so that VS Code's `import` of this module finds the names.
exports.version = 0;
exports.setLevel = () => {};
exports.setFlushOn = () => {};
exports.Logger = Logger;
exports.createRotatingLogger = createLogger;
exports.createAsyncRotatingLogger = createLogger;
