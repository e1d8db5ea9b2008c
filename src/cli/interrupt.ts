import { say } from './terminal';

/** What tells a run that it is to end. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Back to what signals usually do, SIGHUP left out. */
  release(): void;
}

/** What a shell makes of a process that SIGINT ended. */
const EXIT_CODE = 130;

/** What is to be known, and told, when a signal comes. */
export interface InterruptHooks {
  /** Called with the first one. */
  readonly onStop?: (() => void) | undefined;
  /** Gives the last words of a process that a second one ends. */
  readonly lastWords?: (() => string) | undefined;
}

/**
 * The first signal lets the run end in order: nothing more is sent but the cleanup. A second one ends the process; the
 * ledger has what is left. SIGHUP, which comes when the terminal is closed, and from some of them twice, never does.
 */
export function stopOnInterrupt({ onStop, lastWords }: InterruptHooks = {}): Interrupt {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) return;
    // Before anything is written: nobody may be there to read it.
    controller.abort();
    onStop?.();
    say(
      process.stderr,
      '\nStopping: what was made is being removed. A second Ctrl-C ends at once and leaves it there.\n',
    );
  };
  const stopOrExit = (): void => {
    if (controller.signal.aborted) {
      say(process.stderr, lastWords?.() ?? '');
      process.exit(EXIT_CODE);
    }
    stop();
  };
  const handlers = { SIGINT: stopOrExit, SIGTERM: stopOrExit, SIGHUP: stop } as const;
  for (const [name, handler] of Object.entries(handlers)) process.on(name, handler);
  return {
    signal: controller.signal,
    release() {
      // SIGHUP goes on ending nothing: the reports are still to be written.
      process.off('SIGINT', stopOrExit).off('SIGTERM', stopOrExit);
    },
  };
}
