/** What tells a run that it is to end. */
export interface Interrupt {
  readonly signal: AbortSignal;
  /** Back to what signals usually do. */
  release(): void;
}

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;
/** What a shell makes of a process that SIGINT ended. */
const EXIT_CODE = 130;

/**
 * The first signal lets the run end in order: nothing more is sent but the cleanup. A second one ends the process; the
 * ledger has what is left.
 */
export function stopOnInterrupt(): Interrupt {
  const controller = new AbortController();
  const stop = (): void => {
    if (controller.signal.aborted) process.exit(EXIT_CODE);
    process.stderr.write('\nStopping: what was made is being removed. A second Ctrl-C leaves it there.\n');
    controller.abort();
  };
  for (const name of SIGNALS) process.on(name, stop);
  return {
    signal: controller.signal,
    release() {
      for (const name of SIGNALS) process.off(name, stop);
    },
  };
}
