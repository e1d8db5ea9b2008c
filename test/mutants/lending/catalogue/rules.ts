import { randomUUID } from 'node:crypto';
import { good, isOperation, onAnswer, onCall, type Defect, type Exchange } from '../../defect';
import { textOf } from '../../json';
import { asJson, dataOf, editData, type Row } from '../../frame/envelope';
import { type Answer, fieldsOf, headerOf, withHeader, withJson } from '../../message';
import { bodyOf } from '../../frame/client';
import { type LendingClient, SHED } from '../client';
import { asProblem } from '../dialect';
import { answeringAgain, ignoring, needingNoTag, refusingTheSame, taking } from '../../frame/starts';
import { Memory } from '../../frame/memory';

const LOANS = ['lendTool', 'getLoan', 'listLoans', 'returnLoan'];

/** Moves the stock of a tool behind everybody's back. */
const move = ({ ask, place }: Exchange, toolId: string, delta: number): Promise<Answer> =>
  ask('POST', `${place.base}/tools/${toolId}/stock-movements`, { delta });

/** Once a call of this operation was answered with this status. */
const after = (
  operation: string,
  status: number,
  act: (exchange: Exchange, answer: Answer) => Answer | Promise<Answer>,
): Defect['start'] =>
  onAnswer(
    ({ place }, answer) => place.operation === operation && answer.status === status,
    (answer, exchange) => act(exchange, answer),
  );

const stockOf = async (client: LendingClient, { path }: { readonly path: string }): Promise<number> =>
  Number((await client.read(path)).stock);

