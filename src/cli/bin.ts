import { ignoreClosedOutput } from './closed-output';
import { main } from './main';

ignoreClosedOutput([process.stdout, process.stderr]);

void main(process.argv.slice(2)).then((exitCode) => {
  // A server that listens has no exit code yet.
  if (exitCode !== undefined) process.exitCode = exitCode;
});
