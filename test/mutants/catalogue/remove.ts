import { good, onAnswer, type Defect, type Exchange, type Intercept } from '../defect';
import { isFields, textOf, type Fields, type Json } from '../json';
import { Hidden, itemPath, notFound } from '../memory';
import { asError, fieldsOf, headerOf, jsonOf, withHeader, withJson, type Answer } from '../message';
import { pathOf } from '../petstore';
import { acceptOrder } from './input';

const REMOVALS = ['deletePet', 'deleteCategory', 'cancelOrder'];
const gone = good(...REMOVALS);

/** Remembers what resources looked like before they were removed, and shows them once they are. */
function haunted(inLists: boolean): Intercept {
  const ghosts = new Map<string, Answer>();
  return async (exchange) => {
    const { call, place } = exchange;
    const key = itemPath(exchange);
    const before = REMOVALS.includes(place.operation ?? '') ? await lookUp(exchange) : undefined;
    const answer = await exchange.pass();
    if (before?.status === 200 && gone(exchange, answer) && exchange.fires()) ghosts.set(key, before);
    const ghost = ghosts.get(key);
    if (call.method === 'GET' && answer.status === 404 && ghost) return ghost;
    return inLists ? joined(exchange, answer, ghosts) : answer;
  };
}

/** By its own address, or where there is none, out of the list. */
async function lookUp(exchange: Exchange): Promise<Answer> {
  const answer = await exchange.ask('GET', itemPath(exchange));
  if (answer.status === 200) return answer;
  const list = await exchange.ask('GET', itemPath({ ...exchange, place: { ...exchange.place, id: undefined } }));
  const items = jsonOf(list);
  const found = Array.isArray(items) ? items.find((item) => isFields(item) && isOf(item, exchange)) : undefined;
  return found === undefined ? answer : withJson({ ...list, status: 200 }, found);
}

const isOf = (fields: Fields, { place }: Exchange): boolean => textOf(fields.id) === place.id;

/** Ghosts come at the end of a list, on its last page, if nothing filters it. */
function joined({ call, place }: Exchange, answer: Answer, ghosts: ReadonlyMap<string, Answer>): Answer {
  const list = jsonOf(answer);
  const isFiltered = [...place.query.keys()].some((name) => !['limit', 'cursor', 'sort'].includes(name));
  const isLast = !/rel="?next/.test(headerOf(answer, 'Link') ?? '');
  if (call.method !== 'GET' || place.id !== undefined || !Array.isArray(list) || isFiltered || !isLast) return answer;
  const listPath = pathOf(place.base, place.collection ?? 'pets');
  const back = [...ghosts].filter(([key]) => key.startsWith(`${listPath}/`));
  const items: Json[] = [...list, ...back.map(([, ghost]) => fieldsOf(ghost))];
  const total = headerOf(answer, 'X-Total-Count');
  const longer = withJson(answer, items);
  return total === undefined ? longer : withHeader(longer, 'X-Total-Count', String(Number(total) + back.length));
}

export const REMOVE_DEFECTS: readonly Defect[] = [
  {
    id: 'DE-01',
    needs: ['V', 'L'],
    title: 'what was removed is still there, to read and in lists',
    clause: 'deletePet, deleteCategory, cancelOrder: removed; later reads 404 (WFC 103, rest-faults R-8)',
    start: () => haunted(true),
    witness: async (client) => {
      const { path, id } = await client.category();
      await client.delete(path);
      const listed = await client.idsOf('/categories');
      return (await client.get(path)).status === 200 && listed.includes(textOf(id));
    },
  },
  {
    id: 'DE-03',
    needs: ['V'],
    title: 'what was removed is gone from lists and can still be read',
    clause: 'deletePet, deleteCategory, cancelOrder: removed; later reads 404',
    start: () => haunted(false),
    witness: async (client) => {
      const { path, id } = await client.category();
      await client.delete(path);
      const listed = await client.idsOf('/categories');
      return (await client.get(path)).status === 200 && !listed.includes(textOf(id));
    },
  },
  {
    id: 'DE-04',
    needs: ['Q', 'T'],
    title: 'removing a second time is a 500',
    clause: 'deletePet, deleteCategory, cancelOrder: 404 when there is no such resource',
    start: onAnswer(
      ({ place }, { status }) => REMOVALS.includes(place.operation ?? '') && status === 404,
      (answer) => asError(answer, 500, 'internal_error'),
    ),
    witness: async (client) => {
      const { path } = await client.category();
      const [first, second] = [await client.delete(path), await client.delete(path)];
      return first.status === 204 && second.status === 500;
    },
  },
  {
    id: 'DE-06',
    needs: ['B'],
    title: 'a category is removed under its pets',
    clause: 'deleteCategory: 409 category_in_use while a pet belongs to it',
    start: () => {
      const hidden = new Hidden();
      return async (exchange) => {
        const { call, place } = exchange;
        const answer = hidden.has(place) ? await notFound(exchange) : await exchange.pass();
        const isRefused = place.operation === 'deleteCategory' && fieldsOf(answer).code === 'category_in_use';
        if (isRefused && exchange.fires()) {
          hidden.add('categories', place.id ?? '');
          return { status: 204, headers: [], body: Buffer.alloc(0) };
        }
        return call.method === 'GET' ? hidden.apply(place, answer) : answer;
      };
    },
    witness: async (client) => {
      const category = await client.category();
      const pet = await client.pet({ categoryId: category.id });
      await client.delete(category.path);
      const dangling = (await client.get(pet.path)).fields.categoryId === category.id;
      return dangling && (await client.get(category.path)).status === 404;
    },
  },
  {
    id: 'DE-07',
    needs: ['B'],
    title: 'a pet that was removed can be ordered',
    clause: 'placeOrder: 422 unknown_reference',
    start: () => {
      const removed = new Set<string>();
      const accept = acceptOrder(({ petId }) => removed.has(textOf(petId)), ['petId'])();
      return async (exchange) => {
        const answer = await accept(exchange);
        if (good('deletePet')(exchange, answer)) removed.add(exchange.place.id ?? '');
        return answer;
      };
    },
    witness: async (client) => {
      const pet = await client.pet();
      await client.delete(pet.path);
      return (await client.order({ petId: pet.id })).reply.status === 201;
    },
  },
];
