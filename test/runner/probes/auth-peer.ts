import { createServerParts, type ServerParts } from '../../../src/library/create-mock-server';
import { createInProcessTransport } from '../../../src/network/target';
import type { HttpRequest, HttpResponse, Transport } from '../../../src/core/http/message';
import { once } from '../../../src/core/text/memoize';
import { parseJson } from '../../../src/core/json/parse-json';
import { stringifyJson } from '../../../src/core/json/stringify-json';
import { startRun, type Run, type RunInput } from '../../../src/runner/exchange/run-state';
import { withoutHeader } from '../peer';

/** Longer than eight characters, so that it can be cut. */
export const KEY = 'the-right-key-1';

/** What is wrong with the judging of credentials; it gets the good server to ask. */
export type Hole = (request: HttpRequest, good: Transport['send']) => Promise<HttpResponse>;

/** The Petstore in this process with a hole, and a run that is on its way to it. */
export interface HoledPetstore {
  readonly run: Run;
  /** Everything that was sent. */
  readonly sent: readonly HttpRequest[];
  /** Everything that is stored, without counters. */
  readonly stored: () => string;
}

const sharedParts = once(() => createServerParts({ apiKeys: [KEY] }));

/** All tests of a file share the Petstore behind the hole: the latest one begins with its seed again. */
export async function holedPetstore(hole: Hole, more: Partial<RunInput> = {}): Promise<HoledPetstore> {
  const { mock, app, api }: ServerParts = await sharedParts();
  app.reset();
  const good = createInProcessTransport(mock.engine);
  const sent: HttpRequest[] = [];
  const transport: Transport = {
    send(request) {
      sent.push(request);
      return hole(request, (asked) => good.send(asked));
    },
  };
  const input = { version: '0.0.0', api, transport, baseUrl: 'http://localhost', apiKey: KEY, runId: 'run1' } as const;
  const stored = (): string =>
    stringifyJson((parseJson(stringifyJson(app.state())) as Record<string, never>)['collections']!);
  return { run: startRun({ ...input, mode: 'full', ...more }), sent, stored };
}

/** The request as it would be with the right key. */
export function letIn(request: HttpRequest): HttpRequest {
  const authorization = `Bearer ${KEY}`;
  return {
    ...request,
    target: request.target.replace(/[?&](?:access_token|api_key)=[^&]*/, ''),
    headers: { ...request.headers, authorization },
    rawHeaders: [...withoutHeader(request.rawHeaders, 'authorization'), 'Authorization', authorization],
  };
}

/** A hole that lets some requests in. */
export function open(when: (authorization: readonly string[], request: HttpRequest) => boolean): Hole {
  return (request, good) => {
    const { rawHeaders } = request;
    const values = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1] === 'Authorization');
    return good(when(values, request) ? letIn(request) : request);
  };
}
