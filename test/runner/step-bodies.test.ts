import { symlinkSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { createMockServer } from '../../src/library/create-mock-server';
import { runContract } from '../../src/library/run-contract';
import { StandinError } from '../../src/core/errors/standin-error';
import type { HttpRequest } from '../../src/core/http/message';
import { temporaryFolder } from '../support/temporary-folder';
import { cannedTransport } from './peer';

const folder = temporaryFolder();
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0xff, 0x00]);
folder.write('contracts/photos/rex.png', PNG);
folder.write('outside.png', PNG);
symlinkSync(folder.file('outside.png'), folder.file('contracts/photos/link.png'));

const DESCRIPTION = folder.write(
  'openapi.yaml',
  `openapi: 3.0.3
info: { title: Uploads, version: '1' }
paths:
  /photos:
    post:
      operationId: upload
      requestBody:
        required: true
        content:
          multipart/form-data:
            schema:
              type: object
              required: [caption, photo]
              properties:
                caption: { type: string }
                tags: { type: array, items: { type: string } }
                meta: { type: object, properties: { width: { type: integer } } }
                photo: { type: string, format: binary }
            encoding: { photo: { contentType: image/png } }
      responses: { '201': { description: made } }
  /tokens:
    post:
      operationId: token
      requestBody:
        required: true
        content:
          application/x-www-form-urlencoded:
            schema:
              type: object
              required: [grant_type]
              properties:
                grant_type: { type: string }
                scope: { type: array, items: { type: string } }
                card: { type: object, properties: { name: { type: string } } }
            encoding: { card: { style: deepObject, explode: true } }
      responses: { '200': { description: good } }
  /profile:
    patch:
      operationId: change
      requestBody:
        content:
          application/json-patch+json: { schema: {} }
          application/merge-patch+json: { schema: {} }
      responses: { '204': { description: changed } }
    put:
      operationId: set
      requestBody:
        content:
          application/json: { schema: {} }
          application/json-patch+json: { schema: {} }
      responses: { '204': { description: changed } }
  /avatar:
    put:
      operationId: avatar
      requestBody: { required: true, content: { image/png: { schema: { type: string, format: binary } } } }
      responses: { '204': { description: kept } }
`,
);

function contract(...lines: string[]): string {
  const step = lines.map((line, index) => `${index === 0 ? '  - ' : '    '}${line}`);
  return folder.write(
    'contracts/uploads.yaml',
    ['standin: contract/1', 'name: Uploads', 'steps:', ...step, ''].join('\n'),
  );
}

async function sentBy(...lines: string[]): Promise<HttpRequest> {
  const transport = cannedTransport({ status: 200, headers: [], body: undefined });
  const options = { description: DESCRIPTION, contracts: contract(...lines), probesAuth: false };
  await runContract({ baseUrl: 'http://127.0.0.1:1', ...options, transport });
  return transport.sent[0]!;
}

const UPLOAD = [
  'operation: upload',
  'multipart:',
  '  caption: Rex of ${runId}',
  '  tags: [dog, brown]',
  '  meta: { value: { width: 300 } }',
  '  photo: { file: photos/rex.png, filename: "a \\"b\\".png" }',
  'expect: { status: 201 }',
];

test('parts are sent with their names, types and files, octets as they are', async () => {
  const { headers, body } = await sentBy(...UPLOAD);
  const boundary = /^multipart\/form-data; boundary=(standin-[0-9a-f]+)$/.exec(headers['content-type'] as string)![1]!;
  const text = Buffer.from(body).toString('latin1');
  const parts = text.split(`--${boundary}`).map((part) => part.trim());
  expect(parts[1]).toMatch(/^Content-Disposition: form-data; name="caption"\r\n\r\nRex of \w{8}$/);
  expect(parts.slice(2, 5)).toEqual([
    'Content-Disposition: form-data; name="tags"\r\n\r\ndog',
    'Content-Disposition: form-data; name="tags"\r\n\r\nbrown',
    'Content-Disposition: form-data; name="meta"\r\nContent-Type: application/json\r\n\r\n{"width":300}',
  ]);
  expect(parts[5]).toContain('name="photo"; filename="a %22b%22.png"\r\nContent-Type: image/png\r\n\r\n');
  expect(Buffer.from(body).includes(Buffer.from(PNG))).toBe(true);
  expect(parts.at(-1)).toBe('--');
});

