import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { constants, Script } from 'node:vm';
import { crc32 } from 'node:zlib';

const SEAL_BYTES = 4;

type Wrapper = (exports: object, require: NodeJS.Require, module: object, filename: string, folder: string) => void;

/** Where the build keeps the code that V8 made of a file. It is good for one version of Node and one kind of processor. */
export function compiledCodePath(file: string): string {
  return `${file}.${process.version}-${process.arch}.code`;
}

/** A script whose text is the function that Node makes of a CommonJS module: {@link WRAPPER}, in nothing but ASCII. */
export function loadScript(file: string): Script {
  return toScript(file, readFileSync(file));
}

/** What the build puts around a module: put there at run time, it would take its text twice. */
export const WRAPPER = ['(function (exports, require, module, __filename, __dirname) {', '})'] as const;

/**
 * Keeps the code that V8 made of a file for {@link compiledScript}.
 *
 * @param code - of a script of {@link loadScript}
 */
export function writeCompiledCode(file: string, code: Buffer): void {
  // The seal is the end, and not the beginning: V8 would copy code that does not begin at a word of the memory.
  writeFileSync(compiledCodePath(file), Buffer.concat([code, sealOf(readFileSync(file), code)]));
}

/**
 * The script of {@link loadScript} with the code that was kept for it; code that V8 cannot use, made with other flags
 * say, is passed over.
 *
 * @returns `undefined` where there is none that was made of this very text by this very build of Node
 */
export function compiledScript(file: string): Script | undefined {
  const stored = readStored(compiledCodePath(file));
  if (stored === undefined) return undefined;
  const text = readFileSync(file);
  const code = stored.subarray(0, -SEAL_BYTES);
  return stored.subarray(-SEAL_BYTES).equals(sealOf(text, code)) ? toScript(file, text, code) : undefined;
}

function readStored(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}

/**
 * V8 itself compares its version, its flags and the length of the text. Damaged code ends the process where no `catch`
 * sees it, that of another text of the same length is run in place of the text, and code speaks of the memory of the
 * build of Node that made it, of which one version has several.
 */
function sealOf(text: Buffer, code: Buffer): Buffer {
  const build = JSON.stringify([process.platform, process.config]);
  const seal = Buffer.alloc(SEAL_BYTES);
  seal.writeUInt32LE(crc32(code, crc32(text, crc32(build))));
  return seal;
}

function toScript(file: string, text: Buffer, code?: Buffer): Script {
  return new Script(text.toString('latin1'), {
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
