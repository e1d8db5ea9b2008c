import request from 'supertest';
import { requestFacts } from '../../src/cli/actions/request-log';
import type { HttpResponse, RequestHead } from '../../src/core/http/message';
import { temporaryFolder } from '../support/temporary-folder';
import { partsOfText } from '../support/serve-text';
import { killAll, serve } from './standin-process';

const folder = temporaryFolder();

const shelves = (failure: string): string => `
openapi: 3.0.3
info: { title: Shelves, version: '1' }
paths:
  /shelves:
    get:
      parameters: [{ name: room, in: query, required: true, schema: { type: string } }]
      responses:
        '200': { description: ok }
        default: { description: no, content: { application/json: { schema: ${failure} } } }
`;

const FLAG = '{ type: object, properties: { ok: { type: boolean } } }';
const MESSAGE = '{ type: object, properties: { message: { type: string } } }';
const CAUSE = 'The query parameter "room" is missing';

async function answered(failure: string): Promise<[RequestHead, HttpResponse][]> {
  const seen: [RequestHead, HttpResponse][] = [];
  const { app } = await partsOfText(shelves(failure), {}, { onResponse: (...args) => seen.push([args[0], args[1]]) });
  await request(app).get('/shelves').expect(400);
  return seen;
}

afterEach(killAll);

test.each([
  ['flag', FLAG, `{"ok":false} missing_parameter: ${CAUSE}`],
  ['message', MESSAGE, String.raw`{"message":"The query parameter \"room\" is missing"}`],
])('the log tells why, and once, where errors are a %s', async (name, failure, why) => {
  const { url, written, output } = await serve([folder.write(`${name}.yaml`, shelves(failure))]);
  await fetch(`${url}/shelves`);
  await written(/ 400 .*\n/);
  expect(output().stdout.trim().endsWith(`ms ${why}`)).toBe(true);
});

test('programs are told the cause that the body has no room for', async () => {
  const [[head, response]] = (await answered(FLAG)) as [[RequestHead, HttpResponse]];
  expect(response.body).toBe('{"ok":false}');
  expect(requestFacts([])(head, response)).toStrictEqual({ code: 'missing_parameter', message: CAUSE });
});
