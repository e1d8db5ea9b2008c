import { loadApi } from '../../src/adapters/node/load-api';
import type { HttpResponse } from '../../src/http/message';
import { Creations } from '../../src/runner/creations';
import type { LedgerEntry } from '../../src/runner/ledger';

const { api } = loadApi();
const createPet = api.operationById('createPet')!;
const replacePet = api.operationById('replacePet')!;

function start(): { readonly creations: Creations; readonly entries: LedgerEntry[] } {
  const entries: LedgerEntry[] = [];
  return { entries, creations: new Creations(api, { append: (entry) => entries.push(entry) }) };
}

function answer(status: number, location?: string): HttpResponse {
  return { status, headers: location === undefined ? [] : ['Location', location], body: undefined };
}

test('a creation is written down before it is sent, and confirmed with its path', () => {
  const { creations, entries } = start();
  const creation = creations.announce(createPet, '/pets');
  expect(entries).toEqual([{ kind: 'pending', entry: 1, operation: 'createPet', path: '/pets' }]);
  creations.settle(creation, answer(201), { id: 7 }, '');
  expect(entries.at(-1)).toEqual({ kind: 'created', entry: 1, item: '/pets/7' });
  expect(creations.remaining().map(({ item }) => item)).toEqual(['/pets/7']);
});

test.each([
  { what: 'the id of the body', location: undefined, body: { id: 7 }, item: '/pets/7' },
  {
    what: 'an id of 64 bits, with every digit',
    location: undefined,
    body: { id: 9007199254740993n },
    item: '/pets/9007199254740993',
  },
  { what: 'Location, where there is no body', location: '/v1/pets/8', body: undefined, item: '/pets/8' },
  { what: 'an absolute Location', location: 'https://other.example/v1/pets/8', body: undefined, item: '/pets/8' },
  { what: 'the body, where Location says something else', location: '/v1/pets/8', body: { id: 7 }, item: '/pets/7' },
  { what: 'nothing, where Location leads out of the API', location: '/elsewhere/8', body: undefined, item: undefined },
  { what: 'nothing, where Location is no URL', location: 'http://[', body: undefined, item: undefined },
])('what was made is known by $what', ({ location, body, item }) => {
  const { creations } = start();
  const creation = creations.announce(createPet, '/pets');
  creations.settle(creation, answer(201, location), body, '/v1');
  expect(creation.item).toBe(item);
});

test.each([
  { status: 400, state: 'refused' },
  { status: 409, state: 'refused' },
  { status: 500, state: 'pending' },
  { status: 503, state: 'pending' },
  { status: 201, state: 'there' },
])('after a $status a creation is $state', ({ status, state }) => {
  const { creations } = start();
  const creation = creations.announce(createPet, '/pets');
  creations.settle(creation, answer(status), undefined, '');
  expect(creation.state).toBe(state);
});

test('what the run made is its own wherever its id stands in a path, and nothing else is', () => {
  const { creations } = start();
  creations.settle(creations.announce(createPet, '/pets'), answer(201), { id: 7 }, '');
  expect(creations.owns('petId', '7')).toBe(true);
  expect(creations.owns('petId', '70')).toBe(false);
  expect(creations.owns('orderId', '7')).toBe(false);
});

test('a PUT where nothing was may make something, which is then the run’s own', () => {
  const { creations } = start();
  const creation = creations.announce(replacePet, '/pets/9');
  creations.settle(creation, answer(200), { id: 9 }, '');
  expect(creation.item).toBe('/pets/9');
});

test('an earlier run is taken up from its ledger', () => {
  const { creations, entries } = start();
  creations.restore([
    { kind: 'pending', entry: 1, operation: 'createPet', path: '/pets' },
    { kind: 'created', entry: 1, item: '/pets/7' },
    { kind: 'pending', entry: 2, operation: 'createPet', path: '/pets' },
    { kind: 'created', entry: 2, item: '/pets/8' },
    { kind: 'removed', entry: 2 },
    { kind: 'pending', entry: 3, operation: 'createPet', path: '/pets' },
    { kind: 'refused', entry: 3 },
    { kind: 'pending', entry: 4, operation: 'createPet', path: '/pets' },
  ]);
  expect(creations.remaining().map(({ entry, item }) => [entry, item])).toEqual([
    [4, undefined],
    [1, '/pets/7'],
  ]);
  creations.markRemoved('/pets/7');
  expect(entries).toEqual([{ kind: 'removed', entry: 1 }]);
});

test('a ledger of another description is refused', () => {
  const { creations } = start();
  const restore = (): void => {
    creations.restore([{ kind: 'pending', entry: 1, operation: 'createBook', path: '/books' }]);
  };
  expect(restore).toThrow('The description has no operation createBook');
});
