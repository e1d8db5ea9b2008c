import type { Check, Trial } from './checks';
import { createSend, type Server, startServer } from './client';
import { type Description, readDescription } from './description';
import { judgeLaws } from './laws';
import { createSchemas } from './schemas';
import { createSession } from './session';

const START_LIMIT_MS = 60_000;
const REQUEST_LIMIT_MS = 30_000;
/** When no further collection is begun. */
const LATE_MS = 60_000;
const COLLECTIONS = 20;

/** Starts a mock of one description with the command line at `command`, and tries the laws at it. */
export async function tryDocument(command: string, file: string, name: string): Promise<Trial> {
  const begun = Date.now();
  const none = { name, collections: [], checks: [], requests: 0 };
  const seconds = (): number => Math.round((Date.now() - begun) / 100) / 10;
  let description: Description;
  try {
    description = readDescription(file);
  } catch (error) {
    return { ...none, seconds: seconds(), unread: String(error) };
  }
  const starts = (verdict: Check['verdict'], answer: string): Check => {
    return { law: 'starts', verdict, operation: '', request: 'standin mock', answer, expected: 'it listens' };
  };
  let server: Server;
  try {
    server = await startServer(command, file, START_LIMIT_MS);
  } catch (error) {
    return { ...none, checks: [starts('violated', String(error))], seconds: seconds() };
  }
  try {
    const maker = { description, schemas: createSchemas(description) };
    const session = createSession(maker, createSend(server.base, REQUEST_LIMIT_MS));
    const tried = await judgeLaws(session, COLLECTIONS, () => Date.now() - begun > LATE_MS);
    const checks = [starts('holds', ''), ...session.checks];
    return {
      name,
      collections: tried.map(({ path }) => path),
      checks,
      requests: session.requests(),
      seconds: seconds(),
    };
  } finally {
    await server.stop();
  }
}
