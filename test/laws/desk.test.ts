import type { AddressInfo } from 'node:net';
import { startAppServer } from '../support/app-server';
import type { Check } from './checks';
import { createSend } from './client';
import { describe as readDocument } from './description';
import { createDesk, DESK, DESK_BUGS, DESK_VARIANTS, type DeskBug, type DeskVariant } from './desk-server';
import { judgeLaws } from './laws';
import { createSchemas } from './schemas';
import { createSession } from './session';

const desk = readDocument(DESK);
const deskSchemas = createSchemas(desk);
const PATHS: Readonly<Record<string, readonly string[]>> = {
  batch: ['/cards'],
  content: ['/files', '/letters'],
  relate: ['/cards', '/groups'],
};

/** @param paths - what the paths begin with that are tried */
async function judgeDesk(way?: DeskBug | DeskVariant, paths: readonly string[] = ['/']): Promise<readonly Check[]> {
  const server = await startAppServer(createDesk(way));
  const send = createSend(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 10_000);
  const operations = desk.operations.filter(({ path }) => paths.some((each) => path.startsWith(each)));
  const tried = { ...desk, operations };
  const session = createSession({ description: tried, schemas: deskSchemas }, send, () => Promise.resolve());
  await judgeLaws(session, 10, () => false);
  return session.checks;
}

function lawsOf(checks: readonly Check[]): string[] {
  return checks.filter(({ verdict }) => verdict === 'violated').map(({ law }) => law);
}

test('every law about many, content and relations holds at an honest server', async () => {
  const checks = await judgeDesk();
  expect(checks.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
  const told = checks.filter(({ law, verdict }) => verdict === 'holds' && law in PATHS);
  expect(told.map(({ law, operation }) => `${law} ${operation}`)).toEqual(
    expect.arrayContaining([
      'batch POST /cards/batch/create',
      'batch PATCH /cards/bulk',
      'batch POST /cards/batch/archive',
      'batch DELETE /cards',
      'content POST /files',
      'content GET /files/{fileId}/content',
      'content PUT /files/{fileId}/content',
      'content GET /letters/{id}/download',
      'relate POST /groups/{groupId}/cards',
      'relate POST /groups/{groupId}/readers/add',
    ]),
  );
});

test.each(Object.keys(DESK_VARIANTS) as DeskVariant[])('a server that %s breaks no law', async (variant) => {
  const checks = await judgeDesk(variant, PATHS[DESK_VARIANTS[variant]]);
  expect(checks.filter(({ verdict }) => verdict === 'violated')).toEqual([]);
});

test.each(Object.entries(DESK_BUGS) as [DeskBug, string][])(
  'a server that %s breaks the law "%s"',
  async (bug, law) => {
    expect(lawsOf(await judgeDesk(bug, PATHS[law]))).toContain(law);
  },
);
