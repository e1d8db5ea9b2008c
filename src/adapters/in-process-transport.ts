import { headerValue } from '../http/headers';
import type { HttpRequest, HttpResponse } from '../http/message';
import type { Transport } from '../http/transport';

/** Whatever answers requests in this process, for example the engine of a mock. */
export interface RequestHandler {
  handle(request: HttpRequest): HttpResponse | Promise<HttpResponse>;
}

/** A transport without a socket. It adds the headers that sending over one would have brought. */
export function createInProcessTransport(handler: RequestHandler): Transport {
  return {
    async send(request) {
      let complete = withDefault(request, 'host', 'localhost');
      if (request.body.length > 0) complete = withDefault(complete, 'content-length', String(request.body.length));
      return handler.handle(complete);
    },
  };
}

function withDefault(request: HttpRequest, name: string, value: string): HttpRequest {
  if (headerValue(request.rawHeaders, name) !== undefined) return request;
  const headers = { ...request.headers, [name]: value };
  return { ...request, headers, rawHeaders: [...request.rawHeaders, name, value] };
}
