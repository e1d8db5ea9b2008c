import { isOperation, onAnswer, type Defect, type Exchange, type Intercept } from '../defect';
import { omit, textOf, type Json } from '../json';
import {
  type Answer,
  asError,
  editFields,
  headerOf,
  jsonOf,
  succeeded,
  withHeader,
  withJson,
  withQuery,
} from '../message';

const STATUSES = ['available', 'pending', 'sold'];
const isList = ({ call, place }: Exchange): boolean =>
  call.method === 'GET' && place.collection !== undefined && place.id === undefined;
const isLaterPage = (exchange: Exchange): boolean => isList(exchange) && exchange.place.query.has('cursor');

/** The query with other values of `status`. */
function withStatuses(query: URLSearchParams, statuses: readonly string[]): URLSearchParams {
  const other = new URLSearchParams(query);
  other.delete('status');
  for (const status of statuses) other.append('status', status);
  return other;
}

/** Another filter on the inside; the links to other pages still have the one that was asked for. */
const filterBy =
  (choose: (exchange: Exchange) => readonly string[] | undefined) => (): Intercept => async (exchange) => {
    const { call, place, pass, fires } = exchange;
    const statuses = isList(exchange) && place.query.has('status') ? choose(exchange) : undefined;
    if (!statuses || !fires()) return pass();
    const answer = await pass(withQuery(call, withStatuses(place.query, statuses)));
    return editLinks(answer, (query) => withStatuses(query, place.query.getAll('status')));
  };

const complementOf = ({ place }: Exchange): string[] | undefined => {
  const wanted = place.query.getAll('status');
  const others = STATUSES.filter((status) => !wanted.includes(status));
  return wanted.every((status) => STATUSES.includes(status)) && others.length > 0 ? others : undefined;
};

/** Changes the links to other pages, as to their queries. */
const editLinks = (answer: Answer, change: (query: URLSearchParams) => URLSearchParams): Answer => {
  const link = headerOf(answer, 'Link')?.replace(/<([^?>]*)\?([^>]*)>/g, (_, path: string, query: string) => {
    return `<${path}?${change(new URLSearchParams(query)).toString()}>`;
  });
  return link === undefined ? answer : withHeader(answer, 'Link', link);
};

/** The whole list that a page belongs to, of up to a hundred entries. */
async function wholeOf({ ask, call, place }: Exchange): Promise<Json[]> {
  const query = new URLSearchParams(place.query);
  query.delete('cursor');
  query.set('limit', '100');
  const whole = jsonOf(await ask('GET', withQuery(call, query).target));
  return Array.isArray(whole) ? [...whole] : [];
}

const nextCursor = (answer: Answer): string | undefined => {
  const [, query] = /<[^?>]*\?([^>]*)>[^<]*;\s*rel="?next/.exec(headerOf(answer, 'Link') ?? '') ?? [];
  return new URLSearchParams(query).get('cursor') ?? undefined;
};

