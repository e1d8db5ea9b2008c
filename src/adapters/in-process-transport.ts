import { headerValue } from '../http/headers';
import type { HttpRequest, HttpResponse } from '../http/message';
import type { Transport } from '../http/transport';

/** Whatever answers requests in this process, for example the engine of a mock. */
export interface RequestHandler {
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
}

const HOST = 'localhost';

/** A transport without a socket. It adds the two headers that a socket would have brought. */
export function createInProcessTransport(handler: RequestHandler): Transport {
  return {
    async send(request) {
      const added: string[] = [];
      if (headerValue(request.rawHeaders, 'host') === undefined) added.push('Host', HOST);
      const hasLength = headerValue(request.rawHeaders, 'content-length') !== undefined;
      if (!hasLength && request.body.length > 0) added.push('Content-Length', String(request.body.length));
      const names = Object.fromEntries(
        added.flatMap((text, index) => (index % 2 === 0 ? [[text.toLowerCase(), added[index + 1]]] : [])),
      );
      return handler.handle({
        ...request,
        rawHeaders: [...request.rawHeaders, ...added],
        headers: { ...request.headers, ...names },
      });
    },
  };
}
