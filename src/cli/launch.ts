#!/usr/bin/env node
import { join } from 'node:path';
import { compiledScript, loadScript, runScript } from './compiled-code';

/** Everything there is to run. The build puts it here, and what V8 made of it beside it. */
const FILE = join(__dirname, 'command-line.js');

// Without code, on a version of Node that is not the one of the build, it is compiled as any module is.
runScript(compiledScript(FILE) ?? loadScript(FILE), FILE);
