import { good, onAnswer, type Defect } from '../../defect';
import { omit, textOf } from '../../json';
import { asJson, dataOf, editData, editMeta, itemsOf, onBody, withList, type Row } from '../../frame/envelope';
import { fieldsOf, withJson } from '../../message';
import { type LendingClient, SHED } from '../client';
import { asProblem } from '../dialect';
import { Memory } from '../../frame/memory';

const TOOLS = ['listTools', 'getTool', 'changeTool', 'restoreTool', 'deleteTool'];

export const WRITE_DEFECTS: readonly Defect<LendingClient>[] = [
  {
    id: 'WR-01',
    needs: ['V'],
    title: 'a change takes away what it does not name',
    clause: 'RFC 7396 §1: members that are not in the patch stay; the description',
    start: onBody(['changeTool'], (body) => ({
      ...body,
      deposit: body.deposit ?? null,
      tags: body.tags ?? [],
    })),
    witness: async (client) => {
      const tool = await client.tool({ deposit: '20.00' });
      await client.change(tool, { name: 'Old drill' });
      return (await client.read(tool.path)).deposit === undefined;
    },
  },
  {
    id: 'WR-02',
    needs: ['V'],
    title: 'null does not take the deposit away',
    clause: 'RFC 7396 §2: null removes the member',
    start: onBody(['changeTool'], (body) => (body.deposit === null ? omit(body, 'deposit') : body)),
    witness: async (client) => {
      const tool = await client.tool({ deposit: '20.00' });
      await client.change(tool, { deposit: null });
      return (await client.read(tool.path)).deposit === '20.00';
    },
  },
  {
    id: 'WR-03',
    needs: ['V'],
    title: 'a member who is replaced keeps what the new one leaves out',
    clause: 'RFC 9110 §9.3.4: the state is replaced by that of the content',
    start: () => async (exchange) => {
      const { call, place, ask, pass } = exchange;
      if (place.operation !== 'putMember') return pass();
      const { email, creditLimit } = dataOf(await ask('GET', call.target));
      const body = fieldsOf(call);
      const kept = Object.entries({ email, creditLimit }).filter(
        ([name, value]) => value !== undefined && body[name] === undefined,
      );
      if (kept.length === 0 || !exchange.fires()) return pass();
      return pass(withJson(call, { ...body, ...Object.fromEntries(kept) }));
    },
    witness: async (client) => {
      const { path } = await client.member({ email: 'mina@example.com' });
      await client.put(path, { fullName: 'Mina K.' });
      return (await client.read(path)).email === 'mina@example.com';
    },
  },
  {
    id: 'WR-04',
    needs: ['V'],
    title: 'a note that is replaced loses its author',
    clause: 'replaceNote: the author of the body is that of the note',
    start: onBody(['replaceNote'], (body) => omit(body, 'author')),
    witness: async (client) => {
      const { path } = await client.note(await client.tool(), { author: 'Jun' });
      await client.put(path, { text: 'Blunt again', author: 'Jun' });
      return (await client.read(path)).author === undefined;
    },
  },
  {
    id: 'WR-05',
    needs: ['V'],
    title: 'the response to a change shows the tool as it was before',
    clause: 'changeTool: 200 with the tool',
    start: () => async (exchange) => {
      const { call, place, ask, pass } = exchange;
      if (place.operation !== 'changeTool') return pass();
      const [before, answer] = [await ask('GET', call.target), await pass()];
      return answer.status === 200 && exchange.fires() ? { ...answer, body: before.body } : answer;
    },
    witness: async (client) => {
      const reply = await client.change(await client.tool(), { name: 'Old drill' });
      return ((reply.fields as Row).data as Row).name === 'Drill';
    },
  },
  {
    id: 'WR-06',
    needs: ['N', 'V'],
    title: 'a change that is refused with 422 renames the tool all the same',
    clause: 'changeTool: 422 where the body is not valid',
    start: () => async (exchange) => {
      const { call, place, pass } = exchange;
      const answer = await pass();
      const { name } = fieldsOf(call);
      if (place.operation !== 'changeTool' || answer.status !== 422 || name === undefined || !exchange.fires())
        return answer;
      await pass(withJson(call, { name }));
      return answer;
    },
    witness: async (client) => {
      const tool = await client.tool();
      await client.change(tool, { name: 'Old drill', dailyRate: 'much' });
      return (await client.read(tool.path)).name === 'Old drill';
    },
  },
  {
    id: 'WR-07',
    needs: ['V'],
    title: 'the deposit is dropped when a tool is added',
    clause: 'addTool: ToolInput has a deposit, and Tool too',
    start: onBody(['addTool'], (body) => omit(body, 'deposit')),
    witness: async (client) =>
      (await client.read((await client.tool({ deposit: '20.00' })).path)).deposit === undefined,
  },
  {
    id: 'WR-08',
    needs: ['V'],
    title: 'letters beyond ASCII become question marks in notes',
    clause: 'addNote: the text that was sent (RFC 8259 §8.1)',
    start: onBody(['addNote', 'replaceNote'], (body) =>
      typeof body.text === 'string' ? { ...body, text: body.text.replace(/[^\0-\x7f]/gu, '?') } : body,
    ),
    witness: async (client) =>
      (await client.read((await client.note(await client.tool(), { text: 'Größe 8' })).path)).text === 'Gr??e 8',
  },
  {
    id: 'WR-09',
    needs: ['V'],
    title: 'credit limits lose their cents',
    clause: 'Money: two decimals',
    start: onBody(['putMember'], (body) =>
      typeof body.creditLimit === 'string'
        ? { ...body, creditLimit: body.creditLimit.replace(/\.\d\d$/, '.00') }
        : body,
    ),
    witness: async (client) =>
      (await client.read((await client.member({ creditLimit: '9.75' })).path)).creditLimit === '9.00',
  },
  {
    id: 'WR-10',
    needs: ['V', 'L'],
    title: 'the day on which a member joined is another one in the list',
    clause: 'listMembers: Member, as it is',
    start: onAnswer(good('listMembers'), (answer) =>
      editData(answer, (member) => ({ ...member, joinedOn: '1970-01-01' })),
    ),
    witness: async (client) => (await client.list('members')).some(({ joinedOn }) => joinedOn === '1970-01-01'),
  },
];

