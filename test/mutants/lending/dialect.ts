import { isOperation, onCall, type Alteration } from '../defect';
import type { Dialect } from '../dialect';
import { isFields, textOf, writeJson, type Json } from '../json';
import { type Answer, type Call, fieldsOf, type Place, withHeader, withJson } from '../message';
import type { Row } from './input';

/** By what stands behind the workspace, `*` for a name: the collection and the operations. */
const OPERATIONS: Readonly<Record<string, readonly [string, Readonly<Record<string, string>>]>> = {
  tools: ['tools', { GET: 'listTools', POST: 'addTool' }],
  'tools/*': ['tools', { GET: 'getTool', PATCH: 'changeTool', DELETE: 'deleteTool' }],
  'tools/*/restore': ['tools', { POST: 'restoreTool' }],
  'tools/*/stock-movements': ['tools', { POST: 'moveStock' }],
  'tools/*/notes': ['notes', { GET: 'listNotes', POST: 'addNote' }],
  'tools/*/notes/*': ['notes', { GET: 'getNote', PUT: 'replaceNote', DELETE: 'deleteNote' }],
  members: ['members', { GET: 'listMembers' }],
  'members/*': ['members', { GET: 'getMember', PUT: 'putMember', DELETE: 'removeMember' }],
  loans: ['loans', { GET: 'listLoans', POST: 'lendTool' }],
  'loans/*': ['loans', { GET: 'getLoan' }],
  'loans/*/return': ['loans', { POST: 'returnLoan' }],
};

function placeOf({ method, target }: Call): Place {
  const [path = '', query = ''] = target.split(/\?(.*)/s);
  const [, base = '', rest = ''] = /^(\/v2\/[^/]+)\/(.*)$/.exec(path) ?? [];
  const parts = rest.split('/');
  const pattern = parts.map((part, at) => (at % 2 === 1 ? '*' : part)).join('/');
  const [collection, operations] = OPERATIONS[pattern] ?? [];
  return {
    base,
    collection,
    id: collection === 'notes' ? parts[3] : parts[1],
    query: new URLSearchParams(query),
    operation: operations?.[method === 'HEAD' ? 'GET' : method],
  };
}

/** The resource of an answer; an empty one where there is none. */
export const dataOf = (message: Pick<Answer, 'body'>): Row => rowOf((fieldsOf(message) as Row).data);

/** The resources of the list in an answer. */
export function itemsOf(message: Pick<Answer, 'body'>): Row[] {
  const { data } = fieldsOf(message) as Row;
  return Array.isArray(data) ? data.map(rowOf) : [];
}

const rowOf = (json: Json | undefined): Row => (isFields(json) ? json : {});

/** Changes the resource in an answer, or each one of its list. */
export function editData(answer: Answer, change: (row: Row) => Row): Answer {
  const body = fieldsOf(answer) as Row;
  if (Array.isArray(body.data)) return withList(answer, itemsOf(answer).map(change));
  return isFields(body.data) ? withJson(answer, { ...body, data: change(body.data) }) : answer;
}

export const withList = (answer: Answer, data: Row[]): Answer => withJson(answer, { ...fieldsOf(answer), data });

export const editMeta = (answer: Answer, change: (meta: Row) => Row): Answer => {
  const body = fieldsOf(answer) as Row;
  return isFields(body.meta) ? withJson(answer, { ...body, meta: change(body.meta) }) : answer;
};

/** Another body reaches the server, where these operations get one that the change makes another of. */
export const onBody = (operations: readonly string[], change: (body: Row) => Row): Alteration['start'] =>
  onCall(
    (exchange) => {
      const body = fieldsOf(exchange.call);
      return isOperation(...operations)(exchange) && writeJson(change(body)) !== writeJson(body);
    },
    (call) => withJson(call, change(fieldsOf(call))),
  );

export const asJson = (answer: Answer, status: number, body: Json): Answer =>
  withJson(withHeader({ ...answer, status }, 'Content-Type', 'application/json'), body);

export const asProblem = (answer: Answer, status: number): Answer =>
  withHeader(
    asJson(answer, status, { type: 'about:blank', title: 'It cannot be done', status }),
    'Content-Type',
    'application/problem+json',
  );

export const KEY = 'X-Workspace-Key';

export const LENDING: Dialect = {
  placeOf,
  resourceOf: (operation) =>
    Object.values(OPERATIONS).find(([, names]) => Object.values(names).includes(operation ?? ''))?.[0],
  subjectOf: (call, { collection = '', id }, answer) => {
    const made = answer === undefined ? call.body.toString() : textOf(dataOf(answer).id);
    return `${collection}/${id ?? (call.method === 'POST' ? made : call.target)}`;
  },
  credential: (key) => [KEY, key],
};
