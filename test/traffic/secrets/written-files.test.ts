import { readdirSync, readFileSync } from 'node:fs';
import { writeContractFromTraffic } from '../../../src/library/contract-from-traffic';
import type { RecordedExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { exchangeLine } from '../../../src/traffic/exchange/recording-lines';
import { emptyApi } from '../../../src/traffic/secrets/exchange-operation';
import { createSecretVault } from '../../../src/traffic/secrets/secret-vault';
import { temporaryFolder } from '../../support/temporary-folder';
import { recorded } from './recorded';

const folder = temporaryFolder();

const LINES = Array.from({ length: 4 }, (_, index) => `MIIEowIBAAKCAQEA${'Qz7Lk2Vt9Xw4'.repeat(3)}${index}`).join('\n');
const pem = (kind: string, head = ''): string => `-----BEGIN ${kind}-----\n${head}${LINES}\n-----END ${kind}-----\n`;

/** Names, and values that must be in no file. */
const KINDS: Readonly<Record<string, readonly [name: string, value: string]>> = {
  'a private key': ['note', pem('PRIVATE KEY')],
  'an encrypted private key': [
    'blob',
    pem('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,0A1B\n\n'),
  ],
  'a private key with escaped line feeds': ['note', pem('EC PRIVATE KEY').replaceAll('\n', '\\n')],
  'a one-time code': ['otp', '493817'],
  'a one-time code with letters': ['verification_code', 'G7K2-9QX4'],
  'a session': ['sessionId', '0b5e7c1e-6a0f-4a53-9a0b-8f2f6f4b1c11'],
  'another session': ['session_id', 'user-session-77120'],
  'a short session': ['sid', 's1a2b3c4'],
  'a password': ['password', 'hunter two 2'],
  'a card': ['number', '4111111111111111'],
  'a card with spaces': ['pan', '5500 0055 5555 5559'],
  'a card with dashes': ['text', '6011-0009-9013-9424'],
  'a card of fifteen digits': ['memo', '3782 822463 10005'],
};

const FORM = 'application/x-www-form-urlencoded';
const MULTIPART = 'multipart/form-data; boundary=b';
const encoded = encodeURIComponent;
const pair = (name: string, value: string): string => `${name}=${encoded(value)}`;
const json = (name: string, value: string): string => JSON.stringify({ kind: 'x', [name]: value });
const part = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n--b--\r\n`;
const oneLine = (value: string): string => value.replaceAll('\n', '\\n');
const post = (body: unknown, type?: string): RecordedExchange =>
  recorded({ method: 'POST', body, ...(type === undefined ? {} : { type }) }, { status: 201, body: { id: 1 } });

type Place = (name: string, value: string) => RecordedExchange;

const PLACES: Readonly<Record<string, Place>> = {
  'a query': (name, value) => recorded({ target: `/things?a=b&${pair(name, value)}` }, { body: [] }),
  'JSON in a query': (name, value) => recorded({ target: `/things?${pair('q', json(name, value))}` }, { body: [] }),
  'a form in a query': (name, value) => recorded({ target: `/things?${pair('q', pair(name, value))}` }, { body: [] }),
  JSON: (name, value) => post({ a: [{ [name]: value }] }),
  'a list in JSON': (name, value) => post({ [name]: [value] }),
  'JSON in JSON': (name, value) => post({ data: json(name, value) }),
  'JSON in JSON in JSON': (name, value) => post({ data: JSON.stringify({ data: json(name, value) }) }),
  'a form in JSON': (name, value) => post({ data: `a=b&${pair(name, value)}` }),
  'a form': (name, value) => post(`a=b&${pair(name, value)}`, FORM),
  'a nested name of a form': (name, value) => post(`a=b&${pair(`user[${name}]`, value)}`, FORM),
  'JSON in a form': (name, value) => post(`a=b&${pair('payload', json(name, value))}`, FORM),
  'a form in a form': (name, value) => post(`a=b&${pair('payload', pair(name, value))}`, FORM),
  'a part': (name, value) => post(part(name, value), MULTIPART),
  'JSON in a part': (name, value) => post(part('payload', json(name, value)), MULTIPART),
  'a form in a part': (name, value) => post(part('payload', pair(name, value)), MULTIPART),
  'a header': (name, value) => recorded({ headers: [`X-${name}`, oneLine(value)] }, { body: [] }),
  'JSON in a header': (name, value) => recorded({ headers: ['X-Payload', json(name, value)] }, { body: [] }),
  'a response': (name, value) => recorded({}, { body: [{ [name]: value }] }),
  'JSON in a response': (name, value) => recorded({}, { body: { data: json(name, value) } }),
  'a header of a response': (name, value) => recorded({}, { body: [], headers: [`X-${name}`, oneLine(value)] }),
  'a line of JSON': (name, value) => post(`{"a":1}\n${json(name, value)}\n`, 'application/x-ndjson'),
  'an address in a header': (name, value) =>
    recorded({ method: 'POST' }, { status: 201, headers: ['Location', `https://a.example/b?${pair(name, value)}`] }),
};

