import type * as undiciModule from 'undici';
import { ContractError, TransportError, type HarnessError } from '../../errors/harness-error';
import { decodeContent } from '../../http/content-coding';
import { headerValue } from '../../http/headers';
import type { HttpRequest, HttpResponse, RawHeaders } from '../../http/message';
import type { Transport } from '../../http/transport';

export interface UndiciTransportOptions {
  /** For one whole exchange: connecting, sending, and the last byte of the answer. */
  readonly timeoutMs: number;
  /** Longer bodies are not read to their end. */
  readonly maxBodyBytes?: number | undefined;
}

/** A transport over sockets, to be closed when nothing more is to be sent. */
export interface SocketTransport extends Transport {
  close(): Promise<void>;
}

const MAX_BODY_BYTES = 10 * 1024 * 1024;

/**
 * Sends requests to one origin with undici: header lines as they are given, redirects not followed, nothing retried.
 *
 * @param origin - scheme, host and port
 */
export function createUndiciTransport(origin: string, options: UndiciTransportOptions): SocketTransport {
  const { timeoutMs, maxBodyBytes = MAX_BODY_BYTES } = options;
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded only where something is sent; `import()` does not work inside other people's jest
  const { Pool } = require('undici') as typeof undiciModule;
  const pool = new Pool(origin, {
    connect: { timeout: timeoutMs },
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    maxResponseSize: maxBodyBytes,
  });
  return {
    async send(request) {
      try {
        return await exchange(pool, request, timeoutMs, maxBodyBytes);
      } catch (error) {
        throw toHarnessError(error, origin, { timeoutMs, maxBodyBytes });
      }
    },
    close: () => pool.destroy(),
  };
}

async function exchange(
  pool: undiciModule.Pool,
  { method, target, rawHeaders, body }: HttpRequest,
  timeoutMs: number,
  maxBodyBytes: number,
): Promise<HttpResponse> {
  const response = await pool.request({
    method,
    path: target,
    headers: [...rawHeaders],
    body: body.length === 0 ? null : body,
    signal: AbortSignal.timeout(timeoutMs),
    responseHeaders: 'raw',
  });
  const { statusCode: status } = response;
  // With `raw`, undici gives the lines in a flat list, whatever its types say.
  const headers = response.headers as unknown as RawHeaders;
  const bytes = await readBody(response.body, status);
  const coding = headerValue(headers, 'content-encoding');
  const decoded = decodeContent(bytes, coding ?? '', maxBodyBytes);
  if (decoded.kind !== 'decoded') {
    throw new TransportError('TRANSPORT_BROKEN_RESPONSE', `The ${status} cannot be decoded: ${decoded.kind}`, {
      hint: `Its Content-Encoding is "${coding ?? ''}"; none was asked for.`,
    });
  }
  return { status, headers, body: decoded.body.length === 0 ? undefined : decoded.body };
}

async function readBody(body: undiciModule.Dispatcher.ResponseData['body'], status: number): Promise<Uint8Array> {
  try {
    return new Uint8Array(await body.arrayBuffer());
  } catch (error) {
    // A 304 may name the length of the body that it leaves out (RFC 9110 §8.6), and a 204 that does is for the checks.
    if ((status === 204 || status === 304) && codeOf(error) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
      return new Uint8Array(0);
    }
    throw error;
  }
}

const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there. Start the service, or correct the base URL.',
  ENOTFOUND: 'The host name is not known. Correct the base URL.',
  EAI_AGAIN: 'The host name could not be looked up. Is there a network?',
  EHOSTUNREACH: 'There is no way to that host from here.',
  ENETUNREACH: 'There is no way to that network from here.',
  ETIMEDOUT: 'The host does not answer. Is a firewall in between?',
  UND_ERR_CONNECT_TIMEOUT: 'The host does not answer. Is a firewall in between?',
  ERR_SSL_WRONG_VERSION_NUMBER: 'It does not speak TLS. Is it http:// and not https://?',
  EPROTO: 'It does not speak TLS. Is it http:// and not https://?',
};
const UNSENDABLE = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']);
const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_ABORTED']);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/;

function toHarnessError(error: unknown, origin: string, limits: Required<UndiciTransportOptions>): HarnessError {
  if (error instanceof TransportError) return error;
  const code = codeOf(error);
  const reason = messageOf(error);
  if (TIMEOUTS.has(code) || nameOf(error) === 'TimeoutError') {
    const seconds = limits.timeoutMs / 1000;
    const hint = 'Is the service overloaded? A longer timeout can be set.';
    return new TransportError('TRANSPORT_TIMEOUT', `${origin} gave no whole answer within ${seconds} s`, {
      hint,
      cause: error,
    });
  }
  if (UNREACHABLE[code] !== undefined || CERTIFICATE.test(code)) {
    const hint = UNREACHABLE[code] ?? 'Name the authority that signed its certificate in NODE_EXTRA_CA_CERTS.';
    return new TransportError('TRANSPORT_UNREACHABLE', `${origin} cannot be reached: ${code}`, { hint, cause: error });
  }
  if (UNSENDABLE.has(code)) {
    return new ContractError('CONTRACT_INVALID', `The request cannot be sent: ${reason}`, { cause: error });
  }
  const detail = code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE' ? `more than ${limits.maxBodyBytes} bytes` : reason;
  return new TransportError('TRANSPORT_BROKEN_RESPONSE', `${origin} gave no whole answer: ${detail}`, { cause: error });
}

// No `instanceof Error` in the three below: inside jest, errors of Node itself come from another realm.

function codeOf(error: unknown): string {
  return textMember(error, 'code');
}

function nameOf(error: unknown): string {
  return textMember(error, 'name');
}

function messageOf(error: unknown): string {
  return textMember(error, 'message') || 'the connection broke';
}

function textMember(error: unknown, name: 'code' | 'name' | 'message'): string {
  const value =
    typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>)[name] : undefined;
  return typeof value === 'string' ? value : '';
}
