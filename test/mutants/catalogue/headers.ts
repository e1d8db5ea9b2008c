import { good, onAnswer, type Defect } from '../defect';
import { headerOf, succeeded, withHeader } from '../message';

const LISTS = ['listPets', 'listCategories', 'listOrders', 'listInventory'];
const MADE = ['createPet', 'createCategory', 'placeOrder'];

export const HEADER_DEFECTS: readonly Defect[] = [
  {
    id: 'HD-01',
    needs: ['S', 'H'],
    title: 'JSON is labelled text/plain',
    clause: 'every response documents application/json only',
    start: onAnswer(
      (exchange, answer) => exchange.place.operation !== undefined && succeeded(answer) && answer.body.length > 0,
      (answer) => withHeader(answer, 'Content-Type', 'text/plain; charset=utf-8'),
    ),
    witness: async (client) => /^text\/plain/.test((await client.get('/pets')).header('content-type') ?? ''),
  },
  {
    id: 'HD-03',
    needs: ['S', 'H'],
    title: 'Content-Type names a charset that the bytes are not in',
    clause: 'RFC 8259 §8.1: JSON MUST be encoded using UTF-8; §11: no charset parameter is defined',
    start: onAnswer(
      (exchange, answer) => exchange.place.operation !== undefined && answer.body.length > 0,
      (answer) => withHeader(answer, 'Content-Type', 'application/json; charset=utf-16'),
    ),
    witness: async (client) => /utf-16/.test((await client.get('/pets')).header('content-type') ?? ''),
  },
  {
    id: 'HD-04',
    needs: ['S'],
    title: 'lists come without X-Total-Count',
    clause: 'petstore.md §4: X-Total-Count on lists, the count after filters',
    start: onAnswer(good(...LISTS), (answer) => withHeader(answer, 'X-Total-Count')),
    witness: async (client) => (await client.get('/pets')).header('x-total-count') === undefined,
  },
  {
    id: 'HD-06',
    needs: ['S', 'H'],
    title: '201 comes without Location',
    clause: 'createPet, createCategory and placeOrder document Location on 201',
    start: onAnswer(good(...MADE), (answer) => withHeader(answer, 'Location')),
    witness: async (client) => (await client.category()).reply.header('location') === undefined,
  },
  {
    id: 'HD-07',
    needs: ['H'],
    title: 'Location leads nowhere',
    clause: 'Location: where the new resource is; RFC 9110 §15.3.2 (WFC 907, rest-faults R-7)',
    start: onAnswer(good(...MADE), (answer) => {
      const location = headerOf(answer, 'Location') ?? '';
      return withHeader(answer, 'Location', location.replace(/(pet|categorie|order)s\/(\d+)$/, '$1/$2'));
    }),
    witness: async (client) => {
      const location = (await client.category()).reply.header('location') ?? '';
      const { pathname } = new URL(location, client.url);
      return (await client.get(pathname)).status === 404;
    },
  },
  {
    id: 'HD-09',
    needs: ['H', 'V'],
    title: 'the entity tag stays the same after a change',
    clause: 'ETag: strong, changes exactly when the representation does; RFC 9110 §8.8.1',
    start: () => {
      const first = new Map<string, string>();
      return async (exchange) => {
        const answer = await exchange.pass();
        const tag = headerOf(answer, 'ETag');
        const { operation, collection, id } = exchange.place;
        if (tag === undefined || operation === undefined || id === undefined) return answer;
        const key = `${collection ?? ''}/${id}`;
        const known = first.get(key) ?? tag;
        first.set(key, known);
        return known !== tag && exchange.fires() ? withHeader(answer, 'ETag', known) : answer;
      };
    },
    witness: async (client) => {
      const { path } = await client.category();
      const before = await client.get(path);
      await client.put(path, { name: 'Changed' });
      const after = await client.get(path);
      return before.text !== after.text && before.header('etag') === after.header('etag');
    },
  },
  {
    id: 'HD-10',
    needs: ['H'],
    title: 'what a key protects may be kept by shared caches',
    clause: 'RFC 9111 §3.5: public lets a shared cache store the answer to a request with Authorization',
    start: onAnswer(
      ({ call, place }, answer) => call.method === 'GET' && place.operation !== undefined && succeeded(answer),
      (answer) => withHeader(answer, 'Cache-Control', 'public, max-age=3600'),
    ),
    witness: async (client) => (await client.get('/pets')).header('cache-control') === 'public, max-age=3600',
  },
  {
    id: 'HD-11',
    needs: ['H'],
    title: 'a 204 comes with the type and the length of a body',
    clause: 'RFC 9110 §8.6: no Content-Length in any response with the status 204',
    start: onAnswer(
      (_, { status }) => status === 204,
      (answer) => withHeader(withHeader(answer, 'Content-Type', 'application/json'), 'Content-Length', '0'),
    ),
    witness: async (client) => {
      const { path } = await client.category();
      return (await client.delete(path)).header('content-length') === '0';
    },
  },
];
