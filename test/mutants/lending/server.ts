import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Row } from '../frame/envelope';
import { oneOfQuery, Problem, wholeNumber } from '../frame/input';
import {
  allowed,
  type Answer,
  type Asking,
  askingOf,
  byText,
  decode,
  findRoute,
  handlerOf,
  none,
  now,
  type Routes,
  startService,
  tagsIn,
} from '../frame/service';
import { textOf, type Json } from '../json';
import { readLoan, readMember, readMovement, readNote, readPatch, readTool } from './input';

interface Tool {
  readonly id: string;
  readonly createdAt: string;
  fields: Row;
  stock: number;
  version: number;
  updatedAt: string;
  deletedAt: string | undefined;
  readonly notes: Row[];
}

interface Workspace {
  readonly slug: string;
  readonly name: string;
  readonly tools: Map<string, Tool>;
  readonly members: Map<string, Row>;
  readonly loans: Row[];
  readonly repeated: Map<string, { readonly body: string; readonly answer: Answer }>;
}

interface Asked extends Asking {
  readonly workspace: Workspace;
}

type Workspaces = ReadonlyMap<string, Workspace>;
type Handler = (asked: Asked) => Answer;

const BASE = '/v2';
const KEYS: Readonly<Record<string, readonly string[]>> = {
  'test-key': ['harbour', 'orchard'],
  'quay-key': ['quarry'],
};

/** Sets the members of a merge patch, which has no nested ones here. */
function merge(fields: Row, patch: Row): Row {
  return Object.fromEntries(Object.entries({ ...fields, ...patch }).filter(([, value]) => value !== null));
}

const shownTool = ({ id, fields, stock, createdAt, updatedAt, deletedAt }: Tool): Row => ({
  id,
  ...fields,
  stock,
  createdAt,
  updatedAt,
  ...(deletedAt === undefined ? {} : { deletedAt }),
});

const tagOf = ({ id, version }: Tool): string => `"${id.slice(0, 8)}-${version}"`;

function touch(tool: Tool): void {
  tool.version += 1;
  tool.updatedAt = now();
}

const one = (data: Json, self: string, more: Partial<Answer> = {}): Answer => ({
  status: 200,
  body: { data, meta: { self } },
  ...more,
});

const toolAnswer = (tool: Tool, slug: string): Answer =>
  one(shownTool(tool), `${BASE}/${slug}/tools/${tool.id}`, { headers: { ETag: tagOf(tool) } });

/** The answer to an addition: where it is stands in Location as well. */
const made = (data: Json, self: string, headers: Answer['headers'] = {}): Answer =>
  one(data, self, { status: 201, headers: { Location: self, ...headers } });

function pageOf(items: readonly Row[], { query, path }: Asked): Answer {
  const page = wholeNumber(query, 'page', 100_000) ?? 1;
  const perPage = wholeNumber(query, 'perPage', 50) ?? 20;
  const last = Math.max(1, Math.ceil(items.length / perPage));
  const others = { first: 1, prev: page - 1, next: page + 1, last };
  const links = Object.entries(others).filter(([, other]) => other >= 1 && other <= last);
  const address = (other: number): string => {
    const parameters = new URLSearchParams(query);
    parameters.set('page', String(other));
    parameters.set('perPage', String(perPage));
    return `${path}?${parameters.toString()}`;
  };
  const Link = links.map(([rel, other]) => `<${address(other)}>; rel="${rel}"`).join(', ');
  const data = items.slice((page - 1) * perPage, page * perPage);
  return { status: 200, body: { data, meta: { page, perPage, total: items.length } }, headers: { Link } };
}

function listTools(asked: Asked): Answer {
  const category = oneOfQuery(asked.query, 'category', ['hand', 'power', 'measuring', 'garden']);
  const sort = oneOfQuery(asked.query, 'sort', ['name', '-name', 'createdAt', '-createdAt']) ?? 'name';
  const keyOf = (tool: Tool): string => (sort.endsWith('name') ? textOf(tool.fields.name) : tool.createdAt);
  const sign = sort.startsWith('-') ? -1 : 1;
  const tools = [...asked.workspace.tools.values()]
    .filter(({ deletedAt, fields }) => deletedAt === undefined && (category ?? fields.category) === fields.category)
    .sort((left, right) => sign * byText(keyOf(left), keyOf(right)) || byText(left.id, right.id));
  return pageOf(tools.map(shownTool), asked);
}

