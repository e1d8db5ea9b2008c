import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gradeContracts } from '../../src/library/grade';
import type { RuleEvent, Rules } from '../../src/mock/rules/rules';
import { BOOKS, THOROUGH } from '../grade/books';
import { startServer } from '../support/server';
import { temporaryFolder } from '../support/temporary-folder';

describe('a grade', () => {
  const OPERATIONS = ['listBooks', 'addBook', 'getBook', 'changeBook', 'removeBook'];
  /** The client goes away while the mocks answer this request; a grade sends more than a thousand. */
  const ABORTED_AT = 20;
  const folder = temporaryFolder();
  const description = folder.write('books.yaml', BOOKS);

  /** Rules that call `onRequest` for each request that the mocks of a grade accept. */
  const rulesWith = (onRequest: () => void): Rules => ({
    standin: 'rules/1',
    operations: Object.fromEntries(
      OPERATIONS.map((id) => [
        id,
        ({ item, now }: RuleEvent) => {
          if (id === 'addBook') item['addedAt'] = now;
          onRequest();
        },
      ]),
    ),
  });

  test('sends nothing but the cleanup once its signal is aborted', async () => {
    const abort = new AbortController();
    let sent = 0;
    const rules = rulesWith(() => {
      sent += 1;
      if (sent === ABORTED_AT) abort.abort();
    });
    const contracts = folder.write('thorough.yaml', THOROUGH);
    const { defects, available } = await gradeContracts({ description, contracts, rules, signal: abort.signal });
    // The cleanup of the contract in hand removes two books.
    expect(sent).toBeLessThanOrEqual(ABORTED_AT + 2);
    expect(defects.length).toBeLessThan(available);
  });

  test('stops when its client goes away, and the server waits for that when it closes', async () => {
    const abort = new AbortController();
    let sent = 0;
    const rules = rulesWith(() => {
      sent += 1;
      if (sent === ABORTED_AT) abort.abort();
    });
    const server = await startServer({ description, rules });
    const call = { name: 'grade_contract', arguments: { text: THOROUGH } };
    const gone = fetch(`${server.url}/__standin/mcp`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call }),
      signal: abort.signal,
    });
    await expect(gone).rejects.toThrow('aborted');
    await server.close();
    // The file of the contract is removed as the last step of a grade.
    expect(readdirSync(tmpdir()).filter((name) => existsSync(join(tmpdir(), name, 'contract.yaml')))).toEqual([]);
    // The event loop turns between two contracts, so that the server hears of its client; a whole grade takes thousands.
    expect(sent).toBeLessThan(ABORTED_AT + 300);
    expect(server.defects).toEqual([]);
  });
});
