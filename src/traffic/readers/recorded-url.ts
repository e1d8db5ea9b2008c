import { parseTarget, decodedText } from '../../core/http/request-target';

/** The parts of an address that a request is made of. */
export interface RecordedUrl {
  /** Scheme, host and port as a browser writes them (RFC 6454 §6.2). */
  readonly origin: string;
  /** Path and query as they were written, where they can be sent so; else percent-encoded as by URL Standard §4.4. */
  readonly target: string;
  /** Value of the `Authorization` that user information in the address stands for (RFC 7617 §2). */
  readonly authorization: string | undefined;
}

/** Schemes of addresses that requests go to; those of WebSocket begin as a request of HTTP (RFC 6455 §4.1). */
const HTTP_SCHEMES: Readonly<Record<string, string>> = {
  'http:': 'http:',
  'https:': 'https:',
  'ws:': 'http:',
  'wss:': 'https:',
};

const AUTHORITY = /^[A-Za-z][A-Za-z0-9+.-]*:\/\/[^/?#]*/;

/** @returns `undefined` for what is no address of HTTP, such as `data:` and `chrome-extension:` */
export function readUrl(text: string): RecordedUrl | undefined {
  const trimmed = text.trim();
  const [authority = ''] = AUTHORITY.exec(trimmed) ?? [];
  if (authority === '' || !URL.canParse(trimmed)) return undefined;
  const url = new URL(trimmed);
  const scheme = Object.hasOwn(HTTP_SCHEMES, url.protocol) ? HTTP_SCHEMES[url.protocol] : undefined;
  if (scheme === undefined) return undefined;
  const { origin } = new URL(`${scheme}//${url.host}`);
  const written = trimmed.slice(authority.length).replace(/#.*$/s, '');
  const target = written.startsWith('/') ? written : `/${written}`;
  return {
    origin,
    target: parseTarget(target) === undefined ? `${url.pathname}${url.search}` : target,
    authorization: authorizationOf(url),
  };
}

function authorizationOf({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined;
  return basicAuthorization(decodedText(username), decodedText(password));
}

/** RFC 7617 §2. */
export function basicAuthorization(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
