import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { exchange } from '../recorded';
import { contractOf } from './derived';

const ALERTMANAGER = readFileSync(join(__dirname, '../../servers/descriptions/alertmanager.yaml'), 'utf8');
const [FIRST, SECOND, OTHER] = ['3c43bda4-f900-40ff-8643-7cecae489034', '0af46231-b9ba-4f7a-a97f-d44cdb29a23a', 'ff'];
const PARCELS = `
openapi: 3.0.3
info: { title: Parcels, version: '1' }
paths:
  /parcels:
    get:
      responses:
        '200': { description: Fine, content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Parcel' } } } } }
    post:
      requestBody: { content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Parcel' } } } } }
      responses:
        '201': { description: Their keys, content: { application/json: { schema: { type: array, items: { type: string } } } } }
  /parcels/{parcelId}:
    parameters: [{ name: parcelId, in: path, required: true, schema: { type: string } }]
    get:
      responses:
        '200': { description: Fine, content: { application/json: { schema: { $ref: '#/components/schemas/Parcel' } } } }
    delete:
      responses: { '204': { description: Gone } }
components:
  schemas:
    Parcel:
      type: object
      required: [label]
      properties: { id: { type: integer, readOnly: true }, label: { type: string } }
`;
const silence = (comment: string, id?: string) => ({
  ...(id === undefined ? {} : { id }),
  matchers: [{ name: 'node', value: 'db1', isRegex: false, isEqual: true }],
  startsAt: '2026-11-24T18:37:26.988Z',
  endsAt: '2026-11-24T20:37:26.988Z',
  createdBy: 'me',
  comment,
});
const shown = (id: string) => ({ ...silence('disk is being replaced', id), status: { state: 'active' } });
const made = exchange('POST /silences', { sent: silence('disk is being replaced'), answered: { silenceID: FIRST } });
const listed = exchange('GET /silences', { answered: [shown(`${OTHER}${FIRST.slice(2)}`), shown(FIRST)] });

describe('what a response to a creation names alone', () => {
  const text = contractOf([made, listed, exchange(`GET /silence/${FIRST}`, { answered: shown(FIRST) })], ALERTMANAGER);

  test('is the key of what was made, and not that at a place of a list', () => {
    expect(text).toContain('capture: { silenceId: $response.body#/silenceID }');
    expect(text).not.toContain('$response.body#/1/id');
    expect(text).toContain("parameters: { silenceID: '${silenceId}' }");
  });

  test('is removed in the end', () => {
    expect(text).toMatch(
      /cleanup:\n {2}- name: remove the silence\n {4}operation: deleteSilence\n {4}parameters: \{ silenceID: '\$\{silenceId\}' \}/,
    );
  });

  test('is found in lists', () => {
    expect(text).toMatch(/\$contains:\n {10}id: '\$\{silenceId\}'/);
  });

  test('has the id of the run, so that a run can tell it from what others made', () => {
    expect(text).toContain("comment: 'disk is being replaced ${runId}'");
  });
});

test('a list of one that is answered with a list of one key makes an item, which a later DELETE removes', () => {
  const parcel = { id: 47, label: 'books' };
  const text = contractOf(
    [
      exchange('POST /parcels', { sent: [{ label: 'books' }], status: 201, answered: ['47'] }),
      exchange('GET /parcels', { answered: [{ id: 46, label: 'of others' }, parcel] }),
      exchange('GET /parcels/47', { answered: parcel }),
      exchange('DELETE /parcels/47', { status: 204 }),
    ],
    PARCELS,
  );
  expect(text).toContain('capture: { parcelId: $response.body#/0 }');
  expect(text.match(/capture:/g)).toHaveLength(1);
  expect(text).not.toMatch(/look up|cleanup:/);
  // The captured text is not the number that other responses show.
  expect(text).not.toContain("id: '${parcelId}'");
  expect(text).toContain("label: 'books-${runId}'");
});

test('a POST that names what the recording made changes it', () => {
  const change = { ...silence('it takes longer', FIRST), endsAt: '2026-11-24T21:37:26.988Z' };
  const text = contractOf(
    [made, exchange('POST /silences', { sent: change, answered: { silenceID: FIRST } })],
    ALERTMANAGER,
  );
  expect(text).toMatch(
    /name: change the silence\n {4}touches: own\n {4}operation: postSilence\n {4}body:\n {6}id: '\$\{silenceId\}'/,
  );
  expect(text.match(/capture:/g)).toHaveLength(1);
});

test('and where it names another one then, that is what is removed in the end', () => {
  const change = silence('it takes longer', FIRST);
  const text = contractOf(
    [
      made,
      exchange('POST /silences', { sent: change, answered: { silenceID: SECOND } }),
      exchange(`DELETE /silence/${SECOND}`),
    ],
    ALERTMANAGER,
  );
  expect(text).toContain('capture: { silenceId_2: $response.body#/silenceID }');
  expect(text).toMatch(/operation: deleteSilence\n {4}parameters: \{ silenceID: '\$\{silenceId_2\}' \}/);
  expect(text).not.toContain('cleanup:');
});

test('things that are sent together and have no key bear the id of the run, and are said to stay', () => {
  const alert = { labels: { alertname: 'DiskFull', node: 'db1' }, annotations: { summary: 'full' } };
  const text = contractOf([exchange('POST /alerts', { sent: [alert] })], ALERTMANAGER);
  expect(text).toContain('leaves: the description has no way to remove an alert');
  expect(text).toContain("labels: { alertname: 'DiskFull ${runId}', node: db1 }");
});
