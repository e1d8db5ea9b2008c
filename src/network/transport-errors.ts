import {
  codeOf,
  ContractError,
  messageOf,
  type StandinError,
  syscallOf,
  TransportError,
} from '../core/errors/standin-error';
import { printable } from '../core/text/printable';

export interface FailureFacts {
  readonly origin: string;
  /** Scheme, host and port, without credentials; `undefined` when there is none. */
  readonly proxy: string | undefined;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  /** Was any connection made since the transport exists? */
  readonly hasConnected: boolean;
  /** Did any response come since then? */
  readonly hasResponded: boolean;
}

const NO_TLS = 'It does not speak TLS. Is it http:// and not https://?';
const NO_RESPONSE_HINT = 'The host does not respond. Is a firewall in between?';
const UNREACHABLE: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'Nothing listens there. Start the service, or correct the base URL.',
  ENOTFOUND: 'The host name is not known. Correct the base URL.',
  EAI_AGAIN: 'The host name could not be looked up. Is there a network?',
  EHOSTUNREACH: 'There is no way to that host from here.',
  ENETUNREACH: 'There is no way to that network from here.',
  EADDRNOTAVAIL: 'There is no way to that address from here.',
  ETIMEDOUT: NO_RESPONSE_HINT,
  UND_ERR_CONNECT_TIMEOUT: NO_RESPONSE_HINT,
  ERR_SSL_WRONG_VERSION_NUMBER: NO_TLS,
  ERR_SSL_PACKET_LENGTH_TOO_LONG: NO_TLS,
  EPROTO: NO_TLS,
  ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host. Correct the base URL, or the certificate.',
  CERT_HAS_EXPIRED: 'Its certificate has expired, or the clock of this machine is wrong.',
  CERT_NOT_YET_VALID: 'Its certificate is not valid yet, or the clock of this machine is wrong.',
};
/** Of these codes a connection that stood can die as well: then the call that failed is not an attempt to connect. */
const CONNECTED_OR_NOT = new Set(['ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH']);
const AFTER_CONNECTING = new Set(['read', 'write']);
const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS|ERR_SSL/;
const WANTS_CERTIFICATE = /ERR_SSL_\w*ALERT_(?:CERTIFICATE_REQUIRED|BAD_CERTIFICATE|HANDSHAKE_FAILURE)/;

const UNSENDABLE = new Set(['UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED', 'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH']);
const BROKEN_CONNECTION = new Set(['ECONNRESET', 'ECONNABORTED', 'EPIPE', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH']);

/** First bytes of an alert of TLS 1.0 to 1.3, which a TLS server sends to who speaks plain HTTP (RFC 8446 §5.1). */
const TLS_ALERT = /^\u0015\u0003/;

/** What kept a response from coming, in our own words: what undici, Node and OpenSSL throw has a code at best. */
export function transportFailure(error: unknown, facts: FailureFacts): StandinError {
  if (error instanceof TransportError) return error;
  const code = codeOf(error) ?? '';
  // What was sent may have been carried out.
  if (CONNECTED_OR_NOT.has(code) && AFTER_CONNECTING.has(syscallOf(error) ?? ''))
    return brokenConnection(code, error, facts);
  if (UNREACHABLE[code] !== undefined || CERTIFICATE.test(code)) return unreachable(code, error, facts);
  if (UNSENDABLE.has(code)) {
    const message = `The request cannot be sent: ${messageOf(error)}`;
    return new ContractError('CONTRACT_INVALID', message, { cause: error });
  }
  if (isBrokenConnection(code, messageOf(error))) {
    return brokenConnection(code, error, facts);
  }
  return brokenResponse(code, error, facts);
}

/** undici gives one code to many ends of a connection, and none to what its parser rejects: their words tell more. */
function isBrokenConnection(code: string, message: string): boolean {
  if (BROKEN_CONNECTION.has(code)) return true;
  return code === 'UND_ERR_SOCKET' ? message.includes('closed') : message.includes('(Invalid EOF state)');
}

/** No whole response within the time; where not even a connection was made, the target counts as unreachable. */
export function timedOut({ origin, proxy, timeoutMs, hasConnected }: FailureFacts): TransportError {
  const seconds = timeoutMs / 1000;
  if (!hasConnected) {
    return new TransportError(
      'TRANSPORT_UNREACHABLE',
      `The connection to ${origin} failed or timed out after ${seconds} s`,
      {
        hint: proxy === undefined ? NO_RESPONSE_HINT : `Does the proxy ${proxy} respond?`,
      },
    );
  }
  return new TransportError('TRANSPORT_TIMEOUT', `${origin} gave no complete response within ${seconds} s`, {
    hint: 'Is the service overloaded? A longer timeout can be set.',
  });
}

function unreachable(code: string, cause: unknown, { origin, proxy }: FailureFacts): TransportError {
  let hint =
    UNREACHABLE[code] ??
    'Name the file with the authority that signed its certificate (--ca), or take any certificate: --insecure for this machine, --insecure HOST for another one.';
  if (WANTS_CERTIFICATE.test(code)) hint = 'It may ask for a certificate of the client, which is not supported.';
  const way = proxy === undefined ? '' : ` through the proxy ${proxy}`;
  return new TransportError('TRANSPORT_UNREACHABLE', `${origin} cannot be reached${way}: ${code}`, { hint, cause });
}

function brokenConnection(code: string, cause: unknown, { origin, hasResponded }: FailureFacts): TransportError {
  const isPlain = origin.startsWith('http:');
  const hint =
    !hasResponded && isPlain
      ? 'Is it https:// and not http://? Else look at the log of the service.'
      : 'Look at the log of the service, and at proxies and gateways in between.';
  const message =
    code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
      ? `${origin} sent another number of bytes than its Content-Length says`
      : `${origin} closed the connection before the response was complete`;
  return new TransportError('TRANSPORT_BROKEN_CONNECTION', message, { hint, cause });
}

function brokenResponse(code: string, cause: unknown, { origin, maxBodyBytes }: FailureFacts): TransportError {
  const reason = messageOf(cause);
  const fail = (detail: string, hint?: string): TransportError =>
    new TransportError('TRANSPORT_BROKEN_RESPONSE', `${origin} gave an incomplete response: ${detail}`, {
      hint,
      cause,
    });
  if (code === 'UND_ERR_RES_EXCEEDED_MAX_SIZE') return fail(`more than ${maxBodyBytes} bytes`);
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return fail('its headers are too long');
  if (code === 'UND_ERR_SOCKET' && reason === 'bad upgrade')
    return fail('it changed the protocol (101) without being asked');
  if (TLS_ALERT.test(firstBytes(cause))) {
    return fail('what came is not HTTP', 'It speaks TLS. Is it https:// and not http://?');
  }
  return fail(printable(reason === '' ? 'the connection broke' : reason));
}

/** Where undici's parser stopped. */
function firstBytes(error: unknown): string {
  const data: unknown = typeof error === 'object' && error !== null ? Reflect.get(error, 'data') : undefined;
  return typeof data === 'string' ? data.slice(0, 8) : '';
}
