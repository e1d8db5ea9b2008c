import supertest from 'supertest';
import { checkDescription } from '../../../src/library/check-description';
import { createMockServer } from '../../../src/library/create-mock-server';
import { getMany, getOne } from '../get-with-example';
import { temporaryFolder } from '../../support/temporary-folder';

const folder = temporaryFolder();
const PARAMETERS = `
      - { name: shelfId, in: path, required: true, schema: { type: integer }, example: 7 }
      - { name: bookId, in: path, required: true, schema: { type: integer } }`;
const description = folder.write(
  'library.yaml',
  `openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /shelves:
    ${getMany('Shelf', '[{ id: 7 }, { id: 8 }, { id: 9 }]')}
  /shelves/{shelfId}:
    parameters: [{ name: shelfId, in: path, required: true, schema: { type: integer } }]
    ${getOne('Shelf', '{ id: 9, label: 4 }')}
  /shelves/{shelfId}/books:
    parameters: [{ name: shelfId, in: path, required: true, schema: { type: integer } }]
    ${getMany('Book', '[{ id: 1, title: Emma, shelfId: 8 }, { id: 2, title: Ode, shelfId: 99 }]')}
  /shelves/{shelfId}/books/{bookId}:
    parameters:${PARAMETERS}
    ${getOne('Book', '{ id: 3, title: Persuasion }')}
  /authors:
    ${getMany('Author', '[{ id: 1, name: Jane }]')}
  /authors/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: integer } }]
    ${getOne('Author', '{ id: 1, name: Anne }')}
components:
  schemas:
    Shelf: { type: object, required: [id], properties: { id: { type: integer }, label: { type: string } } }
    Book: { type: object, required: [id, title], properties: { id: { type: integer }, title: { type: string }, shelfId: { type: integer } } }
    Author: { type: object, required: [id, name], properties: { id: { type: integer }, name: { type: string } } }
`,
);

test('an example lies in the collection that its members or the examples of its path tell', async () => {
  const server = supertest(await createMockServer({ description }));
  await server.get('/shelves/8/books').expect(200, [{ id: 1, title: 'Emma', shelfId: 8 }]);
  await server.get('/shelves/7/books').expect(200, [{ id: 3, title: 'Persuasion', shelfId: 7 }]);
});

test('an example below an item that is not there is in no collection', async () => {
  const server = supertest(await createMockServer({ description, strictParents: true }));
  await server.get('/shelves/99/books').expect(404);
});

test('what examples show below a variable that nothing keeps is in the exported state', async () => {
  const teas = folder.write(
    'teas.yaml',
    `openapi: 3.0.3
info: { title: Teas, version: 1.0.0 }
paths:
  /houses/{house}/teas:
    parameters: [{ name: house, in: path, required: true, schema: { type: string } }]
    ${getMany('Tea', '[{ id: 1, house: north }]')}
  /houses/{house}/teas/{id}:
    parameters:
      - { name: house, in: path, required: true, schema: { type: string } }
      - { name: id, in: path, required: true, schema: { type: integer } }
    ${getOne('Tea')}
components:
  schemas:
    Tea: { type: object, required: [id, house], properties: { id: { type: integer }, house: { type: string } } }
`,
  );
  const server = supertest(await createMockServer({ description: teas }));
  await server.get('/houses/north/teas/1').expect(200, { id: 1, house: 'north' });
  const { text } = await server.get('/__standin/state').expect(200);
  expect(JSON.parse(text)).toMatchObject({ collections: { '/houses/north/teas': [{ id: 1, house: 'north' }] } });
});

test('check tells which examples contradict each other, and which are no items', async () => {
  const { findings } = await checkDescription({ description });
  const seeds = findings.filter(({ rule }) => rule.startsWith('seed-'));
  expect(seeds).toMatchObject([
    { rule: 'seed-example', severity: 'warning', message: expect.stringContaining('/label') },
    {
      rule: 'seed-contradiction',
      severity: 'warning',
      expected: '"Jane"',
      message: expect.stringContaining('The property "name" of /authors 1 differs'),
    },
  ]);
});
