import { loadDescriptionText } from '../../src/files/load-description';
import { generateContracts } from '../../src/generated/generate-contracts';
import { list, object, smallApi, text } from '../support/small-api';
import { collection, failed, ID, type Item, left, run, Service, type Sketches } from './reach-service';

const shelf = object({ ...ID, title: text });
const state = { type: 'string', enum: ['open', 'held', 'ended'] };
const box = object({ ...ID, shelf_id: text, title: text, state: { ...state, readOnly: true } }, ['shelf_id', 'title']);
const part = object({ shelf_id: text, title: text });

function api(removal: string, change = 'Changes a box.'): Sketches {
  return {
    ...collection('shelves', shelf),
    'DELETE /shelves/{id}': { description: removal, answers: { 204: null, 404: null } },
    ...collection('boxes', box),
    'PATCH /boxes/{id}': { description: change, body: part, answers: { 200: box, 400: null, 404: null, 422: null } },
    'GET /boxes': { answers: { 200: list(box) } },
  };
}

/** Boxes on shelves; what becomes of the boxes of a shelf that is removed. */
function service(onRemoval: (own: Service, item: Item) => void, takesAnyShelf = false): Service {
  const own = new Service();
  const isThere = ({ shelf_id: id }: Item): boolean => own.of('shelves').has(String(id));
  own.create = (name, body) => {
    if (name !== 'boxes') return undefined;
    return isThere(body) ? [201, own.store(name, { ...body, state: 'open' })] : [422, {}];
  };
  own.change = (name, item, body) =>
    name !== 'boxes'
      ? undefined
      : takesAnyShelf || body['shelf_id'] === undefined || isThere(body)
        ? [200, own.store(name, { ...item, ...body }, String(item['id']))]
        : [422, {}];
  own.remove = (name, item) => {
    if (name === 'shelves') onRemoval(own, item);
    return undefined;
  };
  return own;
}

const boxesOf = (own: Service, { id }: Item): Item[] =>
  [...own.of('boxes').values()].filter(({ shelf_id: shelfId }) => shelfId === id);
const keep = (): void => undefined;
const end = (own: Service, item: Item): void => {
  for (const each of boxesOf(own, item)) own.store('boxes', { ...each, state: 'ended' }, String(each['id']));
};
const remove = (own: Service, item: Item): void => {
  for (const each of boxesOf(own, item)) own.of('boxes').delete(String(each['id']));
};
const AFTER = 'the box after that';
const GONE = 'the box is gone with the shelf';

type Step = Readonly<{ name?: string; expect: object }>;

function stepsOf(removal: string, change?: string): Step[] {
  const { api: model } = loadDescriptionText(smallApi(api(removal, change)), 'boxes.json');
  const contracts = [...generateContracts(model, { seed: '1', families: new Set(['lifecycle']) })];
  return contracts.flatMap((each) => [each['setup'] ?? [], each['steps'] ?? []].flat()) as unknown as Step[];
}

const namesOfSteps = (change: string): (string | undefined)[] =>
  stepsOf('Removes a shelf.', change).map(({ name }) => name);

/** What a run expects of a box after the shelf that it is on was removed. */
function expectedAfter(says: string): unknown {
  return stepsOf(says).find(({ name }) => name === AFTER || name === GONE)?.expect;
}

test.each([
  ['Its boxes are ended.', { status: [200], body: { state: 'ended' } }],
  ['Its open or held boxes are ended.', { status: [200], body: { state: { $enum: ['ended'] } } }],
  ['Its held boxes are ended.', { status: [200], body: { state: { $enum: ['open', 'ended'] } } }],
  ['Removes the shelf with all its boxes.', { status: [404, 410] }],
  ['Removes the shelf with its labels and boxes.', { status: [404, 410] }],
  ['Delete a shelf and all its boxes', { status: [404, 410] }],
  ['Delete a shelf', undefined],
  ['Delete a shelf, and keep all its boxes', undefined],
  ['Delete a shelf and all its books', undefined],
  // No sentence says that each of them is, and at once.
  ['Its boxes are ended at the end of the month.', undefined],
  ['Its boxes are ended\nunless they are held.', undefined],
  ['Make sure that its boxes are ended.', undefined],
  ['Its boxes are not ended.', undefined],
  ['Its parcels are ended.', undefined],
  ['Removes the shelf, not its boxes.', undefined],
  ['Removes the shelf. Fails with all its boxes.', undefined],
])('after the removal of what a thing refers to: %s', (says, expected) => {
  expect(expectedAfter(says)).toEqual(expected);
});

test.each([
  { does: end, fails: false },
  { does: keep, fails: true },
])('things end with what they refer to: failed $fails', async ({ does, fails }) => {
  const own = service(does);
  const { result } = await run(own, api('Its boxes are ended.'));
  expect(failed(result).some((line) => line.startsWith(AFTER))).toBe(fails);
  expect(left(own)).toEqual([]);
});

test('things that are removed with what they refer to are no residue', async () => {
  const own = service(remove);
  const { result } = await run(own, api('Removes the shelf with all its boxes.'));
  expect(failed(result)).toEqual([]);
  expect(result.outcome).toBe('conforms');
  expect(left(own)).toEqual([]);
});

test('things that outlive what they were to be removed with fail', async () => {
  const { result } = await run(service(keep), api('Removes the shelf with all its boxes.'));
  expect(failed(result).some((line) => line.startsWith(GONE))).toBe(true);
});

test('a change to what nobody has fails where words say that it is refused', async () => {
  const says = 'A shelf that does not exist is answered with 422.';
  const step = 'change the box to a shelf_id that nobody has';
  expect(namesOfSteps(says)).toContain(step);
  expect(namesOfSteps('Changes a box.')).not.toContain(step);
  const { result } = await run(service(keep, true), api('Removes a shelf.', says));
  expect(failed(result).some((line) => line.startsWith(step))).toBe(true);
});
