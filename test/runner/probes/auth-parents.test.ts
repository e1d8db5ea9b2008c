import type { HttpRequest, HttpResponse } from '../../../src/core/http/message';
import type { RunInput } from '../../../src/runner/exchange/run-state';
import { type RunResult } from '../../../src/runner/result/run-result';
import { allSteps } from '../../../src/runner/result/outcome';
import { loadText } from '../../openapi/load-text';
import { replayText } from '../peer';

const id = (name: string): string => `{ name: ${name}, in: path, required: true, schema: { type: string } }`;
const { api } = loadText(`openapi: 3.0.3
info: { title: Names, version: 1.0.0 }
security: [{ key: [] }]
paths:
  /servers/{server}/zones:
    parameters: [${id('server')}]
    get: { operationId: listZones, responses: { '200': { description: ok }, '401': { description: no } } }
    post:
      operationId: addZone
      requestBody: { content: { application/json: { schema: { type: object } } } }
      responses: { '201': { description: ok }, '401': { description: no } }
  /servers/{server}/zones/{zone}:
    parameters: [${id('server')}, ${id('zone')}]
    get: { operationId: getZone, responses: { '200': { description: ok }, '401': { description: no } } }
    delete: { operationId: removeZone, responses: { '204': { description: gone }, '401': { description: no } } }
components: { securitySchemes: { key: { type: apiKey, in: header, name: X-API-Key } } }
`);

const CONTRACT = `standin: contract/1
name: zones
steps:
  - operation: listZones
    parameters: { server: localhost }
    expect: { status: 200 }
  - operation: addZone
    parameters: { server: localhost }
    body: { id: 'zone-\${runId}' }
    expect: { status: 201 }
    capture: { zone: $response.body#/id }
  - operation: getZone
    parameters: { server: localhost, zone: '\${zone}' }
    expect: { status: 200 }
  - operation: removeZone
    parameters: { server: localhost, zone: '\${zone}' }
    expect: { status: 204 }
`;

/** A service whose router knows one server, and says of everything below another one that there is no route. */
async function probed(more: Partial<RunInput> = {}): Promise<{ result: RunResult; sent: readonly HttpRequest[] }> {
  const sent: HttpRequest[] = [];
  let zones: string[] = [];
  const answer = ({ method, target, headers, body }: HttpRequest): HttpResponse => {
    const json = (status: number, value: unknown): HttpResponse => {
      const text = Buffer.from(JSON.stringify(value));
      return {
        status,
        headers: ['Content-Type', 'application/json', 'WWW-Authenticate', 'Key'],
        body: method === 'HEAD' ? undefined : text,
      };
    };
    const match = /^\/servers\/localhost\/zones(?:\/(.+))?$/.exec(target.split('?')[0]!);
    if (match === null) return json(404, { error: 'no route' });
    const zone: string | undefined = match[1];
    if (headers['x-api-key'] !== 'test-key') return json(401, { error: 'who?' });
    if (method === 'POST') {
      const made = JSON.parse(Buffer.from(body).toString()) as { id: string };
      zones.push(made.id);
      return json(201, made);
    }
    if (zone === undefined) return json(200, zones);
    if (!zones.includes(zone)) return json(404, { error: 'no zone' });
    if (method === 'DELETE') zones = zones.filter((each) => each !== zone);
    return method === 'DELETE' ? { status: 204, headers: [], body: undefined } : json(200, { id: zone });
  };
  const transport = {
    send: (request: HttpRequest) => {
      sent.push(request);
      return Promise.resolve(answer(request));
    },
  };
  const result = await replayText(CONTRACT, transport, { api, probesAuth: true, ...more });
  return { result, sent };
}

test('probes name what is there and not the run’s own, so that every refusal is one of the credentials', async () => {
  const { result, sent } = await probed();
  expect(result.outcome).toBe('conforms');
  const targets = new Set(sent.map(({ target }) => target.split('?')[0]!.replace(/-run1$/, '-…')));
  expect([...targets].sort()).toEqual([
    '/servers/localhost/zones',
    '/servers/localhost/zones/standin-absent-…',
    '/servers/localhost/zones/zone-…',
  ]);
});

test('what could change something still names an item that nobody has, or is a creation that the run owns', async () => {
  const { sent } = await probed();
  const writes = sent.filter(
    ({ method, headers }) => !/^(?:GET|HEAD)$/.test(method) && headers['x-api-key'] !== 'test-key',
  );
  expect(
    new Set(writes.map(({ method, target, body }) => `${method} ${target} ${Buffer.from(body).toString()}`)),
  ).toEqual(
    new Set([
      'POST /servers/localhost/zones {"id":"zone-run1-unauthorised"}',
      'DELETE /servers/localhost/zones/zone-run1 ',
      'DELETE /servers/localhost/zones/standin-absent-run1 ',
    ]),
  );
});

test('an unusual key is not judged at an id that nobody has, where the operation documents no 404', async () => {
  const { result } = await probed();
  const unusual = allSteps(result).filter(({ name }) => name.endsWith('accepts the header in lower case'));
  expect(unusual.map(({ operation, verdict }) => [operation, verdict.kind])).toEqual([['listZones', 'pass']]);
});

test('mode own sends no write below a parent that is not its own, and says so', async () => {
  const { result } = await probed({ mode: 'own' });
  const skipped = result.probes.filter(({ verdict }) => verdict.kind === 'skipped');
  expect(new Set(skipped.map(({ operation }) => operation))).toEqual(new Set(['addZone', 'removeZone']));
  expect(result.probes.filter(({ verdict }) => verdict.kind === 'fail')).toEqual([]);
});