export const RULE_DEFECTS: readonly Defect<LendingClient>[] = [
  {
    id: 'BR-01',
    needs: ['B'],
    title: 'a loan can be returned twice',
    clause: 'returnLoan: a loan is returned once; 409 after that',
    start: after('returnLoan', 409, ({ ask, call }) => ask('GET', call.target.replace('/return', ''))),
    witness: async (client) => {
      const { path } = await client.loan(await client.tool({}, 1));
      return [await client.post(`${path}/return`, {}), await client.post(`${path}/return`, {})].at(-1)?.status === 200;
    },
  },
  {
    id: 'BR-02',
    needs: ['B'],
    title: 'a tool that is returned does not come into stock',
    clause: 'returnLoan: puts it into stock again',
    start: after('returnLoan', 200, async (exchange, answer) => {
      await move(exchange, textOf(dataOf(answer).toolId), -1);
      return answer;
    }),
    witness: async (client) => {
      const tool = await client.tool({}, 1);
      await client.post(`${(await client.loan(tool)).path}/return`, {});
      return (await stockOf(client, tool)) === 0;
    },
  },
  {
    id: 'BR-03',
    needs: ['B'],
    title: 'lending takes nothing out of stock',
    clause: 'lendTool: takes one out of the stock of the tool',
    start: after('lendTool', 201, async (exchange, answer) => {
      await move(exchange, textOf(dataOf(answer).toolId), 1);
      return answer;
    }),
    witness: async (client) => {
      const tool = await client.tool({}, 1);
      await client.loan(tool);
      return (await stockOf(client, tool)) === 1;
    },
  },
  {
    id: 'BR-04',
    needs: ['B'],
    title: 'taking out more than there is takes out what there is',
    clause: 'moveStock: 409 where that would be less than zero',
    start: after('moveStock', 409, async ({ call, ask, pass }, answer) => {
      const stock = Number(dataOf(await ask('GET', call.target.replace('/stock-movements', ''))).stock);
      if (stock > 0) return pass(withJson(call, { ...fieldsOf(call), delta: -stock }));
      const movement = { id: randomUUID(), ...fieldsOf(call), stock: 0, movedAt: new Date().toISOString() };
      return asJson(answer, 201, { data: movement, meta: { self: call.target } });
    }),
    witness: async (client) => (await client.move(await client.tool({}, 2), -3)).status === 201,
  },
  {
    id: 'BR-05',
    needs: ['B'],
    title: 'a tool is lent although none is in stock',
    clause: 'lendTool: 409 where there is none',
    start: after('lendTool', 409, async (exchange) => {
      await move(exchange, textOf((fieldsOf(exchange.call) as Row).toolId), 1);
      return exchange.pass();
    }),
    witness: async (client) => (await client.loan(await client.tool())).reply.status === 201,
  },
  {
    id: 'BR-06',
    needs: ['B'],
    title: 'the fee is for one day, however many there are',
    clause: 'lendTool: the fee is the daily rate for each day',
    start: onAnswer(good(...LOANS), (answer) =>
      editData(answer, (loan) => ({ ...loan, fee: (Number(loan.fee) / Number(loan.days)).toFixed(2) })),
    ),
    witness: async (client) => {
      const loan = await client.loan(await client.tool({ dailyRate: '2.00' }, 1), { days: 3 });
      return (await client.read(loan.path)).fee === '2.00';
    },
  },
  {
    id: 'BR-07',
    needs: ['B', 'T'],
    title: 'the deletion of a tool that is lent returns 204 and deletes nothing',
    clause: 'deleteTool: 409 while it is lent',
    start: after('deleteTool', 409, (_, answer) => ({
      status: 204,
      headers: answer.headers.filter(([name]) => name === 'Date'),
      body: Buffer.alloc(0),
    })),
    witness: async (client) => {
      const tool = await client.tool({}, 1);
      await client.loan(tool);
      return (await client.delete(tool.path)).status === 204;
    },
  },
  {
    id: 'BR-08',
    needs: ['B'],
    title: 'a tool is lent to somebody who is no member',
    clause: 'lendTool: 422 where the member does not exist',
    start: () => {
      const memory = new Memory();
      return async (exchange) => {
        const { call, place, pass } = exchange;
        const answer = await pass();
        const { member } = fieldsOf(call) as Row;
        const isUnknown = place.operation === 'lendTool' && answer.body.includes('no such member');
        if (!isUnknown || !exchange.fires())
          return LOANS.includes(place.operation ?? '') ? memory.show(answer) : answer;
        const lent = await pass(withJson(call, { ...fieldsOf(call), member: 'ada' }));
        memory.change(textOf(dataOf(lent).id), (loan) => ({ ...loan, member }));
        return memory.show(lent);
      };
    },
    witness: async (client) =>
      (await client.loan(await client.tool({}, 1), { member: 'nobody-here' })).reply.status === 201,
  },
  {
    id: 'BR-09',
    needs: ['B', 'V'],
    title: 'a movement that is refused empties the stock',
    clause: 'moveStock: the stock stays as it is then',
    start: after('moveStock', 409, async (exchange, answer) => {
      const { call, ask } = exchange;
      const { id, stock } = dataOf(await ask('GET', call.target.replace('/stock-movements', '')));
      if (Number(stock) > 0) await move(exchange, textOf(id), -Number(stock));
      return answer;
    }),
    witness: async (client) => {
      const tool = await client.tool({}, 2);
      await client.move(tool, -3);
      return (await stockOf(client, tool)) === 0;
    },
  },
  {
    id: 'BR-10',
    needs: ['B', 'V'],
    title: 'the response to a return shows the loan as it was before',
    clause: 'returnLoan: 200 with the loan; LoanState',
    start: onAnswer(good('returnLoan'), (answer) => editData(answer, (loan) => ({ ...loan, state: 'out' }))),
    witness: async (client) => {
      const { path } = await client.loan(await client.tool({}, 1));
      return dataOf(bodyOf(await client.post(`${path}/return`, {}))).state === 'out';
    },
  },
];

/** The key of an idempotent call, as far as it is one. */
const repeatedKey = ({ call, place }: Exchange): string | undefined =>
  place.operation === 'lendTool' ? headerOf(call, 'Idempotency-Key') : undefined;

