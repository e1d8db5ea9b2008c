import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import request from 'supertest';
import { createMockServer } from '../../src/library/create-mock-server';
import { checkDescription } from '../../src/library/check-description';
import { StandinError } from '../../src/core/errors/standin-error';

const HEAD = 'openapi: 3.1.0\ninfo: { title: Notes, version: 1.0.0 }\n';
const NOTES = `${HEAD}paths:
  /notes:
    get: { responses: { '200': { description: ok, content: { application/json: { schema: { type: array, items: { $ref: 'REFERENCE' } } } } } } }
`;

/** What a server shows at its paths; a status may stand before. */
const SHOWN: Readonly<Record<string, string>> = {
  '/openapi.yaml': NOTES.replace('REFERENCE', 'parts/note.yaml'),
  '/parts/note.yaml': 'type: object\nproperties: { text: { const: hello } }\nrequired: [text]\n',
  '/elsewhere.yaml': NOTES.replace('REFERENCE', 'http://schemas.example.com/note.yaml'),
  '/files.yaml': NOTES.replace('REFERENCE', 'file:///etc/hostname'),
  '/moved.yaml': '302 /openapi.yaml',
  '/away.yaml': '302 http://schemas.example.com/openapi.yaml',
  '/page.yaml': '<html><body>Not here</body></html>',
  '/slip.yaml': `${HEAD}paths:\n  /notes: { get: { respones: {} } }\n`,
};

let server: Server;
let base: string;
beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const text = SHOWN[url] ?? '404 ';
    const [, status, location] = /^(\d{3}) (.*)$/.exec(text) ?? [];
    if (status === undefined) response.end(text);
    else response.writeHead(Number(status), location === '' ? {} : { location }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
});
afterAll(() => {
  server.close();
});

async function failureOf(path: string): Promise<string> {
  const error: unknown = await createMockServer({ description: base + path, strict: true }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof StandinError)) throw new Error(`no refusal of ${path}`);
  return [error.code, error.message, ...error.findings.map(({ message }) => message)].join('; ');
}

test.each(['/openapi.yaml', '/moved.yaml'])(
  'a description is served from its address %s, with what is beside it',
  async (path) => {
    const app = await createMockServer({ description: base + path });
    const { body } = await request(app).get('/notes').expect(200);
    expect(body).toContainEqual({ text: 'hello' });
  },
);

test.each([
  ['/none.yaml', 'SPEC_UNREADABLE', 'it returned 404'],
  ['/away.yaml', 'SPEC_UNREADABLE', 'it is redirected to schemas.example.com, which was not allowed'],
  ['/page.yaml', 'SPEC_', ''],
  ['/elsewhere.yaml', 'SPEC_INVALID', 'it is not allowed to ask schemas.example.com'],
  ['/files.yaml', 'SPEC_INVALID', 'A remote document cannot lead to a file of this machine'],
])('%s is refused', async (path, code, why) => {
  const failure = await failureOf(path);
  expect(failure).toContain(code);
  expect(failure).toContain(why);
});

test('what is wrong is told of the address, at its line', async () => {
  const { file, findings } = await checkDescription({ description: `${base}/slip.yaml` });
  expect(file).toBe(`${base}/slip.yaml`);
  expect(findings).toContainEqual(expect.objectContaining({ file: `${base}/slip.yaml`, line: 4 }));
});

test('nobody there', async () => {
  const error: unknown = await createMockServer({ description: 'http://127.0.0.1:1/openapi.json' }).catch(
    (reason: unknown) => reason,
  );
  expect(error).toMatchObject({ code: 'SPEC_UNREADABLE', message: expect.stringContaining('ECONNREFUSED') as string });
});