function addTool({ workspace, body, path }: Asked): Answer {
  const at = now();
  const fields = { tags: [], ...readTool(body()) };
  const state = { stock: 0, version: 1, createdAt: at, updatedAt: at, deletedAt: undefined, notes: [] };
  const tool: Tool = { id: randomUUID(), fields, ...state };
  workspace.tools.set(tool.id, tool);
  return made(shownTool(tool), `${path}/${tool.id}`, { ETag: tagOf(tool) });
}

function findTool({ workspace, names }: Asked): Tool {
  const tool = workspace.tools.get((names[0] ?? '').toLowerCase());
  if (tool === undefined) throw none('tool');
  return tool;
}

function getTool(asked: Asked): Answer {
  const tool = findTool(asked);
  const known = tagsIn(asked.header('if-none-match') ?? '').map((tag) => tag.replace('W/', ''));
  if (known.includes('*') || known.includes(tagOf(tool))) return { status: 304, headers: { ETag: tagOf(tool) } };
  return toolAnswer(tool, asked.workspace.slug);
}

function requireMatch(tool: Tool, header: string | undefined): void {
  const wanted = header === undefined ? ['*'] : tagsIn(header);
  if (!wanted.includes('*') && !wanted.includes(tagOf(tool))) throw new Problem(412, 'The tool has been changed.');
}

function requireThere({ deletedAt }: Tool): void {
  if (deletedAt !== undefined) throw new Problem(409, 'The tool is deleted.');
}

function changeTool(asked: Asked): Answer {
  const tool = findTool(asked);
  requireThere(tool);
  const patch = readPatch(asked.body('application/merge-patch+json'));
  const match = asked.header('if-match');
  if (match === undefined) throw new Problem(428, 'Send If-Match with the entity tag that you have read.');
  requireMatch(tool, match);
  const changed = merge(tool.fields, patch);
  if (JSON.stringify(changed) !== JSON.stringify(tool.fields)) {
    tool.fields = changed;
    touch(tool);
  }
  return toolAnswer(tool, asked.workspace.slug);
}

function deleteTool(asked: Asked): Answer {
  const tool = findTool(asked);
  const isLent = asked.workspace.loans.some(({ toolId, state }) => toolId === tool.id && state === 'out');
  if (isLent) throw new Problem(409, 'The tool is lent.');
  requireMatch(tool, asked.header('if-match'));
  if (tool.deletedAt === undefined) {
    touch(tool);
    tool.deletedAt = tool.updatedAt;
  }
  return { status: 204 };
}

function restoreTool(asked: Asked): Answer {
  const tool = findTool(asked);
  if (tool.deletedAt === undefined) throw new Problem(409, 'The tool is not deleted.');
  tool.deletedAt = undefined;
  touch(tool);
  return toolAnswer(tool, asked.workspace.slug);
}

function addNote(asked: Asked): Answer {
  const tool = findTool(asked);
  const id = randomUUID();
  const note = { ...readNote(asked.body()), id, toolId: tool.id, createdAt: now() };
  tool.notes.push(note);
  return made(note, `${asked.path}/${id}`);
}

function findNote(asked: Asked): { readonly notes: Row[]; readonly at: number; readonly note: Row } {
  const { notes } = findTool(asked);
  const at = notes.findIndex(({ id }) => id === asked.names[1]?.toLowerCase());
  const note = notes[at];
  if (note === undefined) throw none('note');
  return { notes, at, note };
}

function replaceNote(asked: Asked): Answer {
  const { notes, at, note } = findNote(asked);
  const replaced = { id: note.id, toolId: note.toolId, ...readNote(asked.body()), createdAt: note.createdAt };
  notes[at] = replaced;
  return one(replaced, asked.path);
}

function deleteNote(asked: Asked): Answer {
  const { notes, at } = findNote(asked);
  notes.splice(at, 1);
  return { status: 204 };
}

function moveStock(asked: Asked): Answer {
  const tool = findTool(asked);
  requireThere(tool);
  const input = readMovement(asked.body());
  const stock = tool.stock + Number(input.delta);
  if (stock < 0) throw new Problem(409, `Only ${tool.stock} are in stock.`);
  tool.stock = stock;
  touch(tool);
  return one({ id: randomUUID(), ...input, stock, movedAt: tool.updatedAt }, asked.path, { status: 201 });
}

function listMembers({ workspace, query }: Asked): Answer {
  const limit = wholeNumber(query, 'limit', 50) ?? 20;
  const cursor = query.get('cursor');
  const after = cursor === null ? '' : Buffer.from(cursor, 'base64url').toString();
  if (cursor !== null && !after.startsWith('after:')) throw new Problem(400, 'No page has this cursor.');
  const handles = [...workspace.members.keys()].sort(byText);
  const left = handles.filter((handle) => handle > after.slice('after:'.length));
  const shown = left.slice(0, limit);
  const next = left.length > limit ? Buffer.from(`after:${shown.at(-1) ?? ''}`).toString('base64url') : null;
  return {
    status: 200,
    body: { data: shown.map((handle) => workspace.members.get(handle) ?? {}), meta: { nextCursor: next } },
  };
}