export const REPETITION_DEFECTS: readonly Defect<LendingClient>[] = [
  {
    id: 'CO-01',
    needs: ['Q', 'H'],
    title: 'a change is made although the entity tag is an old one',
    clause: 'RFC 9110 §13.1.1: MUST NOT perform the method if the condition is false; 412',
    start: taking('changeTool'),
    witness: async (client) =>
      (await client.change(await client.tool(), { name: 'Old drill' }, '"old"')).status === 200,
  },
  {
    id: 'CO-02',
    needs: ['Q', 'H'],
    title: 'a tool has the same entity tag after a change',
    clause: 'ETag: another one after each change (RFC 9110 §8.8.1)',
    start: () => async (exchange) => {
      const { call, pass } = exchange;
      const match = headerOf(call, 'If-Match');
      const answer = await pass(match?.endsWith('-0"') ? withHeader(call, 'If-Match', '*') : call);
      const tag = headerOf(answer, 'ETag');
      return tag !== undefined && exchange.fires() ? withHeader(answer, 'ETag', tag.replace(/-\d+"$/, '-0"')) : answer;
    },
    witness: async (client) => {
      const tool = await client.tool();
      const changed = await client.change(tool, { name: 'Old drill' });
      return changed.header('etag') === tool.reply.header('etag');
    },
  },
  {
    id: 'CO-03',
    needs: ['H', 'N'],
    title: 'a change needs no entity tag',
    clause: 'changeTool: 428 without If-Match (RFC 6585 §3)',
    start: needingNoTag('changeTool'),
    witness: async (client) => {
      const headers = { 'Content-Type': 'application/merge-patch+json' };
      return (await client.patch((await client.tool()).path, { name: 'Old drill' }, { headers })).status === 200;
    },
  },
  {
    id: 'CO-04',
    needs: ['H', 'V'],
    title: 'a tool that has changed is a 304 for who has the old one',
    clause: 'RFC 9110 §13.1.2: 304 only if the tag matches',
    start: onCall(
      (exchange) => isOperation('getTool')(exchange) && headerOf(exchange.call, 'If-None-Match') !== undefined,
      (call) => withHeader(call, 'If-None-Match', '*'),
    ),
    witness: async (client) => {
      const tool = await client.tool();
      await client.move(tool, 1);
      const headers = { 'If-None-Match': tool.reply.header('etag') ?? '' };
      return (await client.get(tool.path, { headers })).status === 304;
    },
  },
  {
    id: 'CO-05',
    needs: ['Q', 'H'],
    title: 'a deletion does not look at the entity tag',
    clause: 'deleteTool: deletes only the tool with this entity tag; 412',
    start: ignoring('deleteTool', 'If-Match'),
    witness: async (client) =>
      (await client.delete((await client.tool()).path, { headers: { 'If-Match': '"old"' } })).status === 204,
  },
  {
    id: 'CO-06',
    needs: ['H', 'V'],
    title: 'the response to a change has the entity tag of the tool before it',
    clause: 'RFC 9110 §8.8.3: of the selected representation, which is the changed one',
    start: onAnswer(good('changeTool'), (answer, { call }) => withHeader(answer, 'ETag', headerOf(call, 'If-Match'))),
    witness: async (client) => {
      const tool = await client.tool();
      const changed = await client.change(tool, { name: 'Old drill' });
      return changed.header('etag') !== (await client.get(tool.path)).header('etag');
    },
  },
  {
    id: 'ID-01',
    needs: ['Q'],
    title: 'a request that is repeated with its Idempotency-Key lends once more',
    clause: 'Idempotency-Key: nothing is lent again',
    start: ignoring('lendTool', 'Idempotency-Key'),
    witness: async (client) => {
      const [tool, headers] = [await client.tool({}, 2), { 'Idempotency-Key': randomUUID() }];
      return (await client.loan(tool, {}, { headers })).id !== (await client.loan(tool, {}, { headers })).id;
    },
  },
  {
    id: 'ID-02',
    needs: ['Q', 'N'],
    title: 'an Idempotency-Key with another body gets the response to the first',
    clause: 'Idempotency-Key: the same key with another body is a 422',
    start: answeringAgain('lendTool', 422),
    witness: async (client) => {
      const [tool, headers] = [await client.tool({}, 2), { 'Idempotency-Key': randomUUID() }];
      await client.loan(tool, {}, { headers });
      return (await client.loan(tool, { days: 3 }, { headers })).reply.status === 201;
    },
  },
  {
    id: 'ID-03',
    needs: ['Q'],
    title: 'a request that is repeated with its Idempotency-Key is a 409',
    clause: 'Idempotency-Key: gets the response to the earlier one',
    start: () => {
      const seen = new Set<string>();
      return async (exchange) => {
        const key = repeatedKey(exchange) ?? '';
        const answer = await exchange.pass();
        if (key === '' || answer.status !== 201) return answer;
        if (seen.has(key) && exchange.fires()) return asProblem(answer, 409);
        seen.add(key);
        return answer;
      };
    },
    witness: async (client) => {
      const [tool, headers] = [await client.tool({}, 2), { 'Idempotency-Key': randomUUID() }];
      await client.loan(tool, {}, { headers });
      return (await client.loan(tool, {}, { headers })).reply.status === 409;
    },
  },
  {
    id: 'ID-04',
    needs: ['Q', 'T'],
    title: 'putting the same member once more is a 409',
    clause: 'RFC 9110 §9.2.2: PUT is idempotent; putMember has no 409',
    start: refusingTheSame('putMember', (answer) => asProblem(answer, 409)),
    witness: async (client) => {
      const { path } = await client.member();
      return (await client.put(path, { fullName: 'Mina Kay' })).status === 409 && path.startsWith(SHED);
    },
  },
];
