import pc from 'picocolors';
import { DriftLines } from '../../src/cli/terminal/drift-lines';
import { description, loadText } from '../openapi/load-text';
import { exchange, judgeOf } from '../traffic/drift/traffic';

const { api } = loadText(
  description({
    paths: `
  /books:
    post:
      operationId: addBook
      requestBody: { required: true, content: { application/json: { schema: { type: object, properties: { title: { type: string, minLength: 1, pattern: '[a-z]' } } } } } }
      responses: { '201': { description: Added }, '400': { description: Wrong } }
  /books/{bookId}:
    get:
      operationId: getBook
      responses: { '200': { description: OK, content: { application/json: { schema: { type: object, properties: { title: { type: string } } } } } } }
`,
  }),
);
const broken = exchange('GET /books/1 200', { body: '{"title":7}' });

test('a violation is told once, with what was expected and where, and then how often it came', () => {
  const judge = judgeOf(api);
  const lines = new DriftLines(pc.createColors(false));
  const told = Array.from({ length: 12 }, () => lines.of(judge.judge(broken)!));
  expect(told[0]).toEqual([
    'DRIFT getBook → 200  body-schema The field /title must be a string',
    expect.stringMatching(/^ {4}expected a string, actual 7 {2}\S+openapi\.yaml:\d+:\d+ shop\.recording\.ndjson:7:1$/),
  ]);
  expect(told.slice(1).flat()).toEqual(['… 10 times: getBook → 200 body-schema: The field /title must be a string']);
  expect(lines.ending()).toEqual(['… 12 times: getBook → 200 body-schema: The field /title must be a string']);
});

test('what is right is not told', () => {
  const lines = new DriftLines(pc.createColors(false));
  const right = exchange('GET /books/1 200', { body: '{"title":"Momo"}' });
  expect(lines.of(judgeOf(api).judge(right)!)).toEqual([]);
  expect(lines.ending()).toEqual([]);
});

test('a note is told as it comes, once', () => {
  const judge = judgeOf(api);
  const lines = new DriftLines(pc.createColors(false));
  const told = Array.from({ length: 2 }, () => {
    const step = judge.judge(exchange('POST /books 400', { send: '{"title":""}' }));
    return step === undefined ? [] : lines.of(step);
  });
  expect(told).toEqual([
    [
      'NOTE addBook → 400  request-body The field /title must have at least 1 character',
      expect.stringMatching(/^ {4}expected at least 1 character {2}\S+openapi\.yaml:\d+:\d+ /),
    ],
    [],
  ]);
});

test('a value that breaks two rules is told once', () => {
  const lines = new DriftLines(pc.createColors(false));
  const told = lines.of(judgeOf(api).judge(exchange('POST /books 201', { send: '{"title":""}' }))!);
  expect(told.filter((line) => line.startsWith('DRIFT'))).toEqual([
    'DRIFT addBook → 201  request-body The field /title must have at least 1 character',
  ]);
});

test('a description that does not fit is told in one line and a hint', () => {
  const judge = judgeOf(api);
  const lines = new DriftLines(pc.createColors(false));
  const told = Array.from({ length: 20 }, (_, at) => {
    const step = judge.judge(exchange(`GET /orders/${at} 200`));
    return step === undefined ? [] : lines.of(step);
  });
  expect(told.flat().slice(-2)).toEqual([
    'DRIFT the description  TRAFFIC_UNRELATED None of 10 requests is in the description: it does not fit this traffic',
    expect.stringContaining('GET /orders/{id} (10 times)'),
  ]);
});