function findMember({ workspace, names }: Asked): Row {
  const member = workspace.members.get(names[0] ?? '');
  if (member === undefined) throw none('member');
  return member;
}

function putMember({ workspace, names, body, path }: Asked): Answer {
  const handle = names[0] ?? '';
  if (!/^[a-z][a-z0-9-]{2,23}$/.test(handle))
    throw new Problem(400, 'A handle has 3 to 24 small letters, digits, hyphens.');
  const before = workspace.members.get(handle);
  const member = { handle, ...readMember(body()), joinedOn: before?.joinedOn ?? now().slice(0, 10) };
  workspace.members.set(handle, member);
  return before === undefined ? made(member, path) : one(member, path);
}

function removeMember(asked: Asked): Answer {
  const { handle = '' } = findMember(asked);
  const hasTool = asked.workspace.loans.some(({ member, state }) => member === handle && state === 'out');
  if (hasTool) throw new Problem(409, 'The member has a tool.');
  asked.workspace.members.delete(textOf(handle));
  return { status: 204 };
}

function listLoans(asked: Asked): Answer {
  const state = oneOfQuery(asked.query, 'state', ['out', 'returned']);
  const member = asked.query.get('member');
  const loans = asked.workspace.loans
    .filter((loan) => (state ?? loan.state) === loan.state && (member ?? loan.member) === loan.member)
    .toReversed();
  return pageOf(loans, asked);
}

/** Does it once for each Idempotency-Key. */
function once(asked: Asked, act: Handler): Answer {
  const key = asked.header('idempotency-key');
  if (key === undefined) return act(asked);
  if (key.length < 8 || key.length > 64) throw new Problem(400, 'Idempotency-Key has 8 to 64 characters.');
  const known = asked.workspace.repeated.get(key);
  if (known !== undefined && known.body !== asked.text)
    throw new Problem(422, 'The key came with another body before.');
  const answer = known?.answer ?? act(asked);
  asked.workspace.repeated.set(key, { body: asked.text, answer });
  return answer;
}

function lendTool({ workspace, body, path }: Asked): Answer {
  const input = readLoan(body());
  const tool = workspace.tools.get(textOf(input.toolId).toLowerCase());
  if (tool === undefined || tool.deletedAt !== undefined) throw new Problem(422, 'There is no such tool.', '/toolId');
  if (!workspace.members.has(textOf(input.member))) throw new Problem(422, 'There is no such member.', '/member');
  if (tool.stock === 0) throw new Problem(409, 'None is in stock.');
  tool.stock -= 1;
  touch(tool);
  const cents = Math.round(Number(tool.fields.dailyRate) * 100) * Number(input.days);
  const state = { fee: (cents / 100).toFixed(2), state: 'out', lentAt: tool.updatedAt };
  const loan: Row = { id: randomUUID(), ...input, toolId: tool.id, ...state };
  workspace.loans.push(loan);
  return made({ ...loan }, `${path}/${textOf(loan.id)}`);
}

function findLoan({ workspace, names }: Asked): Row {
  const loan = workspace.loans.find(({ id }) => id === names[0]?.toLowerCase());
  if (loan === undefined) throw none('loan');
  return loan;
}

function returnLoan(asked: Asked): Answer {
  const loan = findLoan(asked);
  if (loan.state === 'returned') throw new Problem(409, 'The loan has been returned.');
  Object.assign(loan, { state: 'returned', returnedAt: now() });
  const tool = asked.workspace.tools.get(textOf(loan.toolId));
  if (tool !== undefined) {
    tool.stock += 1;
    touch(tool);
  }
  return one({ ...loan }, asked.path.replace(/\/return$/, ''));
}

/** Behind the workspace. */
const ROUTES: Routes<Asked> = {
  tools: { GET: listTools, POST: addTool },
  'tools/*': { GET: getTool, PATCH: changeTool, DELETE: deleteTool },
  'tools/*/restore': { POST: restoreTool },
  'tools/*/notes': { GET: (asked) => pageOf(findTool(asked).notes, asked), POST: addNote },
  'tools/*/notes/*': { GET: (asked) => one(findNote(asked).note, asked.path), PUT: replaceNote, DELETE: deleteNote },
  'tools/*/stock-movements': { POST: moveStock },
  members: { GET: listMembers },
  'members/*': { GET: (asked) => one(findMember(asked), asked.path), PUT: putMember, DELETE: removeMember },
  loans: { GET: listLoans, POST: (asked) => once(asked, lendTool) },
  'loans/*': { GET: (asked) => one({ ...findLoan(asked) }, asked.path) },
  'loans/*/return': { POST: returnLoan },
};

