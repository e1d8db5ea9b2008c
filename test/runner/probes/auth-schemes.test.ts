import { createInProcessTransport } from '../../../src/network/target';
import { chooseKey } from '../../../src/library/run-choices';
import type { HttpRequest, Transport } from '../../../src/core/http/message';
import { probeAuthentication } from '../../../src/runner/probes/authentication-probes';
import { callOperation } from '../../../src/runner/exchange/operation-call';
import { startRun, type Run } from '../../../src/runner/exchange/run-state';
import type { Mode, StepResult } from '../../../src/runner/result/run-result';
import { partsOfText } from '../../support/serve-text';

const KEY = 'the-right-key-1';
const OPERATION = (id: string, security: string): string => `
  /${id}:
    get:
      operationId: ${id}
      security: ${security}
      responses:
        '204': { description: ok }
        '401': { description: no, content: { application/problem+json: { schema: { type: object } } } }`;

const DOCUMENT = `openapi: 3.0.3
info: { title: Vault, version: 1.0.0 }
paths:${[
  OPERATION('header', '[{ header: [] }]'),
  OPERATION('query', '[{ query: [] }]'),
  OPERATION('cookie', '[{ cookie: [] }]'),
  OPERATION('basic', '[{ basic: [] }]'),
  OPERATION('oauth', '[{ oauth: [read] }]'),
  OPERATION('both', '[{ header: [], basic: [] }]'),
  OPERATION('either', '[{ digest: [] }, { header: [] }]'),
].join('')}
components:
  securitySchemes:
    header: { type: apiKey, in: header, name: X-Vault-Key }
    query: { type: apiKey, in: query, name: vault key }
    cookie: { type: apiKey, in: cookie, name: vault }
    basic: { type: http, scheme: basic }
    digest: { type: http, scheme: digest }
    oauth: { type: oauth2, flows: { clientCredentials: { tokenUrl: 'https://example.com', scopes: { read: Read } } } }
`;

const IDS = ['header', 'query', 'cookie', 'basic', 'oauth', 'both', 'either'];

interface Vault {
  readonly run: Run;
  readonly sent: HttpRequest[];
  readonly probe: (id: string) => Promise<StepResult[]>;
}

/** @param isOpen - lets everybody in */
async function vault(isOpen = false, mode: Mode = 'full'): Promise<Vault> {
  const { mock, api } = await partsOfText(DOCUMENT, isOpen ? { auth: 'off' } : { apiKeys: [KEY] });
  const good = createInProcessTransport(mock.engine);
  const sent: HttpRequest[] = [];
  const transport: Transport = {
    send(request) {
      sent.push(request);
      return good.send(request);
    },
  };
  const run = startRun({ version: '0', api, transport, baseUrl: 'http://localhost', apiKey: KEY, runId: 'run1', mode });
  return { run, sent, probe: (id) => probeAuthentication(run, [api.operationById(id)!]) };
}

test.each(IDS)('the key is sent so that %s lets it in, in every mode', async (id) => {
  for (const mode of ['observe', 'own', 'full'] as const) {
    const { run } = await vault(false, mode);
    expect((await callOperation(run, run.api.operationById(id)!, `/${id}`))?.status).toBe(204);
  }
});

test.each(IDS)('a server that judges credentials passes every probe of %s', async (id) => {
  const { probe } = await vault();
  const results = await probe(id);
  expect(results.length).toBeGreaterThan(3);
  expect(results.filter(({ verdict }) => verdict.kind !== 'pass')).toStrictEqual([]);
});

test.each(IDS)('a server that lets everybody in to %s is caught, and no report has the key', async (id) => {
  const { probe } = await vault(true);
  const results = await probe(id);
  const failed = results.filter(({ verdict }) => verdict.kind === 'fail').map(({ name }) => name);
  expect(failed).toEqual(expect.arrayContaining([`${id} rejects a missing key`]));
  expect(failed.some((name) => /unknown (?:key|user)/.test(name))).toBe(true);
  const shown = JSON.stringify(results);
  expect(shown).not.toContain(KEY);
  expect(shown).not.toContain(Buffer.from(`user:${KEY}`).toString('base64'));
});

test('a key is in the URL only where its scheme has it there', async () => {
  for (const id of IDS) {
    const { probe, sent } = await vault(false, 'own');
    await probe(id);
    const inUrl = sent.filter(({ target }) => target.includes('the-right-key'));
    expect({ id, isInUrl: inUrl.length > 0 }).toStrictEqual({ id, isInUrl: id === 'query' });
  }
});

test('a key with a colon is a user and a password', async () => {
  const { run, sent } = await vault();
  const key = chooseKey({ apiKey: 'ann:secret-1' }, run.api, false)!;
  await callOperation({ ...run, apiKey: key }, run.api.operationById('basic')!, '/basic');
  expect(sent[0]?.headers['authorization']).toBe(`Basic ${Buffer.from('ann:secret-1').toString('base64')}`);
});

test('a key that no cookie can carry is not sent as another one', async () => {
  const { run, sent } = await vault();
  const call = callOperation({ ...run, apiKey: 'ann:a;b' }, run.api.operationById('cookie')!, '/cookie');
  await expect(call).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('cannot be sent in a cookie'),
    hint: expect.stringContaining('%3B'),
  });
  await expect(call).rejects.not.toThrow('a;b');
  expect(sent).toStrictEqual([]);
});
