import { runOwn } from './own-run';
import type { Reply } from './other-service';

const ID = { type: 'string', format: 'uuid' };
const FIRST = '8f937f3f-e1e4-4e73-8e3b-ee37a5f81d76';

test('what the only property of an answer names by the variable of another path is found there', async () => {
  const rows = new Map<string, Record<string, unknown>>();
  const answer = (line: string, body: Record<string, unknown>): Reply => {
    const [method = '', path = ''] = line.split(' ');
    if (method === 'POST') {
      rows.set(`/silence/${FIRST}`, { id: FIRST, ...body });
      return { status: 200, body: { silenceID: FIRST } };
    }
    const row = rows.get(path);
    if (row === undefined) return { status: 404, body: {} };
    if (method === 'DELETE') rows.set(path, { ...row, status: { state: 'expired' } });
    return { status: 200, body: row };
  };
  const sketches = [
    { id: 'make', at: 'POST /silences', statuses: [200], takesBody: true, gives: { silenceID: ID } },
    { id: 'read', at: 'GET /silence/{silenceID}', statuses: [200, 404] },
    { id: 'end', at: 'DELETE /silence/{silenceID}', statuses: [200, 404] },
  ];
  const steps = [{ operation: 'make', body: { comment: 'by ${runId}' }, expect: { status: 200 } }];
  const { writes, left, skipped } = await runOwn({ sketches, steps, answer, id: ID });
  expect(skipped).toEqual([]);
  expect(writes).toEqual(['POST /silences', `DELETE /silence/${FIRST}`]);
  expect(left).toEqual([]);
});
