import { asJson, createDialect } from '../frame/envelope';
import { type Answer, withHeader } from '../message';

export const asProblem = (answer: Answer, status: number): Answer =>
  withHeader(
    asJson(answer, status, { type: 'about:blank', title: 'It cannot be done', status }),
    'Content-Type',
    'application/problem+json',
  );

export const KEY = 'X-Workspace-Key';

/** By what stands behind the workspace. */
export const LENDING = createDialect(
  {
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
  },
  /^(\/v2\/[^/]+)\/(.*)$/,
  ['notes'],
  KEY,
);