export const REMOVAL_DEFECTS: readonly Defect<LendingClient>[] = [
  {
    id: 'DE-01',
    needs: ['V', 'L'],
    title: 'a deleted tool stays in the list',
    clause: 'deleteTool: the tool leaves the list',
    start: () => {
      const deleted = new Map<string, Row>();
      return async (exchange) => {
        const { call, place, ask, pass } = exchange;
        const tool = place.operation === 'deleteTool' ? dataOf(await ask('GET', call.target)) : {};
        const answer = await pass();
        if (good('deleteTool')(exchange, answer) && exchange.fires()) deleted.set(textOf(tool.id), tool);
        if (place.operation === 'restoreTool') deleted.delete(place.id ?? '');
        if (!good('listTools')(exchange, answer) || deleted.size === 0 || place.query.has('page')) return answer;
        const all = withList(answer, [...itemsOf(answer), ...deleted.values()]);
        return editMeta(all, (meta) => ({ ...meta, total: Number(meta.total) + deleted.size }));
      };
    },
    witness: async (client) => {
      const { id, path } = await client.tool();
      await client.delete(path);
      return (await client.list('tools?perPage=50')).some((tool) => tool.id === id);
    },
  },
  {
    id: 'DE-02',
    needs: ['V'],
    title: 'a deleted tool cannot be read any more',
    clause: 'getTool: a deleted tool can still be read',
    start: onAnswer(
      (exchange, answer) => good('getTool')(exchange, answer) && dataOf(answer).deletedAt !== undefined,
      (answer) => asProblem(answer, 404),
    ),
    witness: async (client) => {
      const { path } = await client.tool();
      await client.delete(path);
      return (await client.get(path)).status === 404;
    },
  },
  {
    id: 'DE-03',
    needs: ['B', 'V'],
    title: 'a deleted tool can be changed',
    clause: 'deleteTool: it cannot be changed any more; 409',
    start: () => {
      const memory = new Memory();
      return async (exchange) => {
        const { call, place, ask, pass } = exchange;
        const answer = await pass();
        const isRefused = place.operation === 'changeTool' && answer.status === 409;
        if (!isRefused || !exchange.fires())
          return TOOLS.includes(place.operation ?? '') ? memory.show(answer) : answer;
        memory.change(place.id ?? '', (tool) => ({ ...tool, ...fieldsOf(call) }));
        return memory.show(await ask('GET', call.target));
      };
    },
    witness: async (client) => {
      const tool = await client.tool();
      await client.delete(tool.path);
      return (await client.change(tool, { name: 'Old drill' })).status === 200;
    },
  },
  {
    id: 'DE-04',
    needs: ['V', 'L'],
    title: 'a tool that is restored does not come back to the list',
    clause: 'restoreTool: brings a deleted tool back',
    start: () => {
      const memory = new Memory();
      return async (exchange) => {
        const answer = await exchange.pass();
        if (good('restoreTool')(exchange, answer) && exchange.fires()) memory.hide(textOf(dataOf(answer).id));
        return exchange.place.operation === 'listTools' ? memory.show(answer) : answer;
      };
    },
    witness: async (client) => {
      const { id, path } = await client.tool();
      await client.delete(path);
      await client.post(`${path}/restore`, {});
      return !(await client.list('tools?perPage=50')).some((tool) => tool.id === id);
    },
  },
  {
    id: 'DE-05',
    needs: ['Q', 'T'],
    title: 'deleting a tool once more is a 404',
    clause: 'deleteTool: deleting it once more changes nothing; 204',
    start: () => async (exchange) => {
      const { call, place, ask, pass } = exchange;
      const isDeleted =
        place.operation === 'deleteTool' && dataOf(await ask('GET', call.target)).deletedAt !== undefined;
      const answer = await pass();
      return isDeleted && exchange.fires() ? asProblem(answer, 404) : answer;
    },
    witness: async (client) => {
      const { path } = await client.tool();
      return [await client.delete(path), await client.delete(path)].at(-1)?.status === 404;
    },
  },
  {
    id: 'DE-06',
    needs: ['V'],
    title: 'a note that was removed can still be read',
    clause: 'deleteNote: it is gone',
    start: () => {
      const removed = new Map<string, Row>();
      return async (exchange) => {
        const { call, place, ask, pass } = exchange;
        const note = place.operation === 'deleteNote' ? fieldsOf(await ask('GET', call.target)) : {};
        const answer = await pass();
        if (good('deleteNote')(exchange, answer) && exchange.fires()) removed.set(call.target, note);
        const kept = place.operation === 'getNote' && answer.status === 404 ? removed.get(call.target) : undefined;
        return kept === undefined ? answer : asJson(answer, 200, kept);
      };
    },
    witness: async (client) => {
      const { path } = await client.note(await client.tool());
      await client.delete(path);
      return (await client.get(path)).status === 200;
    },
  },
  {
    id: 'DE-07',
    needs: ['V'],
    title: 'a deleted tool has no deletedAt',
    clause: 'getTool: with deletedAt',
    start: onAnswer(
      (exchange, answer) => good('getTool')(exchange, answer) && dataOf(answer).deletedAt !== undefined,
      (answer) => editData(answer, (tool) => omit(tool, 'deletedAt')),
    ),
    witness: async (client) => {
      const { path } = await client.tool();
      await client.delete(path);
      return (await client.read(path)).deletedAt === undefined;
    },
  },
  {
    id: 'DE-08',
    needs: ['V'],
    title: 'the removal of a member removes nobody',
    clause: 'removeMember: they are gone',
    start: () => async (exchange) => {
      const { call, place, ask, pass } = exchange;
      if (place.operation !== 'removeMember') return pass();
      const kept = omit(dataOf(await ask('GET', call.target)), 'handle', 'joinedOn');
      const answer = await pass();
      if (answer.status === 204 && exchange.fires()) await ask('PUT', call.target, kept);
      return answer;
    },
    witness: async (client) => {
      const { path } = await client.member();
      await client.delete(path);
      return (await client.get(path)).status === 200 && path.startsWith(SHED);
    },
  },
];
