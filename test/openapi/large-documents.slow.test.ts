import { createServerParts } from '../../src/library/create-mock-server';
import { toHttpRequest } from '../fuzz/fresh-mock';
import { temporaryFolder } from '../support/temporary-folder';
import {
  allOfDocument,
  collectionsDocument,
  enumDocument,
  exampleDocument,
  membersDocument,
  ringDocument,
} from './large-documents';

/** Sends requests to a mock of a document; a defect of the mock is thrown. */
async function serve(text: string): Promise<(method: string, target: string, body?: string) => Promise<string>> {
  const reportDefect = (error: unknown): never => {
    throw error;
  };
  const description = temporaryFolder().write('openapi.yaml', text);
  const { mock } = await createServerParts({ description, state: 'empty' }, { reportDefect });
  return async (method, target, body = '') => {
    const headers: [string, string][] = [
      ['Host', 'mock.example'],
      ['Content-Type', 'application/json'],
    ];
    const response = await mock.engine.handle(toHttpRequest({ method, target, headers, body }));
    return `${response.status} ${Buffer.from(response.body ?? '').toString()}`;
  };
}

test.each([
  { name: 'an example of 5 MB', text: exampleDocument(5e6) },
  { name: 'an enum of 10,000 values', text: enumDocument(10_000) },
  { name: 'a ring of 400 schemas', text: ringDocument(400) },
  { name: 'allOf 1000 deep', text: allOfDocument(1000) },
  { name: 'an object of 5,000 members', text: membersDocument(5000) },
])('$name is served', async ({ text }) => {
  const send = await serve(text);
  expect(await send('GET', '/things')).toMatch(/^200 /);
});

test('3,000 operations are served', async () => {
  const send = await serve(collectionsDocument(750));
  expect(await send('POST', '/r700', '{}')).toBe('201 {"id":1}');
  expect(await send('GET', '/r700/1')).toMatch(/^200 /);
  expect(await send('GET', '/r699/1')).toMatch(/^404 /);
});
