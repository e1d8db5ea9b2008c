import type { EventEmitter } from 'node:events';

/** A pipe whose reader has ended, and a terminal that was closed. */
const NOBODY_READS: ReadonlySet<string | undefined> = new Set(['EPIPE', 'EIO', 'ERR_STREAM_DESTROYED']);

/**
 * Goes on when nobody reads the output any more, as behind `| head`: what is to be done is done, and the exit code
 * still says what came of it. Otherwise a run would end there, with all that it made left behind.
 */
export function ignoreClosedOutput(streams: readonly EventEmitter[]): void {
  for (const stream of streams) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (!NOBODY_READS.has(error.code)) throw error;
    });
  }
}
