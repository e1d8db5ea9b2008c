import { loadDescriptionText } from '../../src/files/load-description';
import { list, object, smallApi, text } from '../support/small-api';
import { runCheck, type Sent } from './exchanges';

const loan = object({ id: text, tool: text, state: text });
const { api } = loadDescriptionText(
  smallApi({
    'GET /tools/{id}': { answers: { 200: object({ id: text, name: text }), 404: null } },
    'PUT /tools/{id}': { body: object({ name: text }), answers: { 200: object({ id: text, name: text }), 201: null } },
    'GET /tools/{id}/parts': { answers: { 200: list(text) } },
    'POST /tools/{id}/clean': { answers: { 204: null } },
    'GET /loans/{id}': { answers: { 200: loan, 404: null } },
    'POST /loans/{id}/return': { answers: { 200: loan, 204: null } },
    'POST /loans/{id}/parts': { body: object({ tool: text }), answers: { 204: null } },
    'POST /inventories': { answers: { 204: null } },
  }),
  'loans.json',
);

const put: Sent = { to: 'PUT /tools/saw', send: '{"name":"Saw"}', status: 201 };
const readLoan = (tool: string): Sent => ({ to: 'GET /loans/7', status: 200, body: `{"id":"7","tool":"${tool}"}` });
const returned: Sent = { to: 'POST /loans/7/return', status: 204 };

test.each<{ what: string; between: readonly Sent[]; isSilent: boolean }>([
  { what: 'something else', between: [readLoan('axe'), returned], isSilent: false },
  { what: 'what refers to it', between: [readLoan('saw'), returned], isSilent: true },
  {
    what: 'what was given it',
    between: [readLoan('axe'), { to: 'POST /loans/7/parts', send: '{"tool":"saw"}', status: 204 }],
    isSilent: true,
  },
  { what: 'what nobody knows', between: [returned], isSilent: true },
  { what: 'the thing itself', between: [{ to: 'POST /tools/saw/clean', status: 204 }], isSilent: true },
  { what: 'whatever it may be', between: [{ to: 'POST /inventories', status: 204 }], isSilent: true },
])('an action at $what between two writes', ({ between, isSilent }) => {
  expect(runCheck('put-idempotent', [put, ...between, put], api).length).toBe(isSilent ? 0 : 1);
});
