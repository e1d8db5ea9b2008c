import { headerValue, headerValues } from './headers';
import type { RawHeaders } from './message';

/** Who calls from a page of another origin. */
export interface Browser {
  /** Scheme, host and port, as browsers send it: `https://app.example`. */
  readonly origin: string;
  /** Does the page send cookies along, so that `*` opens nothing (Fetch §3.2.5)? */
  readonly credentials: boolean;
}

/** Methods that a page may use without asking (Fetch §2.2.1). */
const SAFELISTED: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST']);

/** What keeps a page from a response. */
export interface CorsViolation {
  /** Lower-case name of the header that is at fault. */
  readonly header: string;
  readonly message: string;
  /** As the first release said it: fingerprints are made of that. */
  readonly rule?: string | undefined;
  readonly expected: string;
  /** `undefined` when it is not there. */
  readonly actual: string | undefined;
}

/** May a page of the origin read a response with these headers (Fetch §4.10 CORS check)? */
export function corsViolations(headers: RawHeaders, { origin, credentials }: Browser): CorsViolation[] {
  const name = 'access-control-allow-origin';
  const lines = headerValues(headers, name);
  const expected = credentials ? origin : `${origin} or *`;
  const about = { header: name, expected, actual: lines.length === 0 ? undefined : lines.join(', ') };
  if (lines.length === 0) {
    const rule = 'A page of another origin may not read the answer';
    return [{ ...about, message: 'A page of another origin may not read the response', rule }];
  }
  if (lines.length > 1) return [{ ...about, message: 'Access-Control-Allow-Origin is there more than once' }];
  const isOpen = lines[0] === origin || (lines[0] === '*' && !credentials);
  if (!isOpen) return [{ ...about, message: 'Access-Control-Allow-Origin names another origin' }];
  const allowed = headerValue(headers, 'access-control-allow-credentials');
  if (!credentials || allowed === 'true') return [];
  const message = 'A page that sends cookies may not read the response';
  const rule = 'A page that sends cookies may not read the answer';
  return [{ header: 'access-control-allow-credentials', message, rule, expected: 'true', actual: allowed }];
}

/** What a preflight asks for (Fetch §4.8). */
export interface Preflight {
  readonly method: string;
  /** Lower-case names of the headers that the request is to have. */
  readonly headers: readonly string[];
}

/** @returns `undefined` where the request is not a preflight */
export function preflightOf(method: string, requestHeaders: RawHeaders): Preflight | undefined {
  const asked = method === 'OPTIONS' ? headerValue(requestHeaders, 'access-control-request-method') : undefined;
  if (asked === undefined || headerValue(requestHeaders, 'origin') === undefined) return undefined;
  return { method: asked, headers: namesIn(headerValue(requestHeaders, 'access-control-request-headers')) };
}

/** Does the response to a preflight let the request through (Fetch §4.8)? */
export function preflightViolations(headers: RawHeaders, asked: Preflight, { credentials }: Browser): CorsViolation[] {
  const faults: CorsViolation[] = [];
  const methods = headerValues(headers, 'access-control-allow-methods').join(', ');
  const isAllowed = methods
    .split(',')
    .some((name) => name.trim() === asked.method || (name.trim() === '*' && !credentials));
  if (!isAllowed && !SAFELISTED.has(asked.method)) {
    const message = `The preflight does not allow ${asked.method}`;
    faults.push({
      header: 'access-control-allow-methods',
      message,
      expected: asked.method,
      actual: methods || undefined,
    });
  }
  const value = headerValues(headers, 'access-control-allow-headers').join(', ');
  const names = namesIn(value);
  // `*` does not stand for Authorization (Fetch §4.8).
  const isNamed = (name: string): boolean =>
    names.includes(name) || (names.includes('*') && !credentials && name !== 'authorization');
  for (const name of asked.headers.filter((each) => !isNamed(each))) {
    const message = `The preflight does not allow the header ${name}`;
    faults.push({ header: 'access-control-allow-headers', message, expected: name, actual: value || undefined });
  }
  return faults;
}

function namesIn(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}

/** Types of a body that a page may send without asking (Fetch §2.2.2). */
const SAFELISTED_TYPE = /^(?:application\/x-www-form-urlencoded|multipart\/form-data|text\/plain)(?:;|$)/i;

/** Must a browser ask before it sends a body of this type? */
export function needsPreflight(mediaType: string): boolean {
  return !SAFELISTED_TYPE.test(mediaType);
}