/** All that is written of exchanges: the recording, the contract, what it was made as, and the description. */
async function filesOf(exchanges: readonly RecordedExchange[], name: string): Promise<string> {
  const vault = createSecretVault({ api: emptyApi() });
  const clean = vault.cleanAll(exchanges);
  const out = folder.file(`${name}/out.yaml`);
  await writeContractFromTraffic({ exchanges: clean, vault, out });
  const written = readdirSync(folder.file(name), { recursive: true, withFileTypes: true }).filter((each) =>
    each.isFile(),
  );
  expect(written.map((each) => each.name)).toEqual(expect.arrayContaining(['out.yaml', 'out.generated']));
  return [
    ...clean.map((each) => exchangeLine(each, vault.uses())),
    ...written.map((each) => readFileSync(`${each.parentPath}/${each.name}`, 'utf8')),
  ].join('\n');
}

/** A text without its escapes: what an escaped secret would be found in. */
function unescaped(text: string): string {
  const decoded = text.replace(/(?:%[\da-f]{2})+/gi, (run) => Buffer.from(run.replaceAll('%', ''), 'hex').toString());
  return decoded.replace(/\\+(["n])/g, (_, letter: string) => (letter === 'n' ? '\n' : letter)).replaceAll('+', ' ');
}

describe.each(Object.entries(PLACES))('no file has what stands in %s', (place, make) => {
  test('as a secret of any kind', async () => {
    const kinds = Object.entries(KINDS);
    const exchanges = kinds.map(([, [name, value]]) => make(name, value));
    const text = unescaped(await filesOf(exchanges, place.replaceAll(' ', '-')));
    const left = kinds.filter(([, [, value]]) => {
      const core = /BEGIN/.test(value) ? LINES.slice(0, 30) : value;
      return text.includes(core) || text.includes(unescaped(core));
    });
    expect(left.map(([kind]) => kind)).toEqual([]);
  });
});

test.each([
  ['a form', `grant_type=authorization_code&code=ab12`, FORM],
  ['JSON', '{"grant_type":"authorization_code","code":"ab12"}', 'application/json'],
  ['parts', `${part('grant_type', 'x').replace('--b--\r\n', '')}${part('code', 'ab12')}`, MULTIPART],
])('a code beside grant_type is in no file: %s', async (name, body, type) => {
  expect(await filesOf([post(body, type)], `grant-${name}`)).not.toContain('ab12');
});

test('codes, ids and numbers that are no secrets stay', () => {
  const body = {
    ...{ code: 'EUR', country_code: 'DE', status_code: 4021, zip: '80331', coupon: { code: 'SUMMER24' } },
    ...{ createdAt: 1_735_689_600_004, id: 4_539_578_763_621_486, sessionId: 77, sku: '4111111111111111' },
    ...{ amount: '4111.1111111111', isbn: '9783161484100' },
  };
  const vault = createSecretVault({ api: emptyApi() });
  const { request } = vault.clean(post(body));
  expect(request.body).toEqual({ kind: 'text', text: JSON.stringify(body) });
});

test('a file that holds a key or the number of a card is not written', () => {
  const vault = createSecretVault({ api: emptyApi() });
  const block = `key: |\n${pem('PRIVATE KEY').replace(/^/gm, '  ')}`;
  for (const text of [block, 'pan: 5500 0055 5555 5559'])
    expect(() => {
      vault.assertClean('x.yaml', text);
    }).toThrow('would hold the secret');
  vault.assertClean('x.yaml', 'id: 5500005555555559');
});
