import { UNKNOWN, type Client } from '../client';
import { isWrite, onAnswer, onCall, type Defect, type Exchange, type Settings } from '../defect';
import { textOf } from '../json';
import { asError, headerOf, withHeader, withQuery, type Call } from '../message';
import { itemPath } from '../memory';

const authorization = (call: Call): string | undefined => headerOf(call, 'Authorization');
const isAnonymous = ({ call }: Exchange): boolean => authorization(call) === undefined;

/** The request goes on as if it had come with a key that is let in. */
const letIn =
  (when: (exchange: Exchange) => boolean) =>
  ({ key }: Settings) =>
    onCall(
      (exchange) => exchange.place.operation !== undefined && when(exchange),
      (call) => withHeader(call, 'Authorization', `Bearer ${key}`),
    )();

const adds = async (client: Client, auth: string | false, path = '/categories'): Promise<boolean> =>
  (await client.post(path, { name: 'Intruder' }, { auth })).status === 201;
const reads = async (client: Client, auth: string | false): Promise<boolean> =>
  (await client.get('/categories', { auth })).status === 200;

export const CREDENTIAL_DEFECTS: readonly Defect[] = [
  {
    id: 'AU-01',
    needs: ['A'],
    title: 'anybody may write without a key',
    clause: 'security: every operation needs the key; 401 missing_api_key (WFC 208)',
    start: letIn((exchange) => isAnonymous(exchange) && isWrite(exchange)),
    witness: (client) => adds(client, false),
  },
  {
    id: 'AU-02',
    needs: ['A'],
    title: 'anybody may read without a key',
    clause: 'security: every operation needs the key; 401 missing_api_key (WFC 207)',
    start: letIn((exchange) => isAnonymous(exchange) && !isWrite(exchange)),
    witness: (client) => reads(client, false),
  },
  {
    id: 'AU-04',
    needs: ['A'],
    title: 'an empty key is accepted',
    clause: '401 malformed_authorization: not `Bearer <key>`',
    start: letIn(({ call }) => /^bearer\s*$/i.test(authorization(call) ?? '')),
    witness: (client) => reads(client, 'Bearer '),
  },
  {
    id: 'AU-05',
    needs: ['A'],
    title: 'another scheme is accepted',
    clause: '401 malformed_authorization: not `Bearer <key>`',
    start: letIn(({ call }) => /^basic +./i.test(authorization(call) ?? '')),
    witness: (client) => reads(client, 'Basic dXNlcjpwYXNz'),
  },
  {
    id: 'AU-07',
    needs: ['A', 'T'],
    title: 'without a key the response is 403',
    clause: '401 missing_api_key; RFC 9110 §15.5.2: 401 when credentials are lacking',
    start: onAnswer(
      (exchange, { status }) => isAnonymous(exchange) && status === 401,
      (answer) => withHeader(asError(answer, 403, 'forbidden'), 'WWW-Authenticate'),
    ),
    witness: async (client) => (await client.get('/categories', { auth: false })).status === 403,
  },
  {
    id: 'AU-08',
    needs: ['H'],
    title: 'a 401 comes without WWW-Authenticate',
    clause: 'RFC 9110 §15.5.2: a 401 MUST have a WWW-Authenticate field (WFC 961)',
    start: onAnswer(
      (_, { status }) => status === 401,
      (answer) => withHeader(answer, 'WWW-Authenticate'),
    ),
    witness: async (client) => (await client.get('/pets', { auth: false })).header('www-authenticate') === undefined,
  },
  {
    id: 'AU-10',
    needs: ['A'],
    title: 'whether a resource exists is shown before the key is checked',
    clause: 'petstore.md §6, check order: 401 before target 404 (WFC 204)',
    start: () => async (exchange) => {
      const answer = await exchange.pass();
      if (answer.status !== 401 || exchange.place.id === undefined) return answer;
      const truth = await exchange.ask('GET', itemPath(exchange));
      return truth.status === 404 && exchange.fires() ? truth : answer;
    },
    witness: async (client) => (await client.get(`/pets/${UNKNOWN}`, { auth: false })).status === 404,
  },
  {
    id: 'AU-11',
    needs: ['A'],
    title: 'removals were forgotten in the key check',
    clause: 'security: every operation needs the key',
    start: letIn(({ call }) => call.method === 'DELETE'),
    witness: async (client) => {
      const { path } = await client.category();
      return (await client.delete(path, { auth: false })).status === 204;
    },
  },
  {
    id: 'AU-13',
    needs: ['A'],
    title: 'the key is also accepted in the query',
    clause: 'apiKeyBearer: the key comes as `Authorization: Bearer <API_KEY>`; RFC 6750 §5.3: not in page URLs',
    start: ({ key }) =>
      onCall(
        (exchange) => isAnonymous(exchange) && keyInQuery(exchange) === key,
        (call, { place }) => {
          const query = new URLSearchParams(place.query);
          for (const name of QUERY_NAMES) query.delete(name);
          return withHeader(withQuery(call, query), 'Authorization', `Bearer ${key}`);
        },
      )(),
    witness: async (client) => (await client.get('/categories?access_token=test-key', { auth: false })).status === 200,
  },
  {
    id: 'AU-14',
    needs: ['A'],
    title: 'a key that is not (or no longer) known is accepted',
    clause: '401 invalid_api_key: well-formed, unknown key',
    start: letIn(({ call }) => /^bearer +\S+$/i.test(authorization(call) ?? '')),
    witness: (client) => reads(client, 'Bearer revoked-key'),
  },
  {
    id: 'AU-15',
    needs: ['A', 'H'],
    title: 'HEAD was forgotten in the key check',
    clause: 'security: every operation needs the key; RFC 9110 §9.3.2: HEAD is GET without the content',
    start: letIn((exchange) => isAnonymous(exchange) && exchange.call.method === 'HEAD'),
    witness: async (client) => (await client.send('HEAD', '/categories', { auth: false })).status === 200,
  },
  {
    id: 'AU-16',
    needs: ['A', 'D'],
    title: 'a write without a key returns 401 and is done all the same',
    clause: 'a failed request changes nothing',
    start:
      ({ key }) =>
      async (exchange) => {
        const answer = await exchange.pass();
        if (answer.status === 401 && isWrite(exchange) && exchange.fires()) {
          await exchange.pass(withHeader(exchange.call, 'Authorization', `Bearer ${key}`));
        }
        return answer;
      },
    witness: async (client) => {
      const { path, id } = await client.category();
      const { status } = await client.delete(path, { auth: false });
      return status === 401 && !(await client.idsOf('/categories')).includes(textOf(id));
    },
  },
  {
    id: 'AU-17',
    needs: ['A'],
    title: 'the case of a key does not count',
    clause: '401 invalid_api_key: unknown key; RFC 6749 §1.8: values are case sensitive',
    start: ({ key }) =>
      letIn(({ call }) => {
        const given = /^bearer +(\S+)$/i.exec(authorization(call) ?? '')?.[1];
        return given !== key && given?.toLowerCase() === key.toLowerCase();
      })({ key, pause: () => Promise.resolve() }),
    witness: (client) => reads(client, 'Bearer TEST-KEY'),
  },
];

const QUERY_NAMES = ['access_token', 'api_key', 'apikey', 'api-key', 'key', 'token'];

function keyInQuery({ place }: Exchange): string | null {
  const name = QUERY_NAMES.find((one) => place.query.has(one));
  return name === undefined ? null : place.query.get(name);
}
