import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeContractFromTraffic } from '../../../src/library/contract-from-traffic';
import { runContract } from '../../../src/library/run-contract';
import { createVault } from '../../../src/library/record-tools';
import { allSteps } from '../../../src/runner/result/outcome';
import { closeAll, record } from '../../recorder/recorder';
import { startServer } from '../../support/server';
import { temporaryFolder } from '../../support/temporary-folder';
import { exchange } from '../recorded';
import { derivedFrom } from './derived';

const GALLERY = `openapi: 3.0.3
info: { title: Gallery, version: 1.0.0 }
paths:
  /albums:
    post:
      operationId: addAlbum
      requestBody:
        content:
          application/x-www-form-urlencoded: { schema: { $ref: '#/components/schemas/Album' } }
      responses:
        '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Album' } } } }
  /albums/{albumId}:
    parameters: [{ name: albumId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getAlbum
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Album' } } } }
    delete: { operationId: removeAlbum, responses: { '204': { description: ok } } }
  /photos:
    post:
      operationId: addPhoto
      requestBody:
        content:
          multipart/form-data:
            schema:
              type: object
              required: [albumId, image]
              properties:
                albumId: { type: integer }
                caption: { type: string }
                tags: { type: array, items: { type: string } }
                place: { type: object, properties: { lat: { type: number } } }
                image: { type: string, format: binary }
      responses:
        '201': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Photo' } } } }
  /photos/{photoId}:
    parameters: [{ name: photoId, in: path, required: true, schema: { type: integer } }]
    get:
      operationId: getPhoto
      responses:
        '200': { description: ok, content: { application/json: { schema: { $ref: '#/components/schemas/Photo' } } } }
    delete: { operationId: removePhoto, responses: { '204': { description: ok } } }
components:
  schemas:
    Album:
      type: object
      required: [title]
      properties: { id: { type: integer, readOnly: true }, title: { type: string } }
    Photo:
      type: object
      required: [id, albumId]
      properties:
        id: { type: integer }
        albumId: { type: integer }
        caption: { type: string }
`;
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);

afterEach(closeAll);
const folder = temporaryFolder();

async function recordedUploads(file: string): Promise<string> {
  const description = folder.write('gallery.yaml', GALLERY);
  const mock = await startServer({ description, state: 'empty' });
  const proxy = await record(mock.url);
  const send = async (path: string, init: RequestInit = {}): Promise<{ id: number }> => {
    return (await (await fetch(`${proxy.url}${path}`, init)).json()) as { id: number };
  };
  const album = await send('/albums', { method: 'POST', body: new URLSearchParams({ title: 'Summer at the lake' }) });
  await send(`/albums/${album.id}`);
  const form = new FormData();
  form.set('albumId', String(album.id));
  form.set('caption', 'Boat');
  form.append('tags', 'water');
  form.append('tags', 'wood');
  form.set('place', new Blob(['{"lat":48.2}'], { type: 'application/json' }));
  form.set('image', new Blob([PIXEL], { type: 'image/png' }), 'my boat.png');
  const photo = await send('/photos', { method: 'POST', body: form });
  await send(`/photos/${photo.id}`);
  const vault = createVault(undefined, {});
  const exchanges = vault.cleanAll(proxy.exchanges);
  await writeContractFromTraffic({ exchanges, vault, out: file, description });
  await mock.close();
  return readFileSync(file, 'utf8');
}

test('forms and files are sent again as they were, and carry values on', async () => {
  const file = folder.file('contracts/gallery.yaml');
  const text = await recordedUploads(file);
  expect(text).toMatch(/form:\n? *\{? ?title: 'Summer at the lake \$\{runId\}'/);
  expect(text).toContain("albumId: '${albumId}'");
  expect(text).toMatch(/tags: \[\s*water,\s*wood\s*\]/);
  expect(text).toMatch(/value: \{ lat: 48\.2 \}/);
  expect(text).toMatch(/file: gallery\.files\/my-boat\.png\s*,?\s*type: image\/png\s*,?\s*filename: my boat\.png/);
  expect(readFileSync(join(folder.path, 'contracts/gallery.files/my-boat.png'))).toEqual(PIXEL);
  expect(text).not.toContain('pending');

  const mock = await startServer({ description: folder.file('gallery.yaml'), state: 'empty' });
  const result = await runContract({
    contracts: file,
    description: folder.file('gallery.yaml'),
    baseUrl: mock.url,
    mode: 'own',
    probesAuth: false,
  });
  await mock.close();
  const verdicts = allSteps(result).map(({ name, verdict }) => [name, verdict.kind]);
  expect(verdicts.filter(([, kind]) => kind !== 'pass')).toEqual([]);
  expect(result.outcome).toBe('conforms');
});

describe('a step whose file nobody can write is pending, with the reason', () => {
  const upload = (file: string) =>
    exchange('POST /photos', {
      headers: { 'Content-Type': 'multipart/form-data; boundary=b' },
      sent: `--b\r\nContent-Disposition: form-data; name="image"; filename="a.txt"\r\n\r\n${file}\r\n--b--\r\n`,
      status: 201,
      answered: { id: 1, albumId: 2 },
    });

  test.each([
    ['where there is no place for files', 'plain', undefined, 'its part image is a file'],
    ['where it holds a secret', 'key: ~secret.api_key~', 'x.files', 'its part image is a file that holds a secret'],
  ])('%s', (_, content, filesFolder, reason) => {
    const { draft, notes, files } = derivedFrom([upload(content)], GALLERY, filesFolder);
    expect(JSON.stringify(draft.value)).toContain(`"pending":"the recording holds no body for it: ${reason}"`);
    expect(notes.join('\n')).toContain(reason);
    expect(files).toEqual([]);
  });

  test('and it is a file where it can be, under one name for the same bytes and others for others', () => {
    const { files } = derivedFrom([upload('one'), upload('one'), upload('two')], GALLERY, 'x.files');
    expect(files.map(({ path, bytes }) => [path, Buffer.from(bytes).toString()])).toEqual([
      ['x.files/a.txt', 'one'],
      ['x.files/a-2.txt', 'two'],
    ]);
  });
});

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\temp\\.env', 'env'],
  ['...', 'file'],
  ['Ünï cödé.JPEG', 'n-c-d-.JPEG'],
])('a file that was called %s leads nowhere else', (name, safe) => {
  const sent = `--b\r\nContent-Disposition: form-data; name="image"; filename="${name.replaceAll('\\', '\\\\')}"\r\n\r\nx\r\n--b--\r\n`;
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b' };
  const { files } = derivedFrom(
    [exchange('POST /photos', { headers, sent, status: 201, answered: { id: 1, albumId: 2 } })],
    GALLERY,
    'x.files',
  );
  expect(files.map(({ path }) => path)).toEqual([`x.files/${safe}`]);
});