/** The list of workspaces is in none of them. */
const INDEX: Routes<Asked>[string] = { GET: () => ({ status: 200 }) };

/** The slugs of the workspaces that the key of a request opens. */
function openedBy(key: string | undefined): readonly string[] {
  const opened = key === undefined || !Object.hasOwn(KEYS, key) ? undefined : KEYS[key];
  if (opened === undefined) throw new Problem(401, 'Send a key that is known in X-Workspace-Key.');
  return opened;
}

function enter(workspaces: Workspaces, slug: string, opened: readonly string[]): Workspace {
  const workspace = workspaces.get(slug);
  if (workspace === undefined) throw none('workspace');
  if (!opened.includes(slug)) throw new Problem(403, 'The key does not open this workspace.');
  return workspace;
}

function answerTo(request: IncomingMessage, text: string, workspaces: Workspaces): Answer {
  const { pathname } = new URL(request.url ?? '/', 'http://localhost');
  const [, base, slug = '', ...rest] = pathname.split('/').map(decode);
  if (`/${base}` !== BASE) throw none('path');
  const isIndex = slug === 'workspaces' && rest.length === 0;
  const { names, methods } = isIndex ? { names: [], methods: INDEX } : findRoute(ROUTES, rest);
  const { method = 'GET' } = request;
  if (method === 'OPTIONS') return { status: 204, headers: { Allow: allowed(methods) } };
  const asking = askingOf(request, text, names);
  const opened = openedBy(asking.header('x-workspace-key'));
  const handler = handlerOf(methods, method);
  if (isIndex)
    return one(
      opened.map((each) => ({ slug: each, name: workspaces.get(each)?.name ?? '', currency: 'EUR' })),
      pathname,
    );
  return handler({ ...asking, workspace: enter(workspaces, slug, opened) });
}

function problemAnswer({ status, message, pointer, allow }: Problem): Answer {
  const more: Row = pointer === undefined ? {} : { errors: [{ pointer, message }] };
  const headers = {
    'Content-Type': 'application/problem+json',
    ...(allow === undefined ? {} : { Allow: allow }),
    ...(status === 401 ? { 'WWW-Authenticate': 'WorkspaceKey realm="toolshed"' } : {}),
  };
  return {
    status,
    headers,
    body: { type: 'about:blank', title: Problem.titleOf(status), status, detail: message, ...more },
  };
}

function openWorkspace(slug: string, name: string): Workspace {
  const workspace: Workspace = { slug, name, tools: new Map(), members: new Map(), loans: [], repeated: new Map() };
  const asked = (path: string, body: Json, ...names: string[]): Asked => {
    const query = new URLSearchParams();
    return { path, workspace, names, query, header: () => undefined, text: '', body: () => body };
  };
  const at = `${BASE}/${slug}`;
  const idOf = ({ headers }: Answer): string => headers?.['Location']?.split('/').at(-1) ?? '';
  for (const [handle, fullName] of [
    ['ada', 'Ada Brook'],
    ['jun', 'Jun Ito'],
  ] as const)
    putMember(asked(`${at}/members/${handle}`, { fullName, creditLimit: '50.00' }, handle));
  for (const [title, category, dailyRate] of [
    ['Belt sander', 'power', '6.50'],
    ['Spirit level', 'measuring', '1.20'],
    ['Hedge shears', 'garden', '2.00'],
  ]) {
    const id = idOf(addTool(asked(`${at}/tools`, { name: title!, category: category!, dailyRate: dailyRate! })));
    moveStock(asked(at, { delta: 4, reason: 'bought' }, id));
    addNote(asked(`${at}/tools/${id}/notes`, { text: 'As good as new', author: 'Ada' }, id));
    lendTool(asked(`${at}/loans`, { toolId: id, member: 'ada', days: 3 }));
  }
  returnLoan(asked(at, {}, textOf(workspace.loans[0]?.id)));
  return workspace;
}

/** The API of lending.yaml, with a few rows in each workspace. It listens, and resolves to its address without the base path. */
export async function startLending(): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const names = { harbour: 'Harbour shed', orchard: 'Orchard lane', quarry: 'Quarry yard' };
  const workspaces = new Map(Object.entries(names).map(([slug, name]) => [slug, openWorkspace(slug, name)]));
  return startService((request, text) => answerTo(request, text, workspaces), problemAnswer);
}
