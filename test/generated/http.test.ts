import express, { type Request } from 'express';
import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';

/** What a service does wrong with a request; `undefined` where it does nothing. */
type Fault = (request: Request) => { readonly status: number; readonly headers?: Record<string, string> } | undefined;

/** What generated checks of HTTP say of the Petstore with a fault. */
async function told(fault: Fault): Promise<{ readonly failures: string[]; readonly warnings: string[] }> {
  const mock = await createMockServer({});
  const app = express();
  app.use((request, response, next) => {
    const answer = fault(request);
    if (answer === undefined) next();
    else
      response
        .status(answer.status)
        .set(answer.headers ?? {})
        .end();
  });
  app.use(mock);
  const result = await runContract({ app, generate: ['http'], seed: 1, probesAuth: false });
  const steps = allSteps(result);
  return {
    failures: steps.flatMap(({ name, verdict }) =>
      verdict.kind === 'fail' ? verdict.findings.map(({ check }) => `${name}: ${check}`) : [],
    ),
    warnings: steps.flatMap(({ name, warnings }) => warnings.map(({ check }) => `${name}: ${check}`)),
  };
}

/** Takes a header away from a request before the service sees it. */
const without =
  (header: string): Fault =>
  (request) => {
    request.headers = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name !== header));
    const at = request.rawHeaders.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === header);
    if (at >= 0) request.rawHeaders.splice(at, 2);
    return undefined;
  };

const FAULTS: readonly { readonly of: string; readonly fault: Fault; readonly says: string }[] = [
  {
    of: 'that reads everything again',
    fault: without('if-none-match'),
    says: 'read the pet if it has changed since: status-expected',
  },
  {
    of: 'that changes things whatever the client knew of them',
    fault: without('if-match'),
    says: 'replace the pet if it has an entity tag that nobody has: status-expected',
  },
  {
    of: 'that knows one type at a time',
    fault: ({ headers }) => (headers.accept?.includes('q=0.5') === true ? { status: 406 } : undefined),
    says: 'read the pet as a type that nobody has, or else as application/json: status-expected',
  },
  {
    of: 'that fails at a type that it has not',
    fault: ({ headers }) => (headers.accept === 'application/vnd.nobody.unknown' ? { status: 500 } : undefined),
    says: 'read the pet as a type that nobody has: no-server-error',
  },
  {
    of: 'that fails at OPTIONS',
    fault: ({ method }) => (method === 'OPTIONS' ? { status: 500 } : undefined),
    says: 'OPTIONS of the pet: no-server-error',
  },
  {
    of: 'that fails at a parameter that comes twice',
    fault: ({ query }) => (Array.isArray(query['limit']) ? { status: 500 } : undefined),
    says: 'list with limit twice: no-server-error',
  },
  {
    of: 'that fails at a body without a type',
    fault: ({ method, headers }) =>
      method === 'POST' && headers['content-type'] === undefined ? { status: 500 } : undefined,
    says: 'add a pet without a Content-Type: no-server-error',
  },
];

test.each(FAULTS)('a service $of is told', async ({ fault, says }) => {
  expect((await told(fault)).failures).toContain(says);
});

test('a service whose Allow lacks a method that the description has gets a warning', async () => {
  const { warnings, failures } = await told(({ method }) =>
    method === 'OPTIONS' ? { status: 204, headers: { Allow: 'GET, HEAD, OPTIONS' } } : undefined,
  );
  expect(warnings).toContain('OPTIONS of the pet: allow');
  expect(failures).toEqual([]);
});
