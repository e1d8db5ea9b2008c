import { type Exchange, onAnswer, onCall, type Variant } from '../defect';
import { isFields, textOf, type Json } from '../json';
import { editData } from '../frame/envelope';
import { withAbsoluteLocation, withFurtherMember, withTimes } from '../frame/starts';
import { type Answer, headerOf, jsonOf, succeeded, withHeader, withJson, withQuery } from '../message';
import { type LendingClient, NOBODY, SHED } from './client';
import { asProblem } from './dialect';

const hasBody = (_: Exchange, { body }: Answer): boolean => body.length > 0;

/** The members of all objects in another order. */
function turned(json: Json | undefined): Json {
  if (Array.isArray(json)) return json.map(turned);
  if (!isFields(json)) return json ?? null;
  return Object.fromEntries(
    Object.entries(json)
      .map(([name, value]) => [name, turned(value)] as const)
      .toReversed(),
  );
}

const TIMES = ['createdAt', 'updatedAt', 'deletedAt', 'lentAt', 'returnedAt', 'movedAt'] as const;

const inSamoa = (time: string): string => new Date(Date.parse(time) + 46_800_000).toISOString().replace('Z', '+13:00');

export const LENDING_VARIANTS: readonly Variant<LendingClient>[] = [
  {
    id: 'member-order',
    title: 'members come in another order',
    basis: 'RFC 8259 §4: an object is unordered',
    start: onAnswer(hasBody, (answer) => withJson(answer, turned(jsonOf(answer)))),
    witness: async (client) => (await client.get(`${SHED}/tools`)).text.startsWith('{"meta"'),
  },
  {
    id: 'more-headers',
    title: 'there are headers that nobody asked about',
    basis: 'RFC 9110 §5.1: fields are extensible, and those that are not known are ignored',
    start: onAnswer(
      () => true,
      (answer) => withHeader(withHeader(answer, 'X-Request-Id', 'a7'), 'Vary', 'X-Workspace-Key, Accept'),
    ),
    witness: async (client) => (await client.get(`${SHED}/tools`)).header('x-request-id') === 'a7',
  },
  {
    id: 'hidden-workspace',
    title: 'a workspace that the key does not open is a 404',
    basis: 'RFC 9110 §15.5.4: a server may answer 404 to hide that something is there; getTool has both',
    start: onAnswer(
      (_, { status }) => status === 403,
      (answer) => asProblem(answer, 404),
    ),
    witness: async (client) => (await client.get('/v2/quarry/tools')).status === 404,
  },
  {
    id: 'other-page-size',
    title: 'a page has two tools where nothing is said',
    basis: 'perPage: ours to choose where it is left out',
    start: onCall(
      ({ place }) => /^list(?:Tools|Notes|Loans)$/.test(place.operation ?? '') && !place.query.has('perPage'),
      (call, { place }) => withQuery(call, new URLSearchParams([...place.query, ['perPage', '2']])),
    ),
    witness: async (client) => (await client.list('tools')).length === 2,
  },
  {
    id: 'other-zone',
    title: 'times are those of another zone',
    basis: 'RFC 3339 §5.6: time-numoffset',
    start: withTimes(TIMES, inSamoa),
    witness: async (client) => textOf((await client.read((await client.tool()).path)).createdAt).endsWith('+13:00'),
  },
  {
    id: 'whole-seconds',
    title: 'times have no fractions of seconds',
    basis: 'RFC 3339 §5.6: time-secfrac is optional',
    start: withTimes(TIMES, (time) => time.replace(/\.\d+/, '')),
    witness: async (client) => /:\d\dZ$/.test(textOf((await client.read((await client.tool()).path)).createdAt)),
  },
  {
    id: 'charset',
    title: 'media types have a charset, and capitals',
    basis: 'RFC 9110 §8.3.1: parameters are allowed, names do not depend on case',
    start: onAnswer(hasBody, (answer) => {
      const type = headerOf(answer, 'Content-Type') ?? '';
      return withHeader(answer, 'Content-Type', `${type.replace('application', 'Application')}; charset=utf-8`);
    }),
    witness: async (client) => (await client.get(`${SHED}/tools`)).header('content-type')?.startsWith('App') ?? false,
  },
  {
    id: 'location-absolute',
    title: 'Location is absolute',
    basis: 'RFC 9110 §10.2.2: URI-reference',
    start: withAbsoluteLocation,
    witness: async (client) => (await client.tool()).reply.header('location')?.startsWith('http://') ?? false,
  },
  {
    id: 'link-otherwise',
    title: 'links have a title and no quotes',
    basis: 'RFC 8288 §3: parameters come in any order, and rel needs no quotes',
    start: onAnswer(
      (_, answer) => headerOf(answer, 'Link') !== undefined,
      (answer) =>
        withHeader(answer, 'Link', headerOf(answer, 'Link')?.replace(/; rel="(\w+)"/g, '; title="a, b"; rel=$1')),
    ),
    witness: async (client) => (await client.get(`${SHED}/tools`)).header('link')?.includes('title="a, b"') ?? false,
  },
  {
    id: 'problem-types',
    title: 'problems have a type and further members',
    basis: 'RFC 9457 §3.1.1, §3.2: a type of its own, and extension members',
    start: onAnswer(
      (_, answer) => answer.status >= 400 && isFields(jsonOf(answer)),
      (answer) => {
        const problem = jsonOf(answer);
        return isFields(problem)
          ? withJson(answer, { ...problem, type: `https://toolshed.example/problems/${answer.status}`, trace: 'a7' })
          : answer;
      },
    ),
    witness: async (client) => 'trace' in (await client.get(`${SHED}/loans/${NOBODY}`)).fields,
  },
  {
    id: 'bare-problems',
    title: 'problems have nothing but what they need',
    basis: 'Problem: detail and errors are optional',
    start: onAnswer(
      (_, { status, body }) => status >= 400 && body.length > 0,
      (answer) => asProblem(answer, answer.status),
    ),
    witness: async (client) => !('detail' in (await client.get(`${SHED}/loans/${NOBODY}`)).fields),
  },
  {
    id: 'further-members',
    title: 'resources have members that are not described',
    basis:
      'JSON Schema: additional properties are allowed where nothing forbids them; Tool, Loan and the others are open',
    start: withFurtherMember('_rev'),
    witness: async (client) => '_rev' in (await client.read((await client.tool()).path)),
  },
  {
    id: 'capital-uuids',
    title: 'UUIDs are in capitals',
    basis: 'RFC 9562 §4: hexadecimal digits may be upper case, and case does not count on input',
    start: onAnswer(
      (_, answer) => succeeded(answer) && answer.body.length > 0,
      (answer) =>
        editData(answer, (row) => ({
          ...row,
          ...Object.fromEntries(
            (['id', 'toolId'] as const).flatMap((name) =>
              row[name] === undefined ? [] : [[name, textOf(row[name]).toUpperCase()]],
            ),
          ),
        })),
    ),
    witness: async (client) => /^[0-9A-F-]{36}$/.test((await client.tool()).id),
  },
  {
    id: 'tag-before-body',
    title: 'the entity tag is looked at before the body is',
    basis: 'RFC 9110 §13.2.1: preconditions count before the content of the request is processed',
    start: () => async (exchange) => {
      const { call, place, ask, pass } = exchange;
      const answer = await pass();
      if (place.operation !== 'changeTool' || ![400, 415, 422].includes(answer.status)) return answer;
      const match = headerOf(call, 'If-Match');
      if (match === undefined) return asProblem(answer, 428);
      const tag = headerOf(await ask('GET', call.target), 'ETag') ?? '';
      return match === '*' || match.includes(tag) ? answer : asProblem(answer, 412);
    },
    witness: async (client) => (await client.change(await client.tool(), { name: 1 }, '"old"')).status === 412,
  },
];
