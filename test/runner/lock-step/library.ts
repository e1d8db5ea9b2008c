import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { runContract } from '../../../src/library/run-contract';
import type { RunContractOptions } from '../../../src/library/run-options';
import { allSteps } from '../../../src/runner/result/outcome';
import type { LocatedFinding, RunResult } from '../../../src/runner/result/run-result';
import { temporaryFolder } from '../../support/temporary-folder';

/** A small API of books, with all that is the service's own: ids, times, texts of errors. */
export const DESCRIPTION = `
openapi: 3.0.3
info: { title: Library, version: 1.0.0 }
paths:
  /books:
    get:
      operationId: listBooks
      parameters:
        - { name: genre, in: query, schema: { $ref: '#/components/schemas/Genre' } }
        - { name: sort, in: query, schema: { type: string, enum: [title, -title] } }
      responses:
        '200':
          description: The books
          content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Book' } } } }
    post:
      operationId: addBook
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
      responses:
        '201':
          description: Added
          headers: { Location: { schema: { type: string } }, ETag: { schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '400': { $ref: '#/components/responses/Error' }
        '409': { $ref: '#/components/responses/Error' }
  /books/{bookId}:
    parameters: [{ name: bookId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: getBook
      responses:
        '200':
          description: The book
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '404': { $ref: '#/components/responses/Error' }
    put:
      operationId: replaceBook
      requestBody:
        required: true
        content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
      responses:
        '200':
          description: Replaced
          content: { application/json: { schema: { $ref: '#/components/schemas/Book' } } }
        '400': { $ref: '#/components/responses/Error' }
        '404': { $ref: '#/components/responses/Error' }
    delete:
      operationId: removeBook
      responses:
        '204': { description: Removed }
        '404': { $ref: '#/components/responses/Error' }
components:
  responses:
    Error:
      description: Why not
      content:
        application/json:
          schema:
            type: object
            required: [code, message]
            properties: { code: { type: string }, message: { type: string } }
  schemas:
    Genre: { type: string, enum: [novel, poetry, drama] }
    Book:
      type: object
      required: [title]
      properties:
        id: { type: string, readOnly: true }
        title: { type: string, minLength: 1, maxLength: 50 }
        genre: { $ref: '#/components/schemas/Genre' }
        state: { type: string, enum: [lent, there, lost], default: there }
        note: { type: string, nullable: true }
        addedAt: { type: string, format: date-time, readOnly: true }
`;

type Book = Record<string, unknown> & { id: string };

/** What comes back, before it is sent. */
export interface Answer {
  status: number;
  body?: unknown;
  readonly headers: Record<string, string>;
}

/** What is wrong with the service. */
export interface Fault {
  /** Changes an answer. @param call - `GET /books/{id}`, with the id left out */
  readonly answer?: (answer: Answer, call: string, books: Map<string, Book>) => void;
  /** Changes what is sent. */
  readonly body?: (sent: Record<string, unknown>, call: string) => void;
  /** Does no check reject what is sent? */
  readonly takesAll?: boolean;
}

/** A service that conforms but for a fault, and that shares nothing with the mock. It has books of others at the start. */
export function library({ answer: change, body: rewrite, takesAll = false }: Fault = {}) {
  const books = new Map<string, Book>();
  const add = (fields: Record<string, unknown>): Book => {
    const book = { id: randomUUID(), state: 'there', ...fields, addedAt: new Date().toISOString() };
    books.set(book.id, book);
    return book;
  };
  for (const title of ['Woyzeck', 'Emma', 'Lenz']) add({ title, genre: 'novel', state: 'lent' });
  const refuse = (status: number, code: string): Answer => {
    return { status, body: { code, message: 'Das geht nicht.' }, headers: {} };
  };
  const isGood = ({ title }: Record<string, unknown>): boolean =>
    takesAll || (typeof title === 'string' && title.length > 0 && title.length <= 50);
  const onItem = (method: string, id: string, sent: Record<string, unknown>): Answer => {
    const book = books.get(id);
    if (book === undefined) return refuse(404, 'no_such_book');
    if (method === 'DELETE') books.delete(id);
    if (method === 'DELETE') return { status: 204, headers: {} };
    if (method === 'GET') return { status: 200, body: { ...book }, headers: {} };
    if (!isGood(sent)) return refuse(400, 'not_a_book');
    const replaced = { id, state: 'there', ...sent, addedAt: book['addedAt'] };
    books.set(id, replaced);
    return { status: 200, body: replaced, headers: {} };
  };
  const onList = (method: string, query: URLSearchParams, sent: Record<string, unknown>): Answer => {
    if (method === 'POST') {
      if (!isGood(sent)) return refuse(400, 'not_a_book');
      const made = add(sent);
      return { status: 201, body: { ...made }, headers: { Location: `/books/${made.id}`, ETag: '"1"' } };
    }
    const wanted = query.get('genre');
    const found = [...books.values()].reverse().filter(({ genre }) => wanted === null || genre === wanted);
    const sort = query.get('sort');
    if (sort !== null) found.sort((one, other) => (String(one['title']) < String(other['title']) ? -1 : 1));
    if (sort === '-title') found.reverse();
    return { status: 200, body: found, headers: {} };
  };
  return (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = 'GET', url = '/' } = request;
      const { pathname, searchParams } = new URL(url, 'http://localhost');
      const [, , id] = pathname.split('/');
      const sent = JSON.parse(Buffer.concat(chunks).toString() || '{}') as Record<string, unknown>;
      const call = `${method} ${id === undefined ? '/books' : '/books/{id}'}`;
      rewrite?.(sent, call);
      const answer = id === undefined ? onList(method, searchParams, sent) : onItem(method, id, sent);
      change?.(answer, call, books);
      const text = answer.body === undefined ? undefined : JSON.stringify(answer.body);
      const type = text === undefined ? {} : { 'Content-Type': 'application/json' };
      response.writeHead(answer.status, { ...type, ...answer.headers }).end(text);
    });
  };
}

