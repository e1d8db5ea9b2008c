import { TransportError } from '../../errors/harness-error';

/** A signal that is aborted when the time is over or another signal is. */
export interface Deadline {
  readonly signal: AbortSignal;
  /** What is waited for, or the rejection with the reason of the signal, whichever comes first. */
  race<Value>(promise: Promise<Value>): Promise<Value>;
  /** Nothing is waited for any more. */
  close(): void;
}

/**
 * In place of `AbortSignal.any`, which keeps a listener for each request on a signal that lives as long as the run.
 *
 * @param late - makes the reason when the time is over
 * @param interrupt - its abortion gives `TRANSPORT_INTERRUPTED` as the reason
 */
export function openDeadline(timeoutMs: number, late: () => Error, interrupt: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  const stop = (): void => {
    controller.abort(new TransportError('TRANSPORT_INTERRUPTED', 'The run was interrupted before an answer came'));
  };
  const timer = setTimeout(() => {
    controller.abort(late());
  }, timeoutMs);
  if (interrupt?.aborted === true) stop();
  else interrupt?.addEventListener('abort', stop, { once: true });
  return {
    signal: controller.signal,
    race: (promise) =>
      new Promise((resolve, reject) => {
        const fail = (): void => {
          reject(controller.signal.reason as Error);
        };
        if (controller.signal.aborted) fail();
        controller.signal.addEventListener('abort', fail, { once: true });
        promise.then(resolve, reject);
      }),
    close() {
      clearTimeout(timer);
      interrupt?.removeEventListener('abort', stop);
    },
  };
}
