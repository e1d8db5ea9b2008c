import { describeApi, pet, refusal, type Answer, type CheckCases } from '../answer';

const api = describeApi(`openapi: 3.0.3
info: { title: Shop, version: '1' }
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: array, items: {} } } } }
        default: { description: any }
    delete: { operationId: dropBooks, responses: { default: { description: any } } }
    post: { operationId: addBook, responses: { '201': { description: made } } }
`);
const books = (status: number, more: Partial<Answer> = {}): Answer => ({ api, of: 'listBooks', status, ...more });
const FAILED = 'error /response/status: ';

export const STATUS_CASES: Readonly<Record<string, CheckCases>> = {
  'no-server-error': {
    speaks: [
      ['a failure that is documented', refusal(500), `${FAILED}The server failed with 500`],
      ['a failure where any status is documented', books(599), `${FAILED}The server failed with 599`],
      ['a failure outside any operation', { status: 502 }, `${FAILED}The server failed with 502`],
      ['a failure where another status is expected', refusal(500, 'no', { expects: [404] }), FAILED],
      ['an operation that is not there', refusal(501), FAILED],
      ['a pause without an end', refusal(503), FAILED],
      ['a pause with a bad end', refusal(503, 'no', { headers: { 'Retry-After': 'soon' } }), FAILED],
      [
        'a pause that says when it ends',
        refusal(503, 'no', { headers: { 'Retry-After': '1' } }),
        'warning /response/status: The server was not ready',
      ],
    ],
    silent: [
      ['a success', pet()],
      ['a refusal', refusal(404)],
    ],
    idle: [['a failure that the contract expects', refusal(500, 'no', { expects: [500] })]],
  },
  'status-fits-request': {
    speaks: [
      ['a read that creates', books(201), `${FAILED}GET creates nothing`],
      ['a read without body that creates', books(201, { method: 'HEAD' }), `${FAILED}HEAD creates nothing`],
      ['a removal that creates', { api, of: 'dropBooks', status: 201 }, `${FAILED}DELETE creates nothing`],
      ['a part that nobody asked for', books(206, { requestHeaders: ['Accept', '*/*'] }), `${FAILED}A part was sent`],
      ['a removal that is not modified', { api, of: 'dropBooks', status: 304 }, `${FAILED}304 is for GET and HEAD`],
      ['credentials that the description does not know', books(401), `${FAILED}listBooks asks for no credentials`],
      ['a method that is documented', books(405), `${FAILED}The description has GET /books`],
      ['no operation behind a documented path', refusal(405, 'no', { expects: [200] }), FAILED],
      [
        'a type that is offered',
        books(406, { requestHeaders: ['Accept', 'text/html, application/*;q=0.1'] }),
        `${FAILED}The request accepts application/json`,
      ],
      ['a request that accepts anything', books(406, { requestHeaders: [] }), `${FAILED}The request accepts`],
      ['no body, too large', books(413, { requestBodyLength: 0 }), `${FAILED}The request has no body`],
      ['no body, of a wrong type', books(415, { requestBodyLength: 0 }), `${FAILED}The request has no body`],
    ],
    silent: [
      ['a creation', { api, of: 'addBook', status: 201 }],
      ['a part that was asked for', books(206, { requestHeaders: ['Range', 'bytes=0-9'] })],
      ['a part, and nobody knows what was asked for', books(206)],
      ['a read that is not modified', books(304)],
      ['credentials that are documented', refusal(401)],
      ['bad credentials that nobody asked for', books(401, { requestHeaders: ['Authorization', 'Bearer x'] })],
      ['another method than the documented one', refusal(405, 'no', { method: 'PATCH' })],
      ['HEAD, which the description does not have', books(405, { method: 'HEAD' })],
      ['a type that is not offered', books(406, { requestHeaders: ['Accept', 'text/html'] })],
      ['a request that may ask for another language', books(406, { requestHeaders: ['Accept-Language', 'fr'] })],
      ['a request that refuses a coding', books(406, { requestHeaders: ['Accept-Encoding', 'gzip, identity;q=0'] })],
      ['a request of which nothing is known', books(406)],
      ['a body', books(413, { requestBodyLength: 9 })],
      ['a body that nobody measured', books(415)],
    ],
    idle: [
      ['a status without such a rule', pet()],
      ['a status that the contract expects', books(405, { expects: [405] })],
      ['an undocumented status, which is said already', pet({ status: 201 })],
    ],
  },
  'status-fits-headers': {
    speaks: [
      ['a status above all', { status: 912 }, `${FAILED}912 is not an HTTP status`],
      ['an upgrade to nothing', books(426), 'error /response/headers/upgrade: The 426 has no Upgrade'],
      [
        'a part that does not say which',
        books(206),
        'error /response/headers/content-range: The 206 has no Content-Range',
      ],
    ],
    silent: [
      ['an upgrade', { status: 426, headers: { Upgrade: 'h2c' } }],
      ['a part that says which', books(206, { headers: { 'Content-Range': 'bytes 0-9/20' } })],
    ],
    idle: [
      ['another status', pet()],
      ['several parts', books(206, { headers: { 'Content-Type': 'multipart/byteranges; boundary=x' } })],
      ['an undocumented part, which is said already', pet({ status: 206 })],
    ],
  },
};