test('the mock takes what is sent: parts, forms, files, and a body in the form of its operation', async () => {
  const app = await createMockServer({ description: DESCRIPTION });
  const steps = [
    UPLOAD,
    ['operation: upload', 'body: { caption: Rex, photo: x }', 'expect: { status: 201 }'],
    ['operation: token', 'form: { grant_type: a&b, scope: [x, y], card: { name: Ada } }', 'expect: { status: 200 }'],
    ['operation: token', 'body: { grant_type: password }', 'expect: { status: 200 }'],
    ['operation: avatar', 'file: photos/rex.png', 'expect: { status: 204 }'],
  ];
  for (const lines of steps) {
    const result = await runContract({ app, description: DESCRIPTION, contracts: contract(...lines) });
    expect({ lines, outcome: result.outcome }).toEqual({ lines, outcome: 'conforms' });
  }
});

test.each([
  ['change', '{ name: Ada }', 'application/merge-patch+json'],
  ['change', '[{ op: add, path: /name, value: Ada }]', 'application/json-patch+json'],
  ['change', '[{ name: Ada }]', 'application/merge-patch+json'],
  ['set', '[{ name: Ada }]', 'application/json'],
  ['set', '[{ op: remove, path: /name }]', 'application/json-patch+json'],
])('%s with the body %s sends it as %s', async (operation, body, contentType) => {
  const { headers } = await sentBy(`operation: ${operation}`, `body: ${body}`, 'expect: { status: 204 }');
  expect(headers['content-type']).toBe(contentType);
});

test('a form is written as the description says', async () => {
  const { headers, body } = await sentBy(
    'operation: token',
    'form: { grant_type: "a b&c", scope: [x, y], card: { name: Ada }, other: { deep: [1] } }',
    'expect: { status: 200 }',
  );
  expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
  expect(Buffer.from(body).toString()).toBe(
    'grant_type=a+b%26c&scope=x&scope=y&card%5Bname%5D=Ada&other=%7B%22deep%22%3A%5B1%5D%7D',
  );
});

test.each([
  ['photos/none.png', 'does not exist'],
  ['../outside.png', 'is outside the folder of the contract'],
  ['/etc/hostname', 'is outside the folder of the contract'],
  ['photos/link.png', 'is a link that leads out of the folder of the contract'],
  ['photos', 'is not a file'],
  ['photos/huge.bin', 'has 40000000 bytes'],
])('the file %s is refused before anything is sent: it %s', async (path, says) => {
  truncateSync(folder.write('contracts/photos/huge.bin', ''), 40_000_000);
  const transport = cannedTransport({ status: 204 });
  const contracts = contract('operation: avatar', `file: ${path}`, 'expect: { status: 204 }');
  const options = { description: DESCRIPTION, contracts, transport };
  const error: unknown = await runContract({ baseUrl: 'http://127.0.0.1:1', ...options }).catch(
    (thrown: unknown) => thrown,
  );
  expect(transport.sent).toEqual([]);
  if (!(error instanceof StandinError)) throw new Error('it was not refused');
  const [finding] = error.findings;
  expect(finding).toMatchObject({ file: join(folder.path, 'contracts', 'uploads.yaml'), line: 5, column: 5 });
  expect(finding!.message).toContain(`The file "${path}" ${says}`);
});

test.each([
  [
    ['multipart: { photo: { fil: a } }'],
    'The part has neither a file nor a value',
    '{ file: photo.png } or { value: … }',
  ],
  [
    ['multipart: { photo: { file: photos/rex.png, typ: image/png } }'],
    'Unknown key "typ"',
    'one of file, type, filename',
  ],
  [
    ['multipart: { photo: { file: photos/rex.png, type: png } }'],
    '"type" must be a media type such as image/png, got the string "png"',
    undefined,
  ],
  [['form: [a]'], '"form" must be an object: the names of the fields, and their values, got an array', undefined],
  [['form: { a: 1 }', 'file: photos/rex.png'], 'The step has both "form" and "file"', 'one of the two'],
])('%j is refused', async (lines, message, expected) => {
  const contracts = contract('operation: upload', ...lines, 'expect: { status: 201 }');
  const error: unknown = await runContract({
    baseUrl: 'http://127.0.0.1:1',
    description: DESCRIPTION,
    contracts,
  }).catch((thrown: unknown) => thrown);
  expect((error as StandinError).findings).toMatchObject([{ message, expected, line: expect.any(Number) as number }]);
});