export const LIST_DEFECTS: readonly Defect[] = [
  {
    id: 'LI-01',
    needs: ['L'],
    title: 'the filter by status is ignored',
    clause: 'status: only entries with one of these statuses',
    start: filterBy(() => []),
    witness: async (client) => {
      const { id } = await client.pet({ status: 'pending' });
      return (await client.idsOf('/pets?status=sold')).includes(textOf(id));
    },
  },
  {
    id: 'LI-02',
    needs: ['L'],
    title: 'the filter by status keeps what it should leave out',
    clause: 'status: only entries with one of these statuses',
    start: filterBy(complementOf),
    witness: async (client) => {
      const { id } = await client.pet({ status: 'pending' });
      const ids = await client.idsOf('/pets?status=pending');
      return !ids.includes(textOf(id)) && (await client.idsOf('/pets?status=sold')).includes(textOf(id));
    },
  },
  {
    id: 'LI-04',
    needs: ['L'],
    title: 'the first entry of each further page is missing',
    clause: 'cursor: no page skips or repeats entries',
    start: onAnswer(
      (exchange, answer) => isLaterPage(exchange) && succeeded(answer) && Array.isArray(jsonOf(answer)),
      (answer) => {
        const items = jsonOf(answer);
        return Array.isArray(items) ? withJson(answer, items.slice(1)) : answer;
      },
    ),
    witness: async (client) => {
      for (const name of ['Ant', 'Bee', 'Cat']) await client.category({ name });
      const [whole, paged] = [await client.idsOf('/categories'), await client.idsOf('/categories?limit=1')];
      return paged.length < whole.length;
    },
  },
  {
    id: 'LI-05',
    needs: ['L', 'Q'],
    title: 'the same list comes in another order every other time',
    clause: 'sort: default ascending id',
    start: () => {
      let times = 0;
      return async (exchange) => {
        const answer = await exchange.pass();
        const items = jsonOf(answer);
        if (!isList(exchange) || !Array.isArray(items) || items.length < 2 || !exchange.fires()) return answer;
        times += 1;
        return times % 2 === 0 ? withJson(answer, items.toReversed()) : answer;
      };
    },
    witness: async (client) => {
      for (const name of ['Ant', 'Bee']) await client.category({ name });
      const [first, second] = [await client.get('/categories'), await client.get('/categories')];
      return first.text !== second.text;
    },
  },
  {
    id: 'LI-07',
    needs: ['L'],
    title: 'the last page is a 500',
    clause: 'cursor: from the next link; 200 for every page',
    start: onAnswer(
      (exchange, answer) =>
        isLaterPage(exchange) && succeeded(answer) && !/rel="?next/.test(headerOf(answer, 'Link') ?? ''),
      (answer) => asError(answer, 500, 'internal_error'),
    ),
    witness: async (client) => {
      for (const name of ['Ant', 'Bee']) await client.category({ name });
      const first = await client.get('/categories?limit=1');
      const next = /<([^>]*)>; *rel="?next/.exec((await client.get('/categories?limit=1')).header('link') ?? '')?.[1];
      let page = first;
      for (let link = next; link !== undefined && page.status === 200;) {
        const { pathname, search } = new URL(link, client.url);
        page = await client.get(`${pathname}${search}`);
        link = /<([^>]*)>; *rel="?next/.exec(page.header('link') ?? '')?.[1];
      }
      return page.status === 500;
    },
  },
  {
    id: 'LI-08',
    needs: ['L', 'V'],
    title: 'entries of lists differ from the resources: no description, no ship date, shortened names',
    clause: 'lists hold Pet, Category and Order, as they are',
    start: onAnswer(
      (exchange, answer) => isOperation('listPets', 'listCategories', 'listOrders')(exchange) && succeeded(answer),
      (answer) =>
        editFields(answer, (fields) => {
          const fewer = omit(fields, 'description', 'shipDate');
          return typeof fewer.name === 'string' ? { ...fewer, name: shortened(fewer.name) } : fewer;
        }),
    ),
    witness: async (client) => {
      const { path, id } = await client.category({ description: 'Small' });
      const listed = (await client.get('/categories?sort=-id')).items.find((one) => one.id === id);
      return (await client.get(path)).fields.description === 'Small' && listed?.description === undefined;
    },
  },
  {
    id: 'LI-09',
    needs: ['L'],
    title: 'a cursor only counts the entries before it',
    clause: 'cursor: stable under inserts and deletes',
    start: () => {
      const offsets = new Map<string, number>();
      return async (exchange) => {
        const answer = await exchange.pass();
        const page = jsonOf(answer);
        if (!isList(exchange) || !succeeded(answer) || !Array.isArray(page)) return answer;
        const offset = offsets.get(exchange.place.query.get('cursor') ?? '') ?? 0;
        const next = nextCursor(answer);
        if (next !== undefined && !offsets.has(next)) offsets.set(next, offset + page.length);
        if (!isLaterPage(exchange) || !exchange.fires()) return answer;
        return withJson(answer, (await wholeOf(exchange)).slice(offset, offset + page.length));
      };
    },
    witness: async (client) => {
      for (const name of ['Ant', 'Bee']) await client.category({ name });
      const first = await client.get('/categories?sort=-id&limit=1');
      await client.category({ name: 'Cat' });
      const next = /<([^>]*)>; *rel="?next/.exec(first.header('link') ?? '')?.[1] ?? '';
      const { pathname, search } = new URL(next, client.url);
      const second = await client.get(`${pathname}${search}`);
      return textOf(second.items[0]?.id) === textOf(first.items[0]?.id);
    },
  },
  {
    id: 'LI-10',
    needs: ['L'],
    title: 'links to other pages forget the filter by status',
    clause: 'cursor: from the next link, which leads on in the list that was asked for',
    start: () => {
      const forgotten = new Map<string, string>();
      return async (exchange) => {
        const { call, place } = exchange;
        if (!isList(exchange)) return exchange.pass();
        const cursor = place.query.get('cursor');
        const asked = cursor === null ? undefined : forgotten.get(cursor);
        if (asked !== undefined && !place.query.has('status')) {
          const answer = await exchange.pass({ ...call, target: asked });
          return withJson(answer, await wholeOf(exchange));
        }
        const answer = await exchange.pass();
        const next = nextCursor(answer);
        if (next === undefined || !place.query.has('status') || !exchange.fires()) return answer;
        const query = new URLSearchParams(place.query);
        query.set('cursor', next);
        forgotten.set(next, withQuery(call, query).target);
        return editLinks(answer, (linked) => withStatuses(linked, []));
      };
    },
    witness: async (client) => {
      for (const status of ['pending', 'available', 'pending']) await client.pet({ status });
      const first = await client.get('/pets?status=pending&limit=1');
      const next = /<([^>]*)>; *rel="?next/.exec(first.header('link') ?? '')?.[1] ?? '';
      const { pathname, search } = new URL(next, client.url);
      return (await client.get(`${pathname}${search}`)).items.some(({ status }) => status === 'available');
    },
  },
];

const shortened = (name: string): string => {
  const characters = Array.from(name);
  return characters.length > 8 ? `${characters.slice(0, 7).join('')}…` : name;
};
