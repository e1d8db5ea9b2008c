import { runContract } from '../../src/library/run-contract';
import { type RunContractOptions } from '../../src/library/run-options';
import { type RunResult } from '../../src/runner/result/run-result';
import { allSteps } from '../../src/runner/result/outcome';
import { temporaryFolder } from '../support/temporary-folder';
import { jsonAnswer, rawAnswer } from './raw-server';

/** A service as small as can be: books that can be listed, read and removed. */
const DESCRIPTION = `openapi: 3.0.3
info: { title: Shelf, version: 1.0.0 }
paths:
  /books:
    get:
      operationId: listBooks
      responses:
        '200':
          description: All books
          content:
            application/json:
              schema: { type: array, items: { $ref: '#/components/schemas/Book' } }
        default: { $ref: '#/components/responses/Error' }
  /books/{bookId}:
    parameters:
      - { name: bookId, in: path, required: true, schema: { type: integer, format: int64 } }
    get:
      operationId: getBook
      responses:
        '200':
          description: The book
          content:
            application/json:
              schema: { $ref: '#/components/schemas/Book' }
        default: { $ref: '#/components/responses/Error' }
    delete:
      operationId: deleteBook
      responses:
        '204': { description: Removed }
        default: { $ref: '#/components/responses/Error' }
components:
  responses:
    Error:
      description: Refused
      content:
        application/json:
          schema:
            type: object
            required: [status, code, message]
            properties:
              status: { type: integer }
              code: { type: string }
              message: { type: string }
  schemas:
    Book:
      type: object
      required: [id, title]
      properties:
        id: { type: integer, format: int64 }
        title: { type: string }
`;

export const BOOKS = [
  { id: 1, title: 'One' },
  { id: 2, title: 'Two' },
] as const;

/** What a good server answers. */
export function goodAnswer(head: string): Buffer {
  if (/^DELETE \/books\/1 /.test(head)) return Buffer.from('HTTP/1.1 204 X\r\n\r\n');
  const path = /^GET (\S+) /.exec(head)?.[1];
  if (path === '/books') return jsonAnswer(200, BOOKS);
  const book = BOOKS.find(({ id }) => path === `/books/${id}`);
  if (book !== undefined) return jsonAnswer(200, book);
  return jsonAnswer(404, { status: 404, code: 'not_found', message: 'There is no such book' });
}

export const LOGIN_PAGE = rawAnswer(
  200,
  '<!DOCTYPE html><title>Sign in</title><form><input name=user></form>',
  'Content-Type: text/html; charset=utf-8',
);

const readBook = (id: number): string =>
  `  - operation: getBook
    parameters: { bookId: ${id} }
    expect: { status: 200, body: { id: ${id} } }
`;
const contract = (name: string, ...steps: string[]): string =>
  ['standin: contract/1', `name: ${name}`, 'steps:', steps.join('')].join('\n');
const LIST = '  - operation: listBooks\n    expect: { status: 200 }\n';
const REMOVE = '  - operation: deleteBook\n    parameters: { bookId: 1 }\n    expect: { status: 204 }\n';

const CONTRACTS = {
  /** Reads the list and both books. */
  reading: [contract('reading', LIST, readBook(1), readBook(2))],
  /** Two contracts that can run at the same time, each with a book of its own. */
  together: [contract('first', readBook(1)), contract('second', readBook(2))],
  /** Twelve steps. */
  long: [contract('long', ...[1, 2, 1, 2, 1, 2, 1, 2, 1, 2, 1, 2].map(readBook))],
  removal: [contract('removal', REMOVE)],
} as const;

export interface Shelf {
  /** Judges whoever is at the URL. */
  judge(baseUrl: string, contracts?: keyof typeof CONTRACTS, options?: Partial<RunContractOptions>): Promise<RunResult>;
}

/** Files of the shelf, in a folder that lasts as long as the test file. */
export function createShelf(): Shelf {
  const files = temporaryFolder();
  const description = files.write('shelf.yaml', DESCRIPTION);
  const paths = new Map(
    Object.entries(CONTRACTS).map(([name, texts]) => [
      name,
      texts.map((text, index) => files.write(`${name}-${index}.yaml`, text)),
    ]),
  );
  return {
    judge: (baseUrl, contracts = 'reading', options = {}) =>
      runContract({ timeoutMs: 50_000, ...options, baseUrl, description, contracts: paths.get(contracts)! }),
  };
}

/** What each step came to: the codes of errors, the checks that failed, or the kind of verdict. */
export function verdicts(result: RunResult): string[] {
  return allSteps(result).map(({ verdict }) => {
    if (verdict.kind === 'error') return verdict.error.code;
    if (verdict.kind === 'fail') return [...new Set(verdict.findings.map(({ check }) => check))].sort().join(' ');
    return verdict.kind === 'skipped' ? verdict.cause : verdict.kind;
  });
}
