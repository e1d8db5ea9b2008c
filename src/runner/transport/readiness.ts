import { TransportError } from '../../core/errors/standin-error';
import type { HttpRequest, Transport } from '../../core/http/message';
import { REAL_TIMING, type Timing } from './timing';

export interface ReadinessOptions {
  /** How long to ask, in all. */
  readonly timeoutMs: number;
  /** Between two questions; 500 when left out. */
  readonly intervalMs?: number | undefined;
  /** What to ask for: the path of the base URL, `/` when left out. */
  readonly path?: string | undefined;
  /** Header lines of the question, such as the User-Agent. No key: it is not needed to see that somebody answers. */
  readonly rawHeaders?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timing?: Timing | undefined;
}

/** What gateways say for a service that is not there yet (RFC 9110 §15.6.3 to §15.6.5). */
const NOT_READY = new Set([502, 503, 504]);

/**
 * Asks until somebody answers: any status but 502, 503 and 504 is a response, a 401 or a 404 too. The first question
 * goes at once.
 *
 * @throws TransportError `TRANSPORT_UNREACHABLE` with what the last attempt met; `TRANSPORT_INTERRUPTED`
 */
export async function waitReady(transport: Transport, options: ReadinessOptions): Promise<void> {
  const { timeoutMs, intervalMs = 500, signal, timing = REAL_TIMING } = options;
  const endMs = timing.now() + timeoutMs;
  for (;;) {
    const met = await sendReadinessRequest(transport, options, endMs - timing.now());
    if (met === undefined) return;
    if (signal?.aborted === true) {
      throw new TransportError('TRANSPORT_INTERRUPTED', 'The run was interrupted before the target was ready');
    }
    const leftMs = endMs - timing.now();
    if (leftMs <= 0) throw notReady(timeoutMs, met);
    await timing.sleep(Math.min(intervalMs, leftMs), signal);
  }
}

/** @returns what was met in place of a response */
async function sendReadinessRequest(
  transport: Transport,
  { path = '/', rawHeaders = [], signal, timing = REAL_TIMING }: ReadinessOptions,
  leftMs: number,
): Promise<string | undefined> {
  const target = path === '' ? '/' : path;
  const request: HttpRequest = { method: 'GET', target, headers: {}, rawHeaders, body: new Uint8Array(0) };
  const limit = timeLimited(signal, leftMs, timing);
  try {
    const { status } = await transport.send(request, { signal: limit.signal });
    return NOT_READY.has(status) ? `a ${status}` : undefined;
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    return error.code === 'TRANSPORT_INTERRUPTED' ? 'no response' : error.message;
  } finally {
    limit.close();
  }
}

/** A signal for one question, which may not take longer than there is time for all of them. */
function timeLimited(
  signal: AbortSignal | undefined,
  leftMs: number,
  timing: Timing,
): { readonly signal: AbortSignal; close(): void } {
  const question = new AbortController();
  const done = new AbortController();
  const stop = (): void => {
    question.abort();
  };
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  void timing.sleep(leftMs, done.signal).then(stop);
  return {
    signal: question.signal,
    close() {
      done.abort();
      signal?.removeEventListener('abort', stop);
    },
  };
}

function notReady(timeoutMs: number, met: string): TransportError {
  return new TransportError(
    'TRANSPORT_UNREACHABLE',
    `The target was not ready within ${timeoutMs / 1000} s; the last attempt met: ${met}`,
    { hint: 'Look at its log, wait longer, or correct the base URL.' },
  );
}
