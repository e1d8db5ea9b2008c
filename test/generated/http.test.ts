import express, { type Request } from 'express';
import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { object, text } from '../support/small-api';
import { collection, ID, run, Service } from './reach-service';

/** Returns the wrong answer to a request, or changes the request and returns `undefined`. */
type Fault = (request: Request) => { readonly status: number; readonly headers?: Record<string, string> } | undefined;

/** Runs the generated checks of HTTP against the mock with faults. */
async function runWith(
  ...faults: readonly Fault[]
): Promise<{ readonly failures: string[]; readonly warnings: string[] }> {
  const mock = await createMockServer({});
  const app = express();
  app.use((request, response, next) => {
    // Each fault concerns other requests.
    const answer = faults.map((fault) => fault(request)).find((each) => each !== undefined);
    if (answer === undefined) next();
    else
      response
        .status(answer.status)
        .set(answer.headers ?? {})
        .end();
  });
  app.use(mock);
  // Enough requests for the contract of pets, which comes first.
  const options = { generate: ['http'], maxRequests: 45, seed: 1, probesAuth: false } as const;
  const result = await runContract({ app, ...options });
  const steps = allSteps(result);
  return {
    failures: steps.flatMap(({ name, verdict }) =>
      verdict.kind === 'fail' ? verdict.findings.map(({ check }) => `${name}: ${check}`) : [],
    ),
    warnings: steps.flatMap(({ name, warnings }) => warnings.map(({ check }) => `${name}: ${check}`)),
  };
}

/** Removes a header of the request. */
const without =
  (header: string): Fault =>
  (request) => {
    request.headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== header));
    const at = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === header);
    if (at >= 0) request.rawHeaders.splice(at, 2);
    return undefined;
  };

const FAULTS: readonly { readonly server: string; readonly fault: Fault; readonly finding: string }[] = [
  {
    server: 'ignores If-None-Match',
    fault: without('if-none-match'),
    finding: 'read the pet if it has changed since: status-expected',
  },
  {
    server: 'finds with HEAD what nobody has',
    fault: ({ method, path }) => (method === 'HEAD' && path.endsWith('/2147483646') ? { status: 200 } : undefined),
    finding: 'HEAD of a pet that nobody has: status-expected',
  },
  {
    server: 'ignores If-Match',
    fault: without('if-match'),
    finding: 'replace the pet if it has an entity tag that nobody has: status-expected',
  },
  {
    server: 'rejects an Accept header with several types',
    fault: ({ headers }) => (headers.accept?.includes('q=0.5') === true ? { status: 406 } : undefined),
    finding: 'read the pet as a type that nobody has, or else as application/json: status-expected',
  },
  {
    server: 'fails at an unknown type in Accept',
    fault: ({ headers }) => (headers.accept === 'application/vnd.nobody.unknown' ? { status: 500 } : undefined),
    finding: 'read the pet as a type that nobody has: no-server-error',
  },
  {
    server: 'says to HEAD that there is nothing',
    fault: ({ method, url }) =>
      method === 'HEAD' && /\/\d+$/.test(url) ? { status: 200, headers: { 'Content-Length': '0' } } : undefined,
    finding: 'HEAD of the pet: head-like-get',
  },
  {
    server: 'fails at OPTIONS',
    fault: ({ method }) => (method === 'OPTIONS' ? { status: 500 } : undefined),
    finding: 'OPTIONS of the pet: no-server-error',
  },
  {
    server: 'fails at a repeated parameter',
    fault: ({ query }) => (Array.isArray(query['limit']) ? { status: 500 } : undefined),
    finding: 'list with limit twice: no-server-error',
  },
  {
    server: 'fails at a body without Content-Type',
    fault: ({ method, headers }) =>
      method === 'POST' && headers['content-type'] === undefined ? { status: 500 } : undefined,
    finding: 'add a pet without a Content-Type: no-server-error',
  },
];

describe('a server with a fault', () => {
  let failures: readonly string[];
  beforeAll(async () => {
    ({ failures } = await runWith(...FAULTS.map(({ fault }) => fault)));
  });

  test.each(FAULTS)('that $server is found', ({ finding }) => {
    expect(failures).toContain(finding);
  });
});

test('a server whose Allow lacks a described method gets a warning, and a finding where the method was taken', async () => {
  const { warnings, failures } = await runWith(({ method }) =>
    method === 'OPTIONS' ? { status: 204, headers: { Allow: 'GET, HEAD, OPTIONS' } } : undefined,
  );
  expect(warnings).toContain('OPTIONS of the pet: allow');
  expect(failures).toEqual(['OPTIONS of the pet: allow-complete', 'OPTIONS of the list: allow-complete']);
});

test.each(['own', 'full'] as const)('no list is written to, whatever method it may take, in mode %s', async (mode) => {
  const service = new Service();
  const { result } = await run(
    service,
    collection('things', object({ ...ID, title: text })),
    ['lifecycle', 'http', 'negative', 'lists'],
    mode,
  );
  // Nor is it planned.
  expect(allSteps(result).map(({ name }) => name)).not.toContain('PATCH of the list');
  const methods = new Set(service.calls.filter((call) => call.includes(' things ')).map((call) => call.split(' ')[0]));
  expect([...methods].sort()).toEqual(['GET', 'HEAD', 'OPTIONS', 'POST']);
});
