import type { JsonObject } from '../../../src/core/json/json-value';
import type { Rules } from '../../../src/mock/rules/rules';
import { smallMock, type SmallMock } from '../behaviours/small-mock';

const json = (name: string): string =>
  `content: { application/json: { schema: { $ref: '#/components/schemas/${name}' } } }`;
const list = (name: string): string =>
  `content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/${name}' } } } }`;

function crud(path: string, name: string, ...keys: string[]): string {
  const parameters = keys.map((key) => `{ name: ${key}, in: path, required: true, schema: { type: integer } }`);
  return `
  ${path}:
    parameters: [${parameters.slice(0, -1).join(', ')}]
    get: { responses: { '200': { description: ok, ${list(name)} } } }
    post: { requestBody: { ${json(name)} }, responses: { '201': { description: new, ${json(name)} } } }
  ${path}/{${keys.at(-1)}}:
    parameters: [${parameters.join(', ')}]
    get: { responses: { '200': { description: ok, ${json(name)} } } }
    put: { requestBody: { ${json(name)} }, responses: { '200': { description: ok, ${json(name)} }, '201': { description: new, ${json(name)} } } }
    delete: { operationId: remove${name}, responses: { '204': { description: gone } } }`;
}

/** Rooms have shelves, which are kept beside them; shelves have books, and those have notes. */
const DESCRIPTION = `paths:${crud('/rooms', 'Room', 'room')}${crud('/shelves', 'Shelf', 'shelf')}
${crud('/shelves/{shelf}/books', 'Book', 'shelf', 'book')}${crud('/shelves/{shelf}/books/{book}/notes', 'Note', 'shelf', 'book', 'note')}
components:
  schemas:
    Room: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, locked: { type: boolean } } }
    Shelf: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, roomId: { type: integer } } }
    Book: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
    Note: { type: object, required: [id], properties: { id: { type: integer, readOnly: true }, name: { type: string } } }
`;

/** A room takes its shelves with it. */
const RULES: Rules = {
  standin: 'rules/1',
  operations: {
    removeRoom(event) {
      const { before, store } = event;
      for (const shelf of store.find('/shelves', 'roomId', before?.['id'] ?? 0)) store.remove('/shelves', shelf['id']);
      if (before?.['locked'] === true) event.refuse(409, 'locked', 'The room is locked');
    },
  },
};

async function library(room: JsonObject): Promise<SmallMock> {
  const mock = smallMock(DESCRIPTION, { rules: RULES });
  const posts: readonly [string, JsonObject][] = [
    ['/rooms', room],
    ['/shelves', { roomId: 1 }],
    ['/shelves', { roomId: 2 }],
    ['/shelves/1/books', { name: 'Emma' }],
    ['/shelves/2/books', { name: 'Persuasion' }],
    ['/shelves/1/books/1/notes', { name: 'read' }],
  ];
  for (const [path, body] of posts) expect((await mock.send('POST', path, body)).status).toBe(201);
  return mock;
}

test('what lies below an item that a rule removes goes with it, as it does with a DELETE', async () => {
  const [byRule, byRequest] = [await library({}), await library({})];
  expect((await byRule.send('DELETE', '/rooms/1')).status).toBe(204);
  expect((await byRequest.send('DELETE', '/shelves/1')).status).toBe(204);
  expect((await byRequest.send('DELETE', '/rooms/1')).status).toBe(204);
  expect(byRule.stateText()).toBe(byRequest.stateText());
  expect((await byRule.send('PUT', '/shelves/1', {})).status).toBe(201);
  expect((await byRule.send('GET', '/shelves/1/books')).body).toEqual([]);
  expect((await byRule.send('PUT', '/shelves/1/books/1', { name: 'again' })).status).toBe(201);
  expect((await byRule.send('GET', '/shelves/1/books/1/notes')).body).toEqual([]);
  expect((await byRule.send('GET', '/shelves/2/books')).body).toHaveLength(1);
});

test('it comes back with the item when the rule refuses after all', async () => {
  const { send, stateText } = await library({ locked: true });
  const before = stateText();
  expect((await send('DELETE', '/rooms/1')).status).toBe(409);
  expect(stateText()).toBe(before);
});
