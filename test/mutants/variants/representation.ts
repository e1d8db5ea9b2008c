import { UNKNOWN } from '../client';
import { onAnswer, onCall, type Exchange, type Variant } from '../defect';
import { parseJson, type Fields } from '../json';
import { edited, headerOf, succeeded, withHeader, type Answer, type Header } from '../message';

const hasBody = (_: Exchange, { body }: Answer): boolean => body.length > 0;
const isErrorAnswer = (_: Exchange, { status, body }: Answer): boolean => status >= 400 && body.length > 0;
const isList = ({ call, place }: Exchange, answer: Answer): boolean =>
  call.method === 'GET' && place.collection !== undefined && place.id === undefined && succeeded(answer);

const reversed = (fields: Fields): Fields => Object.fromEntries(Object.entries(fields).toReversed());
const spaced = (text: string): string =>
  text.replace(/("(?:[^"\\]|\\.)*")|([{[,:])/g, (_, string, mark) => `${string ?? `${mark}\n  `}`);

/** Whole numbers outside of texts, each with a fraction of nothing. */
const decimals = (text: string): string =>
  text.replace(/("(?:[^"\\]|\\.)*")|(-?\d+)(?![\d.eE])/g, (_, string, digits) => `${string ?? `${digits}.0`}`);

/** Each link in a line of its own. */
function oneByOne(answer: Answer): Answer {
  const links = (headerOf(answer, 'Link') ?? '').split(/,\s*(?=<)/);
  const lines = links.map((link): Header => ['Link', link]);
  return { ...answer, headers: [...withHeader(answer, 'Link').headers, ...lines] };
}

