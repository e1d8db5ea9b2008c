const { join, sep } = require('node:path');
const vm = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { readProcessorTime } = require('./processor-time.cjs');

const ROOT = join(__dirname, '..', '..', '..');
/** Test files and their helpers are loaded anew for each file: what they hold belongs to one file. */
const LOADED_ANEW = [join(ROOT, 'test') + sep, join(ROOT, 'examples') + sep];

/** All modules that were loaded in this worker, by path: those of `src/` and of packages serve all its test files. */
const modules = new Map();
/** The same for the modules of jest: `expect` and what it needs. Those of jest-circus hold what belongs to one file; its packages do not. */
const internalModules = new Map();
const JEST_CIRCUS = /jest-circus[\\/]build[\\/]/;
/** The source maps of these, by path: a file that did not load a module itself shows its lines in stacks, too. */
const sourceMaps = new Map();
/** Processor time that this worker spent on loading these modules, in milliseconds: it belongs to no test file. */
let loadingMs = 0;
let isLoading = false;
/** The code that V8 made of a module, for those that are loaded again for each file. */
const compiled = new Map();

/**
 * Runs test files in the main context of Node, where the modules of `src/` and of packages are loaded once for each
 * worker instead of once for each file (decision 0053).
 *
 * It replaces parts of jest's runtime that are not public, and refuses to run with a version that has other parts.
 */
class SharedModulesRuntime extends Runtime {
  constructor(...parameters) {
    super(...parameters);
    const [, environment] = parameters;
    // A file can ask for an environment of its own, with a context of its own.
    this.sharesModules = environment.getVmContext() === globalThis;
    if (!this.sharesModules) return;
    const { registries, transformCache, executor, testState } = this;
    if (
      !(registries?.moduleRegistry instanceof Map) ||
      !(registries.internalModuleRegistry instanceof Map) ||
      typeof executor?.compile !== 'function' ||
      !testState ||
      !transformCache
    )
      throw new Error('This version of jest has another runtime: test/support/jest/runtime.cjs has to follow it.');
    this.registries.moduleRegistry = modules;
    this.registries.internalModuleRegistry = internalModules;
    this.transformCache.sourceMaps = sourceMaps;
    // A shared module requires others by the runtime of the file that loaded it first, long after that file has ended.
    this.testState.bailIfTornDown = () => false;
    this.testState.throwIfBetweenTests = () => undefined;
    const loadModule = this.cjsLoader.loadModule.bind(this.cjsLoader);
    this.cjsLoader.loadModule = (module, from, name, path, ...others) => {
      if (isLoading || isLoadedAnew(path)) return loadModule(module, from, name, path, ...others);
      isLoading = true;
      const before = readProcessorTime();
      try {
        return loadModule(module, from, name, path, ...others);
      } finally {
        loadingMs += readProcessorTime() - before;
        isLoading = false;
      }
    };
    const parameterNames = this.executor.injectedModuleParameters;
    this.executor.compile = (code, filename) => compileInMainContext(code, filename, parameterNames);
  }

  teardown() {
    if (!this.sharesModules) {
      super.teardown();
      return;
    }
    this.restoreAllMocks();
    for (const path of modules.keys()) {
      if (isLoadedAnew(path)) modules.delete(path);
    }
    const internal = this.registries.getInternalCjsRegistry();
    for (const path of internal.keys()) if (JEST_CIRCUS.test(path)) internal.delete(path);
    this.testMainModule.reset();
    // A module that this file loaded first keeps its runtime: without these it would keep the texts of all its files.
    this.fileCache.clear();
    this.transformCache.clear();
    this.jestGlobals.clearJestObjectCache();
  }
}

function isLoadedAnew(path) {
  return LOADED_ANEW.some((folder) => path.startsWith(folder));
}

/** A test file is loaded once; its helpers, and jest-circus, once for each test file. */
function isLoadedAgain(path) {
  return JEST_CIRCUS.test(path) || (isLoadedAnew(path) && !/\.test\.\w+$/.test(path));
}

function compileInMainContext(code, filename, parameterNames) {
  const known = compiled.get(filename);
  const cachedData = known?.code === code ? known.data : undefined;
  const made = vm.compileFunction(code, parameterNames, {
    filename,
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
    ...(cachedData === undefined ? { produceCachedData: isLoadedAgain(filename) } : { cachedData }),
  });
  if (made.cachedData !== undefined) compiled.set(filename, { code, data: made.cachedData });
  return made;
}

exports.__esModule = true;
exports.default = SharedModulesRuntime;
/** @returns milliseconds of processor time that this worker has spent on loading shared modules */
exports.readLoadingTime = () => loadingMs;
