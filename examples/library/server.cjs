// A small service for openapi.yaml, to try `standin verify` at something that is not the mock.
//
//   node server.cjs                  on port 3000; the key is "secret"
//   node server.cjs --broken         with three mistakes, each marked with "mistake" below
//   node server.cjs --port 0         on any free port
const { createServer } = require('node:http');
const { parseArgs } = require('node:util');

const { values } = parseArgs({
  options: { broken: { type: 'boolean' }, port: { type: 'string', default: '3000' } },
});
const books = new Map([[1, { id: 1, title: 'Persuasion', year: 1817, lent: false }]]);
let nextId = 2;

const bad = (status, code, message) => ({ status, body: { code, message } });

function isAllowed(request) {
  if (values.broken && request.method === 'DELETE') return true; // mistake: nobody asks for the key
  const sent = request.headersDistinct.authorization ?? [];
  return sent.length === 1 && /^bearer secret$/i.test(sent[0]); // two of them could mean two callers
}

function problemOf(book) {
  if (typeof book !== 'object' || book === null || Array.isArray(book)) return 'the body must be an object';
  if ('title' in book && (typeof book.title !== 'string' || book.title === '')) return 'title must be a text';
  if ('year' in book && !Number.isInteger(book.year)) return 'year must be an integer';
  if ('lent' in book && typeof book.lent !== 'boolean') return 'lent must be true or false';
  return undefined;
}

function respond(request, path, query, text) {
  if (path !== '/books' && !path.startsWith('/books/')) return bad(404, 'not_found', 'no such path');
  if (!isAllowed(request)) return { ...bad(401, 'unauthorized', 'send the key'), challenge: 'Bearer' };
  const sent = readJson(text);
  const hasBody = request.method === 'POST' || request.method === 'PATCH';
  const problem = hasBody ? problemOf(sent) : undefined;
  if (path === '/books') return onBooks(request.method, query, sent, problem);
  const id = path.slice('/books/'.length);
  if (!/^-?\d+$/.test(id)) return bad(400, 'invalid_id', 'bookId must be an integer');
  const book = books.get(Number(id));
  if (!book && ['GET', 'HEAD', 'PATCH', 'DELETE'].includes(request.method))
    return bad(404, 'not_found', 'no such book');
  return onBook(request.method, book, sent, problem);
}

function onBooks(method, query, sent, problem) {
  if (method === 'GET' || method === 'HEAD') {
    const lent = query.get('lent');
    if (lent !== null && lent !== 'true' && lent !== 'false')
      return bad(400, 'invalid_parameter', 'lent must be true or false');
    const found = [...books.values()].filter((book) => lent === null || String(book.lent) === lent);
    if (values.broken) return { status: 200, body: found.map((book) => ({ ...book, year: `${book.year}` })) }; // mistake: text
    return { status: 200, body: found };
  }
  if (method !== 'POST') return { ...bad(405, 'method_not_allowed', 'GET or POST'), allow: 'GET, HEAD, POST' };
  if (problem ?? !('title' in sent)) return bad(400, 'invalid_book', problem ?? 'title is required');
  const { title, year, lent = false } = sent;
  const book = { id: nextId++, title, ...(year !== undefined && { year }), lent };
  books.set(book.id, book);
  return { status: 201, body: book };
}

function onBook(method, book, sent, problem) {
  if (method === 'GET' || method === 'HEAD') return { status: 200, body: book };
  if (method === 'DELETE') {
    if (!values.broken) books.delete(book.id); // mistake: the book stays
    return { status: 204 };
  }
  if (method !== 'PATCH')
    return { ...bad(405, 'method_not_allowed', 'GET, PATCH or DELETE'), allow: 'GET, HEAD, PATCH, DELETE' };
  if (problem) return bad(400, 'invalid_book', problem);
  for (const name of ['title', 'year', 'lent']) if (name in sent) book[name] = sent[name];
  return { status: 200, body: book };
}

function readJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const server = createServer(async (request, response) => {
  let text = '';
  for await (const part of request) text += part;
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const { status, body, challenge, allow } = respond(request, pathname, searchParams, text);
  const headers = {
    ...(body && { 'Content-Type': 'application/json' }),
    ...(challenge && { 'WWW-Authenticate': challenge }),
    ...(allow && { Allow: allow }),
  };
  response.writeHead(status, headers).end(request.method === 'HEAD' || !body ? undefined : JSON.stringify(body));
});
server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`The library is at http://127.0.0.1:${server.address().port}`);
});
