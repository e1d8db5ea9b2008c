import fc from 'fast-check';
import { bestMediaType } from '../../../src/core/http/accept';
import { anyCharacter } from '../../support/any-character';

const json = 'application/json';
const xml = 'application/xml';

test.each([
  { accept: 'application/json', offered: [xml, json], want: json },
  { accept: 'text/*;q=0.5, application/json', offered: ['text/plain', json], want: json },
  { accept: 'image/png', offered: [json], want: undefined },
  { accept: undefined, offered: [xml, json], want: xml },
  { accept: '', offered: [xml, json], want: xml },
  { accept: ' , ', offered: [xml, json], want: xml },
  { accept: undefined, offered: [], want: undefined },
  { accept: '*/*', offered: [], want: undefined },
  { accept: '*/*', offered: [xml, json], want: xml },
  { accept: 'application/*', offered: ['text/plain', xml, json], want: xml },
  { accept: 'APPLICATION/JSON', offered: [json], want: json },
  { accept: 'application/json;q=0.5, application/xml;q=0.6', offered: [json, xml], want: xml },
  { accept: 'application/xml, application/json', offered: [json, xml], want: xml },
  { accept: '*/*, application/xml', offered: [json, xml], want: xml },
  { accept: 'application/json;q=0', offered: [json], want: undefined },
  { accept: 'application/json;q=0, */*', offered: [json], want: undefined },
  { accept: 'application/json;q=0, */*', offered: [json, xml], want: xml },
  { accept: '*/*;q=0', offered: [json], want: undefined },
  { accept: 'text/html', offered: [json], want: undefined },
  { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', offered: [json], want: json },
  { accept: 'application/problem+json', offered: [json], want: undefined },
])('Accept $accept against $offered chooses $want', ({ accept, offered, want }) => {
  expect(bestMediaType(accept, offered)).toBe(want);
});

test.each([
  'application/json; charset=utf-8',
  'application/json;charset="utf-8";q=0.5',
  'text/x, application/json ;Charset=UTF-8',
])('a charset in Accept, as in %s, excludes nothing', (accept) => {
  expect(bestMediaType(accept, [json])).toBe(json);
});

test.each([
  { accept: 'json, application/json', want: json },
  { accept: 'application/json,', want: json },
  { accept: 'application/json;q=', want: json },
  { accept: 'application/json;q=2', want: json },
  { accept: 'application/json;q=abc', want: undefined },
  { accept: 'json', want: undefined },
  { accept: '*', want: undefined },
  { accept: 'application/json q=1', want: undefined },
])('of the malformed $accept the readable ranges count: $want', ({ accept, want }) => {
  expect(bestMediaType(accept, [json])).toBe(want);
});

test.each([
  { accept: 'image/png', offered: [json, 'image/*'], want: 'image/*' },
  { accept: 'image/png', offered: ['*/*'], want: '*/*' },
  { accept: 'image/*', offered: ['*/*'], want: '*/*' },
  { accept: 'text/html', offered: ['*/*', 'image/*'], want: '*/*' },
  { accept: 'image/png, application/json;q=0.1', offered: ['image/*', json], want: json },
  { accept: 'text/html', offered: ['image/*'], want: undefined },
  { accept: 'image/png;q=0', offered: ['image/*'], want: undefined },
])('Accept $accept against the ranges $offered chooses $want', ({ accept, offered, want }) => {
  expect(bestMediaType(accept, offered)).toBe(want);
});

test('a list of offered types gives the same answer again', () => {
  const offered = [json, xml];
  const accepts = [xml, json, xml, undefined, '*/*'];
  expect(accepts.map((accept) => bestMediaType(accept, offered))).toEqual([xml, json, xml, json, json]);
});

test('no text makes it throw, and only an offered type is chosen', () => {
  const offered = [json, 'text/*'];
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect([undefined, ...offered]).toContain(bestMediaType(text, offered));
      bestMediaType(json, [text]);
    }),
  );
});
