#!/usr/bin/env node
import { main } from './main';

void main(process.argv.slice(2)).then((exitCode) => {
  // A server that listens has no exit code yet.
  if (exitCode !== undefined) process.exitCode = exitCode;
});
