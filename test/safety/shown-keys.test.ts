import { readFileSync } from 'node:fs';
import { runContract } from '../../src/library/run-contract';
import { formatReport, REPORT_KINDS } from '../../src/report/registry';
import { allSteps } from '../../src/runner/result/outcome';
import { describe as sketch, openOther, type OtherService } from './other-service';
import { type TemporaryFolder, temporaryFolder } from '../support/temporary-folder';

const KEY = 's3cret-KEY-0001';
const CONTRACT = `standin: contract/1
name: tokens
steps:
  - operation: makeToken
    body: { name: 'Token \${runId}' }
    expect: { status: 201 }
  - name: touch a token of somebody else
    operation: replaceToken
    parameters: { tokenId: '${KEY}' }
    body: {}
    expect: { status: 200 }
`;

let folder: TemporaryFolder;
let service: OtherService;
beforeEach(async () => {
  folder = temporaryFolder();
  service = await openOther((line) => {
    if (line.startsWith('POST')) return { status: 201, body: { tokenId: `tok-${KEY}` } };
    return line.startsWith('GET') ? { status: 200, body: { tokenId: `tok-${KEY}` } } : { status: 500 };
  });
});
afterEach(async () => {
  await service.close();
  folder.remove();
});

test('a key that a service makes an address of is in nothing that is shown; the ledger keeps the address', async () => {
  const description = folder.write(
    'openapi.json',
    sketch(
      [
        { id: 'makeToken', at: 'POST /tokens', statuses: [201], takesBody: true },
        { id: 'getToken', at: 'GET /tokens/{tokenId}', statuses: [200, 404] },
        { id: 'replaceToken', at: 'PUT /tokens/{tokenId}', statuses: [200], takesBody: true },
        { id: 'removeToken', at: 'DELETE /tokens/{tokenId}', statuses: [204] },
      ],
      { type: 'string' },
    ),
  );
  const ledger = folder.file('run.ndjson');
  const contracts = folder.write('contract.yaml', CONTRACT);
  const result = await runContract({
    ...{ baseUrl: service.url, description, contracts, mode: 'own', apiKey: KEY, retries: 0, ledger },
  });
  expect(result.leftBehind.map(({ url }) => url)).toEqual([`${service.url}/tokens/tok-$STANDIN_API_KEY`]);
  expect(allSteps(result)[1]?.verdict.kind).toBe('skipped');
  for (const kind of REPORT_KINDS) expect([kind, formatReport(kind, result).includes(KEY)]).toEqual([kind, false]);
  expect(JSON.stringify(result)).not.toContain(KEY);
  expect(readFileSync(ledger, 'utf8')).toContain(`/tokens/tok-${KEY}`);
});
