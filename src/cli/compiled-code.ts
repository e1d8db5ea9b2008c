import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { constants, Script } from 'node:vm';

type Wrapper = (exports: object, require: NodeJS.Require, module: object, filename: string, folder: string) => void;

/** Where the build keeps the code that V8 made of a file. It is good for one version of Node and one kind of processor. */
export function compiledCodePath(file: string): string {
  return `${file}.${process.version}-${process.arch}.code`;
}

/**
 * A CommonJS module as a script.
 *
 * @param code - what V8 made of the same text; code that it cannot use, made with other flags say, is passed over
 */
export function loadScript(file: string, code?: Buffer): Script {
  const parameters = 'exports, require, module, __filename, __dirname';
  return new Script(`(function (${parameters}) {${readFileSync(file, 'utf8')}\n})`, {
    filename: file,
    cachedData: code,
    // For `import()` to mean in it what it means in any module.
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
}

/** Runs a script of {@link loadScript}, as `require` would run its file. */
export function runScript(script: Script, file: string): void {
  const module = { exports: {} };
  const run = script.runInThisContext() as Wrapper;
  run(module.exports, createRequire(file), module, file, dirname(file));
}
