#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compiledCodePath, loadScript, runScript } from './compiled-code';

/** Everything there is to run. The build puts it here, and what V8 made of it beside it. */
const FILE = join(__dirname, 'command-line.js');

const code = readCode(compiledCodePath(FILE));
if (code === undefined) createRequire(FILE)(FILE);
else runScript(loadScript(FILE, code), FILE);

/** None for a version of Node that is not the one of the build: it compiles the text, as it does with any module. */
function readCode(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
