import { EXIT, watchOutput } from './terminal/terminal';
import { main } from './main';

const output = watchOutput(process.stdout, process.stderr);

void main(process.argv.slice(2)).then((exitCode) => {
  // A write that fails tells so a moment later.
  setImmediate(() => {
    const failure = output.failure();
    if (failure !== undefined) endWithout(failure, exitCode);
    // A server that listens has no exit code yet, and goes on without a log when the disk is full by then.
    else if (exitCode === undefined) output.onFailure(reportLostOutput);
    else process.exitCode = exitCode;
  });
});

/** Who reads the output would take it for whole, or for empty. */
function endWithout(failure: Error, exitCode: number | undefined): void {
  reportLostOutput(failure);
  if (exitCode === undefined) process.exit(EXIT.usage);
  process.stderr.write(`  hint: With an output that can be written the exit code would have been ${exitCode}.\n`);
  process.exitCode = EXIT.usage;
}

function reportLostOutput({ message }: Error): void {
  process.stderr.write(`CONFIG_INVALID: The standard output could not be written: ${message}\n`);
}
