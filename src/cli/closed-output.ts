import type { EventEmitter } from 'node:events';

/** A pipe whose reader has ended, and a terminal that was closed. */
const NOBODY_READS: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/** What became of the output of this process. */
export interface OutputWatch {
  /** Why the output was lost although somebody may have wanted it, such as a disk that is full. */
  readonly failure: () => Error | undefined;
  /** From now on called at once with such a failure, the first one. */
  onFailure(tell: (failure: Error) => void): void;
}

/**
 * Goes on when nobody reads the output any more, as behind `| head`: what is to be done is done, and the exit code
 * still says what came of it. Otherwise a run would end there, with all that it made left behind. Output that is lost for
 * another reason is kept in mind, so that the exit code can tell. Where the errors cannot be written nobody can be told.
 */
export function watchOutput(output: EventEmitter, errors: EventEmitter): OutputWatch {
  let failure: Error | undefined;
  let tell: ((failure: Error) => void) | undefined;
  output.on('error', (error: NodeJS.ErrnoException) => {
    if (failure !== undefined || NOBODY_READS.has(error.code)) return;
    failure = error;
    tell?.(error);
  });
  errors.on('error', () => undefined);
  return {
    failure: () => failure,
    onFailure(listener) {
      tell = listener;
    },
  };
}