export const REPRESENTATION_VARIANTS: readonly Variant[] = [
  {
    id: 'member-order',
    title: 'members come in another order',
    basis: 'RFC 8259 §4: an object is unordered',
    start: onAnswer(hasBody, edited(reversed)),
    witness: async (client) => {
      const { fields } = (await client.category({ description: 'Small' })).reply;
      // The second Petstore answers description, id, name.
      return Object.keys(fields)[0] === 'name';
    },
  },
  {
    id: 'white-space',
    title: 'JSON is spread over lines',
    basis: 'RFC 8259 §2: insignificant white space',
    start: onAnswer(hasBody, (answer) => ({ ...answer, body: Buffer.from(spaced(answer.body.toString())) })),
    witness: async (client) => {
      const { text, status } = await client.get('/pets');
      return status === 200 && text.includes('\n') && Array.isArray(parseJson(text));
    },
  },
  {
    id: 'decimals',
    title: 'whole numbers are written as 1.0',
    basis: 'RFC 8259 §6: another spelling of the same number; JSON Schema: 1.0 is an integer',
    start: onAnswer(hasBody, (answer) => ({ ...answer, body: Buffer.from(decimals(answer.body.toString())) })),
    witness: async (client) => /"id":\d+\.0[,}]/.test((await client.get('/pets')).text),
  },
  {
    id: 'link-lines',
    title: 'each link comes in a line of its own',
    basis: 'RFC 9110 §5.3: lines of one name are one list',
    start: onAnswer((_, answer) => headerOf(answer, 'Link') !== undefined, oneByOne),
    witness: async (client) => {
      for (let count = 0; count < 3; count += 1) await client.pet();
      // The first line alone is looked at, and the first page has a next one.
      return !((await client.get('/pets?limit=2')).header('link') ?? 'none,').includes(',');
    },
  },
  {
    id: 'link-parameters',
    title: 'links have a title before their rel, which needs no quotes',
    basis: 'RFC 8288 §3: parameters come in any order, with optional white space',
    start: onAnswer(
      (_, answer) => headerOf(answer, 'Link') !== undefined,
      (answer) => {
        const link = headerOf(answer, 'Link') ?? '';
        return withHeader(answer, 'Link', link.replace(/; *rel="?([\w-]+)"?/g, ' ;title="a, b" ; rel=$1'));
      },
    ),
    witness: async (client) => {
      for (let count = 0; count < 3; count += 1) await client.pet();
      return (await client.get('/pets?limit=2')).header('link')?.includes('title="a, b" ; rel=') ?? false;
    },
  },
  {
    id: 'location-from-request',
    title: 'Location goes on from the path of the request',
    basis: 'RFC 9110 §10.2.2: resolved against the URI of the request',
    start: onAnswer(
      (_, answer) => headerOf(answer, 'Location') !== undefined,
      (answer) => {
        const { pathname } = new URL(headerOf(answer, 'Location') ?? '', 'http://localhost');
        return withHeader(answer, 'Location', pathname.split('/').slice(-2).join('/'));
      },
    ),
    witness: async (client) => /^categories\/\d+$/.test((await client.category()).reply.header('location') ?? ''),
  },
  {
    id: 'header-case',
    title: 'names of header fields are in capitals',
    basis: 'RFC 9110 §5.1: field names are case-insensitive',
    start: onAnswer(
      () => true,
      (answer) => ({ ...answer, headers: answer.headers.map(([name, value]) => [name.toUpperCase(), value] as const) }),
    ),
    witness: async (client) => (await client.raw(rawRead)).includes('X-TOTAL-COUNT: '),
  },
  {
    id: 'media-type-spelling',
    title: 'Content-Type is application/json;charset=UTF-8',
    basis: 'RFC 9110 §8.3.1: types, parameter names and this charset are case-insensitive, white space is optional',
    start: onAnswer(hasBody, (answer) => withHeader(answer, 'Content-Type', 'Application/JSON;charset=UTF-8')),
    witness: async (client) => (await client.get('/pets')).header('content-type') === 'Application/JSON;charset=UTF-8',
  },
  {
    id: 'media-type-bare',
    title: 'Content-Type is application/json and nothing else',
    basis: 'RFC 8259 §11: no charset parameter is needed',
    start: onAnswer(hasBody, (answer) => withHeader(answer, 'Content-Type', 'application/json')),
    witness: async (client) => (await client.get('/pets')).header('content-type') === 'application/json',
  },
  {
    id: 'other-messages',
    title: 'messages are worded differently, in another language',
    basis: 'Error.message: a human-readable description; its words are free',
    start: onAnswer(
      isErrorAnswer,
      edited((fields) => ({ ...fields, message: 'Das ging leider nicht: „größer“ ≠ kleiner.' })),
    ),
    witness: async (client) =>
      /^Das ging/.test((await client.get(`/pets/${UNKNOWN}`)).text.split('"message":"')[1] ?? ''),
  },
  {
    id: 'error-details',
    title: 'errors have a member more, details',
    basis: 'Error is open; petstore.md §2: details may be added',
    start: onAnswer(
      isErrorAnswer,
      edited((fields) => ({ ...fields, details: [{ pointer: '/name', keyword: 'required', message: 'is required' }] })),
    ),
    witness: async (client) => Array.isArray((await client.get(`/pets/${UNKNOWN}`)).fields['details']),
  },
  {
    id: 'member-more',
    title: 'resources have a member that the description does not know',
    basis: 'the schemas are open; a runner may warn, not fail',
    start: onAnswer(
      (_, answer) => succeeded(answer),
      edited((fields) => ({ ...fields, revision: 7 })),
    ),
    witness: async (client) => (await client.category()).reply.fields['revision'] === 7,
  },
  {
    id: 'location-form',
    title: 'Location is relative instead of absolute, or the other way round',
    basis: 'RFC 9110 §10.2.2: Location is a URI reference',
    start: onAnswer(
      (_, answer) => headerOf(answer, 'Location') !== undefined,
      (answer, { call }) => {
        const location = headerOf(answer, 'Location') ?? '';
        const host = `http://${headerOf(call, 'Host') ?? ''}`;
        return withHeader(answer, 'Location', /^https?:/.test(location) ? new URL(location).pathname : host + location);
      },
    ),
    witness: async (client) => (await client.category()).reply.header('location')?.startsWith('/categories/') ?? false,
  },
  {
    id: 'list-tags',
    title: 'lists have a weak entity tag',
    basis: 'petstore.md §13: an ETag on lists is free',
    start: onAnswer(isList, (answer) => withHeader(answer, 'ETag', `W/"${answer.body.length.toString(36)}"`)),
    witness: async (client) => (await client.get('/pets')).header('etag')?.startsWith('W/') ?? false,
  },
  {
    id: 'more-headers',
    title: 'answers have header fields that nobody documented',
    basis: 'RFC 9110 §5.1: unrecognized fields are ignored',
    start: onAnswer(
      () => true,
      (answer) => ({
        ...answer,
        headers: [...answer.headers, ['X-Powered-By', 'hamster'], ['Vary', 'Accept, Origin']],
      }),
    ),
    witness: async (client) => (await client.get('/pets')).header('x-powered-by') === 'hamster',
  },
  {
    id: 'preference-ignored',
    title: 'return=minimal is not followed: 200 or 201 with the body',
    basis: 'RFC 7240 §2: a preference that is not followed is ignored; the 200 is documented',
    start: onCall(
      ({ call }) => headerOf(call, 'Prefer') !== undefined,
      (call) => withHeader(call, 'Prefer', (headerOf(call, 'Prefer') ?? '').replace(/return=minimal\s*,?/gi, '')),
    ),
    witness: async (client) => {
      const { path } = await client.category();
      return (await client.put(path, { name: 'Owl' }, { headers: { Prefer: 'return=minimal' } })).status === 200;
    },
  },
];

const rawRead = 'GET /pets HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer test-key\r\nConnection: close\r\n\r\n';