const folder = temporaryFolder();

/** Runs a contract of some steps, in YAML, at a library, with a mock beside it. */
export async function inLockStep(
  steps: string,
  fault?: Fault,
  options: Partial<RunContractOptions> = {},
): Promise<RunResult> {
  const description = folder.write('library.yaml', DESCRIPTION);
  const contract = folder.write('contract.yaml', `standin: contract/1\nname: Books\nsteps:\n${steps}`);
  return runContract({ app: library(fault), description, contracts: contract, lockStep: true, ...options });
}

/** What the comparison found, as `error /response/body/title: …`. */
export function differences(result: RunResult): string[] {
  const found = allSteps(result).flatMap(({ verdict, warnings }): readonly LocatedFinding[] => [
    ...(verdict.kind === 'fail' ? verdict.findings : []),
    ...warnings,
  ]);
  return found
    .filter(({ check }) => check === 'lock-step')
    .map(({ severity, at, message }) => `${severity} ${at}: ${message}`);
}

/** Steps that accept nearly every status: what differs is found by the mock beside the service alone. */
export const COURSE = `
- { name: add, operation: addBook, body: { title: 'Faust \${runId}', genre: drama, note: null }, expect: { status: [201, 400, 409] }, capture: { id: $response.body#/id } }
- { name: add another, operation: addBook, body: { title: 'Emilia \${runId}', genre: novel, state: lent }, expect: { status: [201, 400] }, capture: { other: $response.body#/id } }
- { name: read, operation: getBook, parameters: { bookId: '\${id}' }, expect: { status: [200, 404] } }
- { name: list, operation: listBooks, expect: { status: 200 } }
- { name: list novels, operation: listBooks, parameters: { genre: novel }, expect: { status: 200 } }
- { name: sort, operation: listBooks, parameters: { sort: title }, expect: { status: 200 } }
- { name: refuse, operation: addBook, body: { title: '' }, expect: { status: [201, 400] } }
- { name: replace, operation: replaceBook, parameters: { bookId: '\${id}' }, body: { title: 'Urfaust \${runId}' }, expect: { status: [200, 400, 404] } }
- { name: read again, operation: getBook, parameters: { bookId: '\${id}' }, expect: { status: [200, 404] } }
- { name: remove, operation: removeBook, parameters: { bookId: '\${id}' }, expect: { status: [204, 404] } }
- { name: list the rest, operation: listBooks, expect: { status: 200 } }
- { name: miss, operation: getBook, parameters: { bookId: '\${id}' }, expect: { status: [200, 404] } }
- { name: remove the other, operation: removeBook, parameters: { bookId: '\${other}' }, expect: { status: [204, 404] } }
`;

export type Changed = NonNullable<Fault['answer']>;
/** A fault in the body of a successful response to one kind of call. */
export const onBody =
  (when: string, change: (body: Record<string, unknown>) => void): Changed =>
  ({ body, status }, call) => {
    if (call === when && status < 300) change(body as Record<string, unknown>);
  };
/** A fault in each list of books. */
export const onList =
  (change: (list: Record<string, unknown>[]) => unknown[]): Changed =>
  (answer, call) => {
    if (call === 'GET /books') answer.body = change(answer.body as Record<string, unknown>[]);
  };
