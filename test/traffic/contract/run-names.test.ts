import { exchange } from '../recorded';
import { contractOf } from './derived';

const nameAsWritten = (name: string): string | undefined => {
  const text = contractOf([
    exchange('POST /things', { sent: { name, kind: 'a' }, status: 201, answered: { id: 7, name, kind: 'a' } }),
    exchange('GET /things/7', { answered: { id: 7, name, kind: 'a' } }),
  ]);
  return /name: '([^']*\$\{runId\}[^']*)'/.exec(text)?.[1];
};

test.each([
  ['Rex', 'Rex ${runId}'],
  ['Summer sale', 'Summer sale ${runId}'],
  ['transfer', 'transfer-${runId}'],
  ['db_backup', 'db_backup-${runId}'],
  ['shop.example.', 'shop-${runId}.example.'],
  ['www.shop.example', 'www-${runId}.shop.example'],
  ['ada@shop.example', 'ada-${runId}@shop.example'],
  ['Dear ${customer}', 'Dear $${customer} ${runId}'],
  ['${runId} of yours', '$${runId} of yours ${runId}'],
  ['twenty-two letters, so🐟 and more', 'twenty-two letters, so🐟 ${runId}'],
  ['twenty-three letters it🐟 and more', 'twenty-three letters it ${runId}'],
])('of %s a run makes %s', (name, want) => {
  expect(nameAsWritten(name)).toBe(want);
});

test('a name that ends in a dollar does not hide the id of the run', () => {
  const shown = { description: 'Fine', content: { 'application/json': { schema: thing({}) } } };
  const id = { name: 'id', in: 'path', required: true, schema: { type: 'integer' } };
  const description = JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    paths: {
      '/things': {
        post: {
          operationId: 'addThing',
          requestBody: { content: { 'application/json': { schema: thing({ pattern: '^[A-Za-z0-9$]+$' }) } } },
          responses: { '201': shown },
        },
      },
      '/things/{id}': { get: { operationId: 'getThing', parameters: [id], responses: { '200': shown } } },
    },
  });
  const text = contractOf(
    [exchange('POST /things', { sent: { name: 'US$' }, status: 201, answered: { id: 7, name: 'US$' } })],
    description,
  );
  expect(text).toContain("name: 'US${runId}'");
});

function thing(name: object): object {
  return { type: 'object', properties: { id: { type: 'integer' }, name: { type: 'string', ...name } } };
}

describe('a name with dots', () => {
  const zone = { id: 'shop.example.', name: 'shop.example.', kind: 'Native' };
  const text = contractOf([
    exchange('POST /zones', {
      sent: { name: 'shop.example.', servers: ['ns1.shop.example.'] },
      status: 201,
      answered: zone,
    }),
    exchange('GET /zones/shop.example.', { answered: zone }),
    exchange('PATCH /zones/shop.example.', {
      sent: { records: [{ name: 'www.shop.example.', content: '10 mail.shop.example.' }, { name: 'myshop.example.' }] },
      status: 204,
    }),
    exchange('GET /search?q=www.shop.example.', { answered: [] }),
  ]);

  test('is that of the run in names below it as well', () => {
    expect(text).toContain("servers: ['ns1.shop-${runId}.example.']");
    expect(text).toContain("name: 'www.shop-${runId}.example.'");
    expect(text).toContain("content: '10 mail.shop-${runId}.example.'");
    expect(text).toContain("q: 'www.shop-${runId}.example.'");
  });

  test('and not in another one that ends alike', () => {
    expect(text).toContain('name: myshop.example.');
  });
});
