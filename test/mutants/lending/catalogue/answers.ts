import { bad, good, onAnswer, type Defect } from '../../defect';
import { isFields, omit, textOf } from '../../json';
import { asJson, at, dataOf, editMeta, inData, type Row } from '../../frame/envelope';
import { edited, fieldsOf, withHeader, withJson, withStatus } from '../../message';
import { bodyOf } from '../../frame/client';
import { type LendingClient, NOBODY, SHED } from '../client';
import { asProblem } from '../dialect';

const TOOLS = ['listTools', 'addTool', 'getTool', 'changeTool', 'restoreTool'];
const LOANS = ['listLoans', 'lendTool', 'getLoan', 'returnLoan'];
const PAGES = ['listTools', 'listNotes', 'listLoans'];

export const ANSWER_DEFECTS: readonly Defect<LendingClient>[] = [
  {
    id: 'ST-01',
    needs: ['T'],
    title: 'adding a tool returns 200',
    clause: 'addTool: 201',
    start: onAnswer(good('addTool'), withStatus(200)),
    witness: async (client) => (await client.tool()).reply.status === 200,
  },
  {
    id: 'ST-02',
    needs: ['T', 'S'],
    title: 'an unknown loan is 200 with null',
    clause: 'getLoan: 404',
    start: onAnswer(at('getLoan', 404), (answer) => asJson(answer, 200, { data: null, meta: { self: SHED } })),
    witness: async (client) => (await client.get(`${SHED}/loans/${NOBODY}`)).status === 200,
  },
  {
    id: 'ST-03',
    needs: ['T'],
    title: 'an unknown member makes the server fail',
    clause: 'getMember: 404',
    start: onAnswer(at('getMember', 404), (answer) => asProblem(answer, 500)),
    witness: async (client) => (await client.get(`${SHED}/members/nobody-here`)).status === 500,
  },
  {
    id: 'ST-04',
    needs: ['T', 'H'],
    title: 'enrolling a member returns 200',
    clause: 'RFC 9110 §9.3.4: a PUT that creates MUST be told by 201',
    start: onAnswer(at('putMember', 201), withStatus(200)),
    witness: async (client) => (await client.member()).reply.status === 200,
  },
  {
    id: 'ST-05',
    needs: ['T', 'H'],
    title: 'replacing a member returns 201',
    clause: 'RFC 9110 §9.3.4: a PUT that modifies MUST be told by 200 or 204',
    start: onAnswer(at('putMember', 200), (answer, { call }) =>
      withHeader({ ...answer, status: 201 }, 'Location', call.target),
    ),
    witness: async (client) => {
      const { path } = await client.member();
      return (await client.put(path, { fullName: 'Mina K.' })).status === 201;
    },
  },
  {
    id: 'SC-01',
    needs: ['S'],
    title: 'the daily rate is a number',
    clause: 'Money: a string',
    start: inData(TOOLS, (tool) => ({ ...tool, dailyRate: Number(tool.dailyRate) })),
    witness: async (client) => typeof (await client.read((await client.tool()).path)).dailyRate === 'number',
  },
  {
    id: 'SC-02',
    needs: ['S'],
    title: 'a zero at the end of a daily rate is dropped',
    clause: 'Money: two decimals',
    start: inData(TOOLS, (tool) => ({ ...tool, dailyRate: textOf(tool.dailyRate).replace(/0$/, '') })),
    witness: async (client) => (await client.read((await client.tool()).path)).dailyRate === '6.5',
  },
  {
    id: 'SC-03',
    needs: ['S'],
    title: 'a tool without tags has no list of them',
    clause: 'Tool: tags is required',
    start: inData(TOOLS, (tool) => (Array.isArray(tool.tags) && tool.tags.length === 0 ? omit(tool, 'tags') : tool)),
    witness: async (client) => (await client.read((await client.tool()).path)).tags === undefined,
  },
  {
    id: 'SC-04',
    needs: ['S'],
    title: 'times of loans have no zone',
    clause: 'Loan: lentAt is a date-time, which has an offset (RFC 3339 §5.6)',
    start: inData(LOANS, (loan) => ({ ...loan, lentAt: textOf(loan.lentAt).replace('Z', '') })),
    witness: async (client) => (await client.list('loans')).some(({ lentAt }) => !textOf(lentAt).endsWith('Z')),
  },
  {
    id: 'SC-05',
    needs: ['S'],
    title: 'the deposit is null where there is none',
    clause: 'Tool: deposit is a string, and may be absent',
    start: inData(TOOLS, (tool) => ({ ...tool, deposit: tool.deposit ?? null })),
    witness: async (client) => (await client.read((await client.tool()).path)).deposit === null,
  },
  {
    id: 'SC-06',
    needs: ['S'],
    title: 'pages do not say how many there are in total',
    clause: 'PageMeta: total is required',
    start: onAnswer(good(...PAGES), (answer) => editMeta(answer, (meta) => omit(meta, 'total'))),
    witness: async (client) => (await client.meta('tools')).total === undefined,
  },
  {
    id: 'SC-07',
    needs: ['S'],
    title: 'the last page of members has no nextCursor',
    clause: 'CursorMeta: nextCursor is required, and null on the last page',
    start: onAnswer(good('listMembers'), (answer) =>
      editMeta(answer, (meta) => (meta.nextCursor === null ? omit(meta, 'nextCursor') : meta)),
    ),
    witness: async (client) => (await client.meta('members?limit=50')).nextCursor === undefined,
  },
  {
    id: 'SC-08',
    needs: ['S'],
    title: 'a loan that is just returned has its state in capitals',
    clause: 'LoanState: out, returned',
    start: inData(['returnLoan'], (loan) => ({ ...loan, state: textOf(loan.state).toUpperCase() })),
    witness: async (client) => {
      const { path } = await client.loan(await client.tool({}, 1));
      return dataOf(bodyOf(await client.post(`${path}/return`, {}))).state === 'RETURNED';
    },
  },
  {
    id: 'SC-09',
    needs: ['S'],
    title: 'the day on which a member joined has a time',
    clause: 'Member: joinedOn is a date',
    start: inData(['getMember', 'putMember', 'listMembers'], (member) => ({
      ...member,
      joinedOn: `${textOf(member.joinedOn)}T00:00:00Z`,
    })),
    witness: async (client) => textOf((await client.read((await client.member()).path)).joinedOn).includes('T'),
  },
  {
    id: 'SC-10',
    needs: ['S'],
    title: 'a note is read without its envelope',
    clause: 'getNote: NoteEnvelope',
    start: onAnswer(good('getNote'), (answer) => withJson(answer, dataOf(answer))),
    witness: async (client) => 'text' in (await client.get((await client.note(await client.tool())).path)).fields,
  },
  {
    id: 'ER-01',
    needs: ['E'],
    title: 'problems are labelled application/json',
    clause: 'RFC 9457 §3: application/problem+json, and the description',
    start: onAnswer(
      (_, { status }) => status >= 400,
      (answer) => withHeader(answer, 'Content-Type', 'application/json'),
    ),
    witness: async (client) =>
      (await client.get(`${SHED}/loans/${NOBODY}`)).header('content-type') === 'application/json',
  },
  {
    id: 'ER-02',
    needs: ['E'],
    title: 'the status in the body of a 404 is 400',
    clause: 'RFC 9457 §3.1.2: the generator MUST use the same status code in the response',
    start: onAnswer(
      bad(404),
      edited((problem) => ({ ...problem, status: 400 })),
    ),
    witness: async (client) => (await client.get(`${SHED}/loans/${NOBODY}`)).fields.status === 400,
  },
  {
    id: 'ER-03',
    needs: ['E'],
    title: 'a 422 has no title',
    clause: 'Problem: title is required',
    start: onAnswer(
      bad(422),
      edited((problem) => omit(problem, 'title')),
    ),
    witness: async (client) => !('title' in (await client.post(`${SHED}/tools`, {})).fields),
  },
  {
    id: 'ER-04',
    needs: ['E', 'N'],
    title: 'malformed JSON makes the server fail',
    clause: 'addTool, putMember, addNote …: 400',
    start: onAnswer(
      ({ call }, { status, body }) => call.method !== 'GET' && status === 400 && body.includes('not JSON'),
      (answer) => asProblem(answer, 500),
    ),
    witness: async (client) => (await client.send('POST', `${SHED}/tools`, { text: '{"name":' })).status === 500,
  },
  {
    id: 'ER-05',
    needs: ['E', 'N'],
    title: 'what is wrong in a body is named without the slash of a JSON Pointer',
    clause: 'Problem: pointer is a json-pointer (RFC 6901 §3)',
    start: onAnswer(
      (_, answer) => answer.status === 422 && 'errors' in fieldsOf(answer),
      (answer) => ({ ...answer, body: Buffer.from(answer.body.toString().replaceAll('"pointer":"/', '"pointer":"')) }),
    ),
    witness: async (client) => {
      const { errors } = (await client.tool({ dailyRate: 'much' })).reply.fields as Row;
      return Array.isArray(errors) && errors.some((each) => isFields(each) && each['pointer'] === 'dailyRate');
    },
  },
  {
    id: 'ER-06',
    needs: ['E'],
    title: 'a 404 is the HTML page of a framework',
    clause: 'NotFound: application/problem+json',
    start: onAnswer(bad(404), (answer) => ({
      ...withHeader(answer, 'Content-Type', 'text/html; charset=utf-8'),
      body: Buffer.from('<!DOCTYPE html><pre>Cannot GET</pre>'),
    })),
    witness: async (client) => (await client.get(`${SHED}/loans/${NOBODY}`)).text.startsWith('<!DOCTYPE'),
  },
];
