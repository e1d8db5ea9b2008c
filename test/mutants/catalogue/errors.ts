import { isError, UNKNOWN, type Client, type Reply } from '../client';
import { bad, onAnswer, type Defect } from '../defect';
import { omit } from '../json';
import { asText, edited, editFields, fieldsOf, withHeader, withJson } from '../message';

const missing = (client: Client): Promise<Reply> => client.get(`/categories/${UNKNOWN}`);
const broken = (client: Client): Promise<Reply> => client.send('POST', '/categories', { text: '{"name":' });
const CONTRACT = 'Error: code, message and status are required, and these are their types';

const PAGE = '<!DOCTYPE html>\n<html><body><pre>SyntaxError: Unexpected end of JSON input</pre></body></html>\n';
const STACK = [
  'TypeError: Cannot read properties of undefined (reading &#39;id&#39;)',
  '    at findOne (/srv/app/dist/orders/repository.js:41:19)',
  '    at process.processTicksAndRejections (node:internal/process/task_queues:95:5)',
].join('\n');

export const ERROR_DEFECTS: readonly Defect[] = [
  {
    id: 'ER-01',
    needs: ['E'],
    title: 'a 404 has no code',
    clause: CONTRACT,
    start: onAnswer(
      bad(404),
      edited((fields) => omit(fields, 'code')),
    ),
    witness: async (client) => (await missing(client)).fields.code === undefined,
  },
  {
    id: 'ER-03',
    needs: ['E'],
    title: 'status is a string in errors',
    clause: CONTRACT,
    start: onAnswer(
      (_, { status }) => status >= 400,
      (answer) => editFields(answer, (fields) => ({ ...fields, status: String(answer.status) })),
    ),
    witness: async (client) => (await missing(client)).fields.status === '404',
  },
  {
    id: 'ER-04',
    needs: ['E'],
    title: 'message is null in errors',
    clause: CONTRACT,
    start: onAnswer(
      (_, { status }) => status >= 400,
      edited((fields) => ({ ...fields, message: null })),
    ),
    witness: async (client) => (await missing(client)).fields.message === null,
  },
  {
    id: 'ER-06',
    needs: ['E'],
    title: 'a 404 is plain text',
    clause: 'petstore.md §1: application/json, errors too',
    start: onAnswer(bad(404), (answer) => asText(answer, 'text/plain; charset=utf-8', 'Not Found')),
    witness: async (client) => (await missing(client)).text === 'Not Found',
  },
  {
    id: 'ER-07',
    needs: ['E', 'N'],
    title: 'malformed JSON gets the HTML page of a framework',
    clause: 'petstore.md §6: 400 invalid_json in the Error shape',
    start: onAnswer(
      (_, answer) => answer.status === 400 && fieldsOf(answer).code === 'invalid_json',
      (answer) => asText(answer, 'text/html; charset=utf-8', PAGE),
    ),
    witness: async (client) => (await broken(client)).text.startsWith('<!DOCTYPE'),
  },
  {
    id: 'ER-09',
    needs: ['E', 'H'],
    title: 'protocol errors (405, 406, 413, 415) are not in the Error shape',
    clause: 'petstore.md §13: protocol statuses in the Error shape',
    start: onAnswer(bad(405, 406, 413, 415), (answer) => withJson(answer, { error: 'Refused' })),
    witness: async (client) => {
      const reply = await client.send('PATCH', '/categories');
      return reply.status === 405 && !isError(reply);
    },
  },
  {
    id: 'ER-10',
    needs: ['E'],
    title: 'a rejected body gets a stack trace as message',
    clause: 'Error.message: a human-readable description of the error (WFC 209)',
    start: onAnswer(
      bad(400),
      edited((fields) => ({ ...fields, message: STACK })),
    ),
    witness: async (client) => (await broken(client)).text.includes('repository.js:41'),
  },
  {
    id: 'ER-12',
    needs: ['E', 'Q'],
    title: 'the same failure has another code each time',
    clause: 'Error.code: a machine-readable error code; §6: 404 resource_not_found',
    start: () => {
      let times = 0;
      return async (exchange) => {
        const answer = await exchange.pass();
        if (answer.status !== 404 || !exchange.fires()) return answer;
        times += 1;
        return editFields(answer, (fields) => ({ ...fields, code: times % 2 === 0 ? 'not_found' : fields.code }));
      };
    },
    witness: async (client) => {
      const [first, second] = [await missing(client), await missing(client)];
      return first.fields.code !== second.fields.code;
    },
  },
  {
    id: 'ER-13',
    needs: ['E'],
    title: 'errors are RFC 9457 problem details',
    clause: CONTRACT,
    start: onAnswer(
      (_, { status }) => status >= 400,
      (answer) => {
        const { code, message } = fieldsOf(answer);
        const problem = { type: 'about:blank', title: code ?? 'error', status: answer.status, detail: message ?? '' };
        return withHeader(withJson(answer, problem), 'Content-Type', 'application/problem+json');
      },
    ),
    witness: async (client) => {
      const reply = await missing(client);
      return reply.header('content-type') === 'application/problem+json' && !isError(reply);
    },
  },
];
