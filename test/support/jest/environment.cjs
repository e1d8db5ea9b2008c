const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');
const { LeftoverWatch } = require('./leftovers.cjs');

/**
 * The environment of a test file: the main context of Node, as in production, and not a context of its own.
 *
 * In a context of its own, every look at a global (`Map`, `JSON`, `Error`) goes through an interceptor, and modules
 * cannot be shared between files. What a file changes of the process is put back when it ends: globals, environment
 * variables, the working folder, `process.exit`.
 */
module.exports = class MainContextEnvironment {
  constructor({ projectConfig }, { testPath }) {
    this.global = globalThis;
    this.before = {
      globals: new Map(
        Reflect.ownKeys(globalThis).map((key) => [key, Reflect.getOwnPropertyDescriptor(globalThis, key)]),
      ),
      variables: { ...process.env },
      folder: process.cwd(),
      process: { exit: process.exit, getBuiltinModule: process.getBuiltinModule },
      exitCode: process.exitCode,
    };
    // What jest takes from a global object of its own, so that fake timers and files do not reach itself.
    globalThis['jest-symbol-do-not-touch'] = Symbol;
    globalThis[Symbol.for('jest-native-promise')] = Promise;
    globalThis[Symbol.for('jest-native-now')] = Date.now;
    globalThis[Symbol.for('jest-native-read-file')] = require('node:fs').readFileSync;
    globalThis[Symbol.for('jest-native-write-file')] = require('node:fs').writeFileSync;
    globalThis[Symbol.for('jest-native-exists-file')] = require('node:fs').existsSync;
    // jest-circus keeps its listeners there: each file begins with none.
    globalThis[Symbol.for('EVENT_HANDLERS')] = undefined;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.leftovers = new LeftoverWatch(testPath);
  }

  async setup() {
    this.leftovers.begin();
  }

  async handleTestEvent(event, state) {
    await this.leftovers.handle(event, state);
  }

  async teardown() {
    this.fakeTimersModern.dispose();
    const { globals, variables, folder, exitCode } = this.before;
    for (const [key, descriptor] of globals) {
      const now = Reflect.getOwnPropertyDescriptor(globalThis, key);
      if (descriptor.configurable && (now?.value !== descriptor.value || now?.get !== descriptor.get)) {
        Object.defineProperty(globalThis, key, descriptor);
      }
    }
    for (const key of Object.getOwnPropertySymbols(globalThis)) {
      // The tests of the file, with all that they hold.
      if (key.description === 'JEST_STATE_SYMBOL') globalThis[key] = undefined;
    }
    for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];
    Object.assign(process.env, variables);
    if (process.cwd() !== folder) process.chdir(folder);
    Object.assign(process, this.before.process);
    process.exitCode = exitCode;
    this.leftovers.end();
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  /** jest asks whether there is one; runtime.cjs compiles for the main context. */
  getVmContext() {
    return globalThis;
  }
};
