import { good, isOperation, onAnswer, onCall, type Defect } from '../../defect';
import { omit, textOf } from '../../json';
import { dataOf, editMeta, itemsOf, onBody, withList, type Row, numberOf, withParameter } from '../../frame/envelope';
import { fieldsOf, headerOf, succeeded, withHeader } from '../../message';
import { type LendingClient, SHED } from '../client';
import { asProblem } from '../dialect';
import { Memory } from '../../frame/memory';

const isPaged = isOperation('listTools', 'listNotes', 'listLoans');

export const LIST_DEFECTS: readonly Defect<LendingClient>[] = [
  {
    id: 'LI-01',
    needs: ['L'],
    title: 'the first page has one more than perPage',
    clause: 'perPage',
    start: () => async (exchange) => {
      const answer = await exchange.pass();
      const perPage = numberOf(exchange, 'perPage');
      const isFirst = (numberOf(exchange, 'page') ?? 1) === 1;
      if (!isPaged(exchange) || perPage === undefined || perPage > 49 || !isFirst || !succeeded(answer)) return answer;
      const more = await exchange.pass(withParameter(exchange.call, exchange, 'perPage', String(perPage + 1)));
      return itemsOf(more).length > perPage && exchange.fires() ? withList(answer, itemsOf(more)) : answer;
    },
    witness: async (client) => (await client.list('tools?perPage=1')).length === 2,
  },
  {
    id: 'LI-02',
    needs: ['L'],
    title: 'a further page begins with the last item of the page before',
    clause: 'page: each item is on one page',
    start: () => async (exchange) => {
      const answer = await exchange.pass();
      const page = numberOf(exchange, 'page') ?? 1;
      if (!isPaged(exchange) || page === 1 || itemsOf(answer).length === 0 || !exchange.fires()) return answer;
      const before = itemsOf(await exchange.pass(withParameter(exchange.call, exchange, 'page', String(page - 1))));
      return withList(answer, [...before.slice(-1), ...itemsOf(answer)].slice(0, before.length));
    },
    witness: async (client) => {
      const [first, second] = [await client.list('tools?perPage=1'), await client.list('tools?perPage=1&page=2')];
      return first[0]?.id === second[0]?.id;
    },
  },
  {
    id: 'LI-03',
    needs: ['L'],
    title: 'the total counts the items of the page alone',
    clause: 'PageMeta: total is how many there are on all pages',
    start: onAnswer(good('listTools', 'listNotes', 'listLoans'), (answer) =>
      editMeta(answer, (meta) => ({ ...meta, total: itemsOf(answer).length })),
    ),
    witness: async (client) => (await client.meta('tools?perPage=1')).total === 1,
  },
  {
    id: 'LI-04',
    needs: ['L'],
    title: 'the filter by category is ignored',
    clause: 'category: only tools of this category',
    start: onCall(
      (exchange) => isOperation('listTools')(exchange) && exchange.place.query.has('category'),
      (call, exchange) => withParameter(call, exchange, 'category'),
    ),
    witness: async (client) => (await client.list('tools?category=power')).some(({ category }) => category !== 'power'),
  },
  {
    id: 'LI-05',
    needs: ['L'],
    title: 'tools that are to go from z to a go from a to z',
    clause: 'sort: a minus turns the order round',
    start: onCall(
      (exchange) => isOperation('listTools')(exchange) && exchange.place.query.get('sort') === '-name',
      (call, exchange) => withParameter(call, exchange, 'sort', 'name'),
    ),
    witness: async (client) => {
      const names = (await client.list('tools?sort=-name')).map(({ name }) => textOf(name));
      return (names[0] ?? '') < (names.at(-1) ?? '');
    },
  },
  {
    id: 'LI-06',
    needs: ['L'],
    title: 'each further page of members lacks its first one',
    clause: 'cursor: what comes behind the cursor',
    start: onAnswer(
      (exchange, answer) =>
        isOperation('listMembers')(exchange) && exchange.place.query.has('cursor') && succeeded(answer),
      (answer) => withList(answer, itemsOf(answer).slice(1)),
    ),
    witness: async (client) => {
      const { nextCursor } = await client.meta('members?limit=1');
      return (await client.list(`members?limit=1&cursor=${textOf(nextCursor)}`)).length === 0;
    },
  },
  {
    id: 'LI-07',
    needs: ['L'],
    title: 'a list of returned loans has those that are out as well',
    clause: 'state: only loans in this state',
    start: onCall(
      (exchange) => isOperation('listLoans')(exchange) && exchange.place.query.get('state') === 'returned',
      (call, exchange) => withParameter(call, exchange, 'state'),
    ),
    witness: async (client) => (await client.list('loans?state=returned')).some(({ state }) => state === 'out'),
  },
  {
    id: 'LI-08',
    needs: ['L', 'V'],
    title: 'a tool that is added is not in the list',
    clause: 'listTools: tools, without the deleted ones',
    start: () => {
      const memory = new Memory();
      return async (exchange) => {
        const answer = await exchange.pass();
        if (good('addTool')(exchange, answer) && exchange.fires()) memory.hide(textOf(dataOf(answer).id));
        return exchange.place.operation === 'listTools' ? memory.show(answer) : answer;
      };
    },
    witness: async (client) => {
      const { id } = await client.tool();
      return !(await client.list('tools?perPage=50')).some((tool) => tool.id === id);
    },
  },
  {
    id: 'LI-09',
    needs: ['L'],
    title: 'the last page of members leads on to the first',
    clause: 'nextCursor: null on the last page',
    start: onAnswer(good('listMembers'), (answer) =>
      editMeta(answer, (meta) => ({ ...meta, nextCursor: meta.nextCursor ?? 'YWZ0ZXI6' })),
    ),
    witness: async (client) => (await client.meta('members?limit=50')).nextCursor !== null,
  },
];

