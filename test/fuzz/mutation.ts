import { METHODS } from 'node:http';
import fc from 'fast-check';
import type { JsonValue } from '../../src/core/json/json-value';
import { stringifyJson } from '../../src/core/json/stringify-json';
import { jsonValue } from '../core/json/arbitrary-json';
import type { PlainRequest } from './fresh-mock';
import { anyCharacter } from '../support/any-character';

/** One thing done to a request that was good before. */
export type Mutation = (request: PlainRequest) => PlainRequest;

/** Gives a function a text of its own, so that a counterexample says what was done. */
function named(text: string, mutate: Mutation): Mutation {
  return Object.assign(mutate, { [fc.toStringMethod]: () => text });
}

const SEGMENTS = [
  '',
  '0',
  '-1',
  '01',
  '1.0',
  'x',
  '%00',
  '%zz',
  '%2F1',
  '..',
  '%2e%2e',
  '__proto__',
  'constructor',
  '9223372036854775808',
  '9'.repeat(300),
  '%F0%9F%98%80',
  '*',
  '{petId}',
  'pets',
  '1;a=b',
];
const VALUES = [
  ...SEGMENTS,
  'true',
  'id',
  '-name',
  'available',
  'available,sold',
  '1,2,3',
  '1,,2',
  '%',
  '+',
  'W1tdLDFd.AAAA',
  '%C3%A9',
  'a%0d%0aSet-Cookie:b',
  '<>"',
];
const NAMES = [
  'limit',
  'cursor',
  'sort',
  'status',
  'categoryId',
  'id',
  'name',
  'petId',
  'complete',
  'x',
  '__proto__',
  '',
];
const HEADERS = [
  'Host',
  'Authorization',
  'Accept',
  'Content-Type',
  'Content-Encoding',
  'Content-Length',
  'Expect',
  'If-Match',
  'If-None-Match',
  'Idempotency-Key',
  'Prefer',
  'Origin',
  'X-Forwarded-Host',
  '__proto__',
];
const HEADER_VALUES = [
  '',
  '*',
  '*/*',
  'x',
  '"x"',
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'gzip',
  'identity',
  'banana',
  '100-continue',
  'Bearer test-key',
  'bearer test-key',
  'Bearer other',
  'Bearer  test-key',
  'Basic x',
  'return=minimal',
  'handling=strict',
  'handling=strict, return=minimal',
  'mock.example',
  'a b',
  '[::1]:80',
  'application/json;q=0',
  'a'.repeat(300),
  '\x80\xff',
  '",',
];
const BODIES = [
  '',
  ' ',
  '{}',
  '[]',
  'null',
  '1e400',
  '{',
  '{"name":"a","name":"b"}',
  '{"name":"\\ud800","categoryId":1}',
  '{"name":"\ufeff","categoryId":1}',
  '\ufeff{"name":"Nova","categoryId":1.0}',
  '['.repeat(70),
  '{"quantity":-0}',
  '{"quantity":1e0,"complete":true,"petId":1}',
  '{"__proto__":{"quantity":1},"quantity":2}',
  '{"id":"x"}',
  '{"id":1}',
];

const method = fc
  .constantFrom(...METHODS.filter((name) => name !== 'CONNECT'))
  .map((to) => named(`method ${to}`, (request) => ({ ...request, method: to })));

const segment = fc
  .tuple(fc.nat(3), fc.oneof(fc.constantFrom(...SEGMENTS), fc.webSegment(), fc.string({ maxLength: 5 })))
  .map(([at, text]) =>
    named(`segment ${at} ${JSON.stringify(text)}`, (request) => {
      const [path = '', ...query] = request.target.split('?');
      const segments = path.split('/');
      segments[at + 1] = text;
      return { ...request, target: [segments.join('/'), ...query].join('?') };
    }),
  );

const form = fc
  .constantFrom('http://mock.example', 'https://a', 'http://', '/', '//', '*', 'ftp://a', '#', '', ' ')
  .map((start) => named(`before target ${start}`, (request) => ({ ...request, target: start + request.target })));

const pair = fc
  .tuple(
    fc.constantFrom(...NAMES),
    fc.oneof(fc.constantFrom(...VALUES), fc.webQueryParameters()),
    fc.constantFrom('=', ''),
  )
  .map(([name, value, equals]) =>
    named(`query ${name}${equals}${value}`, (request) => {
      const joint = request.target.includes('?') ? '&' : '?';
      return { ...request, target: `${request.target}${joint}${name}${equals}${value}` };
    }),
  );

const header = fc
  .tuple(
    fc.constantFrom(...HEADERS),
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...HEADER_VALUES) },
      { weight: 1, arbitrary: fc.string({ unit: 'grapheme-ascii', maxLength: 12 }).map((text) => text.trim()) },
    ),
    fc.constantFrom('set', 'add', 'drop'),
  )
  .map(([name, value, how]) =>
    named(`${how} ${name}: ${value}`, (request) => {
      const others = request.headers.filter(([other]) => other.toLowerCase() !== name.toLowerCase());
      if (how === 'drop') return { ...request, headers: others };
      return { ...request, headers: [...(how === 'set' ? others : request.headers), [name, value]] };
    }),
  );

const wholeBody = fc
  .oneof(
    fc.constantFrom(...BODIES),
    jsonValue.map((value) => stringifyJson(value)),
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.uint8Array({ maxLength: 20 }),
  )
  .map((body) => named(`body ${fc.stringify(body)}`, (request) => ({ ...request, body })));

const cutBody = fc
  .tuple(fc.nat(60), fc.nat(3), fc.constantFrom('', '"', '{', ']', ',', '\\', '\0', '1', '\u2028'))
  .map(([at, count, text]) =>
    named(`body ${count} at ${at} → ${JSON.stringify(text)}`, (request) => {
      const before = Buffer.from(request.body).toString();
      return { ...request, body: before.slice(0, at) + text + before.slice(at + count) };
    }),
  );

const member = fc
  .tuple(fc.constantFrom('id', 'name', 'categoryId', 'status', 'petId', 'quantity', 'shipDate', 'complete'), jsonValue)
  .map(([name, value]) =>
    named(`member ${name} ${stringifyJson(value)}`, (request) => withMember(request, name, value)),
  );

function withMember(request: PlainRequest, name: string, value: JsonValue): PlainRequest {
  const text = Buffer.from(request.body).toString();
  if (!text.startsWith('{')) return request;
  const rest = text.slice(1).trimStart();
  return { ...request, body: `{${JSON.stringify(name)}:${stringifyJson(value)}${rest === '}' ? '' : ','}${rest}` };
}

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  method,
  segment,
  form,
  pair,
  { weight: 3, arbitrary: header },
  wholeBody,
  cutBody,
  { weight: 2, arbitrary: member },
);

/** A good request, mutated none to three times. */
export function mutated(valid: fc.Arbitrary<PlainRequest>): fc.Arbitrary<PlainRequest> {
  return fc
    .tuple(valid, fc.array(mutation, { maxLength: 3 }))
    .map(([request, mutations]) => mutations.reduce((each, mutate) => mutate(each), request));
}
