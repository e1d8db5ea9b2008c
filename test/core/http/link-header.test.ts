import fc from 'fast-check';
import { formatLink, isLinkHeader, parseLinkHeader } from '../../../src/core/http/header-fields';
import { anyCharacter } from '../../support/any-character';

test.each([
  { target: '/pets?cursor=a', parameters: { rel: 'next' }, want: '</pets?cursor=a>; rel="next"' },
  { target: '', parameters: {}, want: '<>' },
  {
    target: 'https://example.com/docs#sunset',
    parameters: { rel: 'sunset', type: 'text/html' },
    want: '<https://example.com/docs#sunset>; rel="sunset"; type="text/html"',
  },
  { target: '/a>b "c"', parameters: { rel: 'x' }, want: '</a%3Eb%20%22c%22>; rel="x"' },
  { target: '/caf\u00e9\ud83d\udc36\ud800', parameters: {}, want: '</caf%C3%A9%F0%9F%90%B6%EF%BF%BD>' },
  { target: '/a%20b', parameters: {}, want: '</a%20b>' },
  { target: '/a', parameters: { title: 'say "hi"\r\n' }, want: '</a>; title="say \\"hi\\"??"' },
])('$target with $parameters is written as $want', ({ target, parameters, want }) => {
  expect(formatLink(target, parameters)).toBe(want);
});

test.each([
  { value: '', want: [] },
  { value: ' , ', want: [] },
  { value: '</a>', want: [{ target: '/a', parameters: {} }] },
  { value: '<>; rel=self', want: [{ target: '', parameters: { rel: 'self' } }] },
  { value: '</a>;rel=next', want: [{ target: '/a', parameters: { rel: 'next' } }] },
  { value: '</a> ; REL = "next prev" ;', want: [{ target: '/a', parameters: { rel: 'next prev' } }] },
  { value: '</a>; rel="next"; rel="prev"', want: [{ target: '/a', parameters: { rel: 'next' } }] },
  { value: '</a>; foo; bar=""', want: [{ target: '/a', parameters: { foo: '', bar: '' } }] },
  { value: `</a>; title*=UTF-8''x`, want: [{ target: '/a', parameters: { 'title*': `UTF-8''x` } }] },
  {
    value: '</a,b;c>; rel="x, y; z", <https://h/?q=1>; rel="prev"',
    want: [
      { target: '/a,b;c', parameters: { rel: 'x, y; z' } },
      { target: 'https://h/?q=1', parameters: { rel: 'prev' } },
    ],
  },
  { value: '</a>; __proto__=1', want: [{ target: '/a', parameters: Object.fromEntries([['__proto__', '1']]) }] },
])('$value holds $want', ({ value, want }) => {
  const links = parseLinkHeader(value);
  expect(links.map((link) => link.target)).toEqual(want.map((link) => link.target));
  expect(links.map((link) => Object.entries(link.parameters))).toEqual(
    want.map((link) => Object.entries(link.parameters)),
  );
  expect(isLinkHeader(value)).toBe(true);
});

test.each([
  { value: '/a; rel=next', targets: [] },
  { value: '</a; rel=next', targets: [] },
  { value: '</a>; rel=', targets: [] },
  { value: '</a>; rel="next', targets: [] },
  { value: '</a> rel=next', targets: [] },
  { value: '</a>; rel=a/b', targets: [] },
  { value: '</a b>; rel=next', targets: [] },
  { value: '</\u00e9>; rel=next', targets: [] },
  { value: '</a>; rel=next x, </b>; rel=prev', targets: ['/b'] },
  { value: '</a>; rel=next, nonsense, </b>', targets: ['/a', '/b'] },
  { value: '</a></b>', targets: [] },
])('$value breaks the grammar and leaves $targets', ({ value, targets }) => {
  expect(parseLinkHeader(value).map((link) => link.target)).toEqual(targets);
  expect(isLinkHeader(value)).toBe(false);
});

test('what is written can be read', () => {
  const ascii = fc.string({ unit: 'grapheme-ascii' });
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.webUrl(), ascii)), (links) => {
      const value = links.map(([target, rel]) => formatLink(target, { rel })).join(', ');
      expect(isLinkHeader(value)).toBe(true);
      expect(parseLinkHeader(value).map((link) => [link.target, link.parameters['rel']])).toEqual(links);
    }),
  );
});

test('no text makes the functions throw or breaks the field that is written', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      parseLinkHeader(text);
      parseLinkHeader(`<${text}>; ${text}`);
      expect(isLinkHeader(formatLink(text, { rel: text }))).toBe(true);
      expect(parseLinkHeader(formatLink(text, { rel: text }))).toHaveLength(1);
    }),
  );
});