export const INPUT_DEFECTS: readonly Defect<LendingClient>[] = [
  {
    id: 'IN-01',
    needs: ['N'],
    title: 'a daily rate that is no amount becomes 0.00',
    clause: 'ToolInput: dailyRate has a pattern; 422',
    start: onBody(['addTool'], (body) =>
      body.dailyRate === undefined || /^(?:0|[1-9]\d{0,5})\.\d\d$/.test(textOf(body.dailyRate))
        ? body
        : { ...body, dailyRate: '0.00' },
    ),
    witness: async (client) => (await client.tool({ dailyRate: '-5.00' })).reply.status === 201,
  },
  {
    id: 'IN-02',
    needs: ['N'],
    title: 'what a note does not have is ignored',
    clause: 'NoteInput: additionalProperties is false; 422',
    start: onBody(['addNote', 'replaceNote'], (body) =>
      omit(body, ...Object.keys(body).filter((name) => !['text', 'author'].includes(name))),
    ),
    witness: async (client) => (await client.note(await client.tool(), { title: 'Blade' })).reply.status === 201,
  },
  {
    id: 'IN-03',
    needs: ['N'],
    title: 'a loan for more than 28 days, or none, is cut to what is possible',
    clause: 'LoanInput: days from 1 to 28; 422',
    start: onBody(['lendTool'], (body) =>
      Number.isInteger(body.days) ? { ...body, days: Math.min(28, Math.max(1, Number(body.days))) } : body,
    ),
    witness: async (client) => (await client.loan(await client.tool({}, 1), { days: 29 })).reply.status === 201,
  },
  {
    id: 'IN-04',
    needs: ['N'],
    title: 'a tool id that is no UUID makes lending fail',
    clause: 'LoanInput: toolId is a uuid; 422',
    start: onAnswer(
      (exchange, { status }) =>
        isOperation('lendTool')(exchange) &&
        status === 422 &&
        !/^[0-9a-f-]{36}$/i.test(textOf((fieldsOf(exchange.call) as Row).toolId)),
      (answer) => asProblem(answer, 500),
    ),
    witness: async (client) => (await client.loan(await client.tool(), { toolId: '17' })).reply.status === 500,
  },
  {
    id: 'IN-05',
    needs: ['N', 'H'],
    title: 'a note is taken whatever its media type is',
    clause: 'addNote: application/json; 415',
    start: onCall(
      (exchange) =>
        isOperation('addNote', 'replaceNote')(exchange) &&
        headerOf(exchange.call, 'Content-Type') !== 'application/json',
      (call) => withHeader(call, 'Content-Type', 'application/json'),
    ),
    witness: async (client) => {
      const { path } = await client.tool();
      const headers = { 'Content-Type': 'text/plain' };
      return (await client.post(`${path}/notes`, { text: 'New blade' }, { headers })).status === 201;
    },
  },
  {
    id: 'IN-06',
    needs: ['N', 'L'],
    title: 'page 0 is page 1',
    clause: 'page: minimum 1; 400',
    start: onCall(
      (exchange) => isPaged(exchange) && exchange.place.query.get('page') === '0',
      (call, exchange) => withParameter(call, exchange, 'page', '1'),
    ),
    witness: async (client) => (await client.get(`${SHED}/tools?page=0`)).status === 200,
  },
  {
    id: 'IN-07',
    needs: ['N'],
    title: 'a tag that is given twice is taken once',
    clause: 'ToolInput: tags has uniqueItems; 422',
    start: onBody(['addTool'], (body) =>
      Array.isArray(body.tags) ? { ...body, tags: [...new Set(body.tags)] } : body,
    ),
    witness: async (client) => (await client.tool({ tags: ['oak', 'oak'] })).reply.status === 201,
  },
  {
    id: 'IN-08',
    needs: ['N'],
    title: 'a member needs no name',
    clause: 'MemberInput: fullName is required; 422',
    start: onBody(['putMember'], (body) => (body.fullName === undefined ? { ...body, fullName: 'Member' } : body)),
    witness: async (client) => (await client.put(`${SHED}/members/no-name`, {})).status === 201,
  },
];
