import { loadApi } from '../../../src/files/load-api';
import { numberFromLexeme } from '../../../src/core/json/exact-number';
import type { HttpResponse } from '../../../src/core/http/message';
import { Creations } from '../../../src/runner/ownership/creation-registry';
import type { LedgerEntry } from '../../../src/runner/ownership/ledger';

const { api } = loadApi();
const createPet = api.operationById('createPet')!;
const replacePet = api.operationById('replacePet')!;
const RUN = { baseUrl: 'http://shop.example', runId: '1a2b3c4d' };

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
  creations.settle(creation, answer(201), { id: 7 }, RUN);
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
  { what: 'a Location that goes on from the request', location: 'pets/8', body: undefined, item: '/pets/8' },
  { what: 'an id that is written as 7.0', location: undefined, body: { id: numberFromLexeme('7.0') }, item: '/pets/7' },
  { what: 'an absolute Location', location: 'http://shop.example/v1/pets/8', body: undefined, item: '/pets/8' },
  { what: 'nothing, at another host', location: 'http://other.example/v1/pets/8', body: undefined, item: undefined },
  { what: 'nothing, in another collection', location: '/v1/store/orders/8', body: undefined, item: undefined },
  { what: 'the body, where Location says something else', location: '/v1/pets/8', body: { id: 7 }, item: '/pets/7' },
  { what: 'nothing, where Location leads out of the API', location: '/elsewhere/8', body: undefined, item: undefined },
  { what: 'nothing, where Location is not a URL', location: 'http://[', body: undefined, item: undefined },
])('what was made is known by $what', ({ location, body, item }) => {
  const { creations } = start();
  const creation = creations.announce(createPet, '/pets');
  creations.settle(creation, answer(201, location), body, { ...RUN, baseUrl: `${RUN.baseUrl}/v1` });
  expect(creation.item).toBe(item);
});

test.each([
  { status: 400, state: 'refused' },
  { status: 409, state: 'refused' },
  { status: 303, state: 'pending' },
  { status: 500, state: 'pending' },
  { status: 503, state: 'pending' },
  { status: 201, state: 'there' },
])('after a $status a creation is $state', ({ status, state }) => {
  const { creations } = start();
  const creation = creations.announce(createPet, '/pets');
  creations.settle(creation, answer(status), undefined, RUN);
  expect(creation.state).toBe(state);
});

test('a Location of a collection below another path goes on from there', () => {
  const { creations } = start();
  const creation = creations.announce(api.operationById('placeOrder')!, '/store/orders');
  creations.settle(creation, answer(201, 'orders/8'), undefined, { ...RUN, baseUrl: `${RUN.baseUrl}/v1` });
  expect(creation.item).toBe('/store/orders/8');
});

test('what the run made is its own wherever the same kind of thing is named, and nothing else is', () => {
  const { creations } = start();
  creations.settle(creations.announce(createPet, '/pets'), answer(201), { id: 7 }, RUN);
  const paths = ['/pets/7', '/inventory/7', '/pets/70', '/store/orders/7', '/categories/7', '/pets'];
  expect(paths.filter((path) => creations.owns(path))).toEqual(['/pets/7', '/inventory/7']);
});

test('what was removed is the run’s own no more: its key may be given away again', () => {
  const { creations } = start();
  creations.settle(creations.announce(createPet, '/pets'), answer(201), { id: 7 }, RUN);
  creations.markRemoved('/pets/7');
  expect(creations.owns('/pets/7')).toBe(false);
  expect(creations.owns('/inventory/7')).toBe(false);
  expect(creations.ownedBefore('/pets/7')).toBe(true);
});

test.each([
  { what: '201', status: 201, wasAbsent: false, state: 'there' },
  { what: '200 where nothing was seen, which may have been hidden', status: 200, wasAbsent: true, state: 'pending' },
  { what: '204 where nothing was seen, which may have been hidden', status: 204, wasAbsent: true, state: 'pending' },
  { what: '200 where something was, or may have been', status: 200, wasAbsent: false, state: 'refused' },
])('a PUT that got $what is $state', ({ status, wasAbsent, state }) => {
  const { creations } = start();
  const creation = creations.announce(replacePet, '/pets/9');
  creation.wasAbsent = wasAbsent;
  creations.settle(creation, answer(status), { id: 9 }, RUN);
  expect(creation.state).toBe(state);
  expect(creation.mayBeOthers).toBe(state === 'pending' ? true : undefined);
  expect(creations.owns('/pets/9')).toBe(state === 'there');
});

test('a PUT to a name that holds the id of the run made something where nothing was, whatever the success', () => {
  const { creations } = start();
  const creation = creations.announce(replacePet, '/pets/rex-1a2b3c4d');
  creation.wasAbsent = true;
  creations.settle(creation, answer(204), undefined, RUN);
  expect(creation).toMatchObject({ state: 'there', item: '/pets/rex-1a2b3c4d' });
});

test.each([
  { what: 'holds the id of the run', body: { id: 7, name: 'Rex 1a2b3c4d' }, state: 'pending' },
  { what: 'may be somebody else’s', body: { id: 7, name: 'Rex' }, state: 'pending' },
  {
    what: 'has it in a UUID by chance',
    body: { id: 7, tag: '1a2b3c4d-0000-4000-8000-000000000000' },
    state: 'pending',
  },
])(
  'a POST with a 201 in the description that was answered 200 with something that $what is $state',
  ({ body, state }) => {
    const { creations } = start();
    const creation = creations.announce(createPet, '/pets');
    creations.settle(creation, answer(200), body, RUN);
    expect(creation).toMatchObject({ state, mayBeOthers: true });
    expect(creations.owns('/pets/7')).toBe(false);
  },
);

test('a POST that was answered 200 with what this run made before made nothing new', () => {
  const { creations } = start();
  creations.settle(creations.announce(createPet, '/pets'), answer(201), { id: 7 }, RUN);
  creations.settle(creations.announce(createPet, '/pets'), answer(200), { id: 7 }, RUN);
  expect(creations.remaining()).toHaveLength(1);
  // An answer that was kept for an Idempotency-Key comes after the removal as well.
  creations.markRemoved('/pets/7');
  creations.settle(creations.announce(createPet, '/pets'), answer(200), { id: 7 }, RUN);
  expect(creations.remaining()).toEqual([]);
});

test('what may be somebody else’s is not taken for made by a later cleanup', () => {
  const { creations, entries } = start();
  creations.settle(creations.announce(createPet, '/pets', { marked: true }), answer(200), { id: 7 }, RUN);
  const later = start().creations;
  later.restore(entries);
  expect(later.remaining()).toMatchObject([{ state: 'pending', mayBeOthers: true, possibleItem: '/pets/7' }]);
  expect(later.owns('/pets/7')).toBe(false);
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
