import { bad, good, onAnswer, onCall, type Defect, type Exchange } from '../../defect';
import { type Call, headerOf, withHeader, withStatus } from '../../message';
import { type LendingClient, NOBODY, SHED } from '../client';
import { asProblem, KEY } from '../dialect';

const hasNoKey = ({ call }: Exchange): boolean => headerOf(call, KEY) === undefined;
const letIn = (call: Call): Call => withHeader(call, KEY, 'test-key');
const isUnknownKey = ({ call }: Exchange): boolean => !['', 'test-key', 'quay-key'].includes(headerOf(call, KEY) ?? '');
const isOperation =
  (...operations: string[]) =>
  ({ place }: Exchange): boolean =>
    operations.includes(place.operation ?? '');

export const ACCESS_DEFECTS: readonly Defect<LendingClient>[] = [
  {
    id: 'AU-01',
    needs: ['A'],
    title: 'anybody may read without a key',
    clause: 'security: workspaceKey',
    start: onCall((exchange) => hasNoKey(exchange) && exchange.call.method === 'GET', letIn),
    witness: async (client) => (await client.get(`${SHED}/tools`, { auth: false })).status === 200,
  },
  {
    id: 'AU-02',
    needs: ['A'],
    title: 'a key that nobody has is accepted',
    clause: 'Unauthorized: the key is missing or not known',
    start: onCall(isUnknownKey, letIn),
    witness: async (client) => (await client.get(`${SHED}/tools`, { auth: 'made-up' })).status === 200,
  },
  {
    id: 'AU-03',
    needs: ['A', 'H'],
    title: 'a 401 comes without WWW-Authenticate',
    clause: 'RFC 9110 §15.5.2: MUST send it',
    start: onAnswer(bad(401), (answer) => withHeader(answer, 'WWW-Authenticate')),
    witness: async (client) =>
      (await client.get(`${SHED}/tools`, { auth: false })).header('www-authenticate') === undefined,
  },
  {
    id: 'AU-04',
    needs: ['A'],
    title: 'a deletion without a key returns 401 and is done all the same',
    clause: 'security: workspaceKey',
    start: () => async (exchange) => {
      const { call, pass } = exchange;
      const answer = await pass();
      if (hasNoKey(exchange) && call.method === 'DELETE' && exchange.fires()) await pass(letIn(call));
      return answer;
    },
    witness: async (client) => {
      const { path } = await client.note(await client.tool());
      await client.delete(path, { auth: false });
      return (await client.get(path)).status === 404;
    },
  },
  {
    id: 'AU-05',
    needs: ['A', 'I'],
    title: 'a tool of another workspace can be read',
    clause: 'nothing of one workspace is seen in another',
    start: () => async (exchange) => {
      const { call, pass } = exchange;
      const answer = await pass();
      if (!isOperation('getTool')(exchange) || answer.status !== 404) return answer;
      const [from, to] = call.target.startsWith(SHED) ? ['harbour', 'orchard'] : ['orchard', 'harbour'];
      const found = await pass({ ...call, target: call.target.replace(from, to) });
      return found.status === 200 && exchange.fires() ? found : answer;
    },
    witness: async (client) => {
      const { id } = await client.tool();
      return (await client.get(`/v2/orchard/tools/${id}`)).status === 200;
    },
  },
  {
    id: 'AU-06',
    needs: ['A'],
    title: 'a workspace that the key does not open can be read',
    clause: 'workspace: 403 where the key does not open it',
    start: onCall(
      ({ call }) => call.method === 'GET' && call.target.startsWith('/v2/quarry') && headerOf(call, KEY) === 'test-key',
      (call) => withHeader(call, KEY, 'quay-key'),
    ),
    witness: async (client) => (await client.get('/v2/quarry/tools')).status === 200,
  },
  {
    id: 'AU-07',
    needs: ['A'],
    title: 'a loan is returned without a key',
    clause: 'security: workspaceKey',
    start: onCall((exchange) => hasNoKey(exchange) && isOperation('returnLoan')(exchange), letIn),
    witness: async (client) => {
      const { path } = await client.loan(await client.tool({}, 1));
      return (await client.send('POST', `${path}/return`, { auth: false })).status === 200;
    },
  },
  {
    id: 'HD-01',
    needs: ['H'],
    title: 'Location of a new tool lacks the path that the API is mounted at',
    clause: 'addTool: Location; RFC 9110 §10.2.2: it refers to the primary resource created',
    start: onAnswer(good('addTool'), (answer) =>
      withHeader(answer, 'Location', headerOf(answer, 'Location')?.replace('/v2/', '/')),
    ),
    witness: async (client) => (await client.get((await client.tool()).reply.header('location') ?? '')).status === 404,
  },
  {
    id: 'HD-02',
    needs: ['H', 'S'],
    title: 'a new note has no Location',
    clause: 'addNote: Location is required',
    start: onAnswer(good('addNote'), (answer) => withHeader(answer, 'Location')),
    witness: async (client) => (await client.note(await client.tool())).reply.header('location') === undefined,
  },
  {
    id: 'HD-03',
    needs: ['H'],
    title: 'HEAD is a 405',
    clause: 'RFC 9110 §9.1: GET and HEAD MUST be supported; every GET can be sent as HEAD',
    start: onAnswer(
      ({ call, place }) => call.method === 'HEAD' && place.operation !== undefined,
      (answer) => withHeader(asProblem(answer, 405), 'Allow', 'GET, OPTIONS'),
    ),
    witness: async (client) => (await client.send('HEAD', `${SHED}/tools`)).status === 405,
  },
  {
    id: 'HD-04',
    needs: ['H'],
    title: 'a 405 does not say what is allowed',
    clause: 'RFC 9110 §15.5.6: MUST generate Allow',
    start: onAnswer(bad(405), (answer) => withHeader(answer, 'Allow')),
    witness: async (client) => (await client.delete(`${SHED}/loans/${NOBODY}`)).header('allow') === undefined,
  },
  {
    id: 'HD-05',
    needs: ['H'],
    title: 'OPTIONS does not name PATCH where there is one',
    clause: 'every path answers OPTIONS with its methods in Allow (RFC 9110 §10.2.1)',
    start: onAnswer(
      ({ call }, answer) => call.method === 'OPTIONS' && (headerOf(answer, 'Allow') ?? '').includes('PATCH'),
      (answer) => withHeader(answer, 'Allow', headerOf(answer, 'Allow')?.replace('PATCH, ', '')),
    ),
    witness: async (client) => {
      const { path } = await client.tool();
      return !(await client.send('OPTIONS', path)).header('allow')?.includes('PATCH');
    },
  },
  {
    id: 'HD-06',
    needs: ['H', 'L'],
    title: 'the link to the next page leads to the same page',
    clause: 'listTools: Link; RFC 8288 with the relation next',
    start: onAnswer(good('listTools'), (answer, { place }) => {
      const page = place.query.get('page') ?? '1';
      const link = headerOf(answer, 'Link')?.replace(/([?&]page=)\d+([^>]*>; rel="next")/, `$1${page}$2`);
      return withHeader(answer, 'Link', link);
    }),
    witness: async (client) =>
      /[?&]page=1[^>]*>; rel="next"/.test((await client.get(`${SHED}/tools?perPage=1`)).header('link') ?? ''),
  },
  {
    id: 'HD-07',
    needs: ['H'],
    title: 'a 304 has no ETag',
    clause: 'RFC 9110 §15.4.5: MUST generate the ETag that a 200 would have',
    start: onAnswer(bad(304), (answer) => withHeader(answer, 'ETag')),
    witness: async (client) => {
      const { path, reply } = await client.tool();
      const headers = { 'If-None-Match': reply.header('etag') ?? '' };
      const { status, header } = await client.get(path, { headers });
      return status === 304 && header('etag') === undefined;
    },
  },
  {
    id: 'HD-08',
    needs: ['H'],
    title: 'HEAD says that a tool has no bytes',
    clause: 'RFC 9110 §8.6: MUST NOT send another Content-Length than a GET would have',
    start: onAnswer(
      ({ call, place }, { status }) => call.method === 'HEAD' && place.operation === 'getTool' && status === 200,
      (answer) => withHeader(answer, 'Content-Length', '0'),
    ),
    witness: async (client) => (await client.send('HEAD', (await client.tool()).path)).header('content-length') === '0',
  },
  {
    id: 'HD-09',
    needs: ['H', 'S'],
    title: 'JSON is labelled text/plain',
    clause: 'listMembers: application/json',
    start: onAnswer(good('listMembers', 'getMember'), (answer) =>
      withHeader(withStatus(200)(answer), 'Content-Type', 'text/plain'),
    ),
    witness: async (client) => (await client.get(`${SHED}/members`)).header('content-type') === 'text/plain',
  },
];
