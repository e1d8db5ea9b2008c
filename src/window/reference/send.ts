import type { Request } from './swagger-ui';

/** What is added to each request that is tried. */
export interface Sending {
  /** Name and value of the header that chooses the sandbox; `undefined` for none. */
  readonly sandboxHeader: readonly [name: string, value: string] | undefined;
}

/**
 * A request as it is sent: to this mock alone, whatever the description says.
 *
 * @throws Error for what the renderer would load itself: a description is one document
 */
export function toThisMock(request: Request, { sandboxHeader }: Sending): Request {
  const url = new URL(request.url, location.href);
  if (request.loadSpec === true)
    throw new Error(`It refers to ${url.href}, which is not a part of this description; it is not loaded`);
  request.url = `${location.origin}${url.pathname}${url.search}`;
  if (sandboxHeader !== undefined) request.headers[sandboxHeader[0]] = sandboxHeader[1];
  const { Cookie: cookies } = request.headers;
  if (cookies !== undefined) request.userFetch = withCookies(cookies);
  return request;
}

/** Scripts cannot set the header, so that the cookies of a request are those of the page while it is on its way. */
function withCookies(header: string): typeof fetch {
  const sent = pairsOf(header);
  return (...request) =>
    oneByOne(async () => {
      const before = new Map(pairsOf(document.cookie));
      for (const [name, value] of sent) setCookie(name, value);
      try {
        return await fetch(...request);
      } finally {
        for (const [name] of sent) setCookie(name, before.get(name));
      }
    });
}

let last: Promise<unknown> = Promise.resolve();

/** Two at once would have each other's cookies, and the one that ends last would leave those of the other. */
function oneByOne<Value>(work: () => Promise<Value>): Promise<Value> {
  const result = last.then(work);
  last = result.catch(() => undefined);
  return result;
}

function pairsOf(header: string): [name: string, value: string][] {
  return header.split(/;\s*/).map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [name, value.join('=')];
  });
}

/** @param value - `undefined` removes it */
function setCookie(name: string, value: string | undefined): void {
  document.cookie = `${name}=${value ?? ''}; Path=/; SameSite=Strict${value === undefined ? '; Max-Age=0' : ''}`;
}
