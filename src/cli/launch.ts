#!/usr/bin/env node
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { compiledScript, runScript } from './compiled-code';

/** Everything there is to run. The build puts it here, and what V8 made of it beside it. */
const FILE = join(__dirname, 'command-line.js');

const script = compiledScript(FILE);
// As any module is: for a version of Node that is not the one of the build.
if (script === undefined) createRequire(FILE)(FILE);
else runScript(script, FILE);
