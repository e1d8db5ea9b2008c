import { decodeParameter } from '../../src/openapi/parameters/decode-parameter';
import { description, loadText } from './load-text';

function parameter(definition: string): Parameters<typeof decodeParameter>[0] {
  const isPath = definition.includes('in: path');
  const { api } = loadText(
    description({
      paths: `
  /books${isPath ? '/{p}' : ''}:
    get:
      parameters: [{ name: p, ${definition} }]
      responses: { '200': { description: ok } }`,
    }),
  );
  return api.operations[0]!.parameters[0]!;
}

const INTEGERS = 'schema: { type: array, items: { type: integer } }';
const STRINGS = 'schema: { type: array, items: { type: string } }';

describe('decodeParameter', () => {
  test.each<[string, string[], unknown]>([
    ['in: query, schema: { type: integer }', ['7'], 7],
    ['in: query, schema: { type: integer }', ['-7'], -7],
    ['in: query, schema: { type: integer }', ['9007199254740993'], 9007199254740993n],
    ['in: query, schema: { type: integer }', ['9223372036854775807'], 9223372036854775807n],
    ['in: query, schema: { type: number }', ['1.5'], 1.5],
    ['in: query, schema: { type: boolean }', ['true'], true],
    ['in: query, schema: { type: boolean }', ['false'], false],
    ['in: query, schema: { type: string }', ['7'], '7'],
    ['in: query, schema: { type: string }', ['a+b%2Bc'], 'a b+c'],
    ['in: query, schema: { type: string }', [''], ''],
    ['in: query, schema: {}', ['x'], 'x'],
    ['in: header, schema: { type: string }', ['a%20b'], 'a%20b'],
    ['in: path, required: true, schema: { type: string }', ['a%20b+c'], 'a b+c'],
    ['in: cookie, schema: { type: integer }', ['7'], 7],
    [`in: query, ${STRINGS}`, ['a', 'b'], ['a', 'b']],
    [`in: query, ${STRINGS}`, ['a,b'], ['a,b']],
    [`in: query, explode: false, ${STRINGS}`, ['a,b'], ['a', 'b']],
    [`in: query, explode: false, ${STRINGS}`, ['a%2Cb,c'], ['a,b', 'c']],
    [`in: query, explode: false, ${INTEGERS}`, ['3,7'], [3, 7]],
    [`in: query, explode: false, ${INTEGERS}`, ['3%2C7'], [3, 7]],
    [`in: query, explode: false, ${INTEGERS}`, ['3', '7,9'], [3, 7, 9]],
    [`in: query, style: spaceDelimited, explode: false, ${STRINGS}`, ['a%20b'], ['a', 'b']],
    [`in: query, style: spaceDelimited, explode: false, ${STRINGS}`, ['a+b'], ['a', 'b']],
    [`in: query, style: pipeDelimited, explode: false, ${STRINGS}`, ['a|b%7Cc%7cd'], ['a', 'b', 'c', 'd']],
    [`in: header, ${INTEGERS}`, ['3, 7 ,9'], [3, 7, 9]],
    [`in: path, required: true, ${INTEGERS}`, ['3,7'], [3, 7]],
  ])('%s with %j is %p', (definition, raw, value) => {
    expect(decodeParameter(parameter(definition), raw)).toStrictEqual({ kind: 'value', value });
  });

  // Left as text, for the schema to refuse.
  test.each(['0x10', '1_0', ' 1', '+1', '1e3', '01', '--1', '1.0', 'NaN', 'Infinity', '', '１', '1 '])(
    '%p is no integer',
    (text) => {
      const encoded = encodeURIComponent(text);
      const decoded = decodeParameter(parameter('in: query, schema: { type: integer }'), [encoded]);
      expect(decoded).toStrictEqual({ kind: 'value', value: text });
    },
  );

  test.each(['True', 'TRUE', '1', '0', 'yes', '', 'null'])('%p is no boolean', (text) => {
    const decoded = decodeParameter(parameter('in: query, schema: { type: boolean }'), [text]);
    expect(decoded).toStrictEqual({ kind: 'value', value: text });
  });

  it('does not read digits without end', () => {
    const digits = '1'.repeat(1_000_000);
    const decoded = decodeParameter(parameter('in: query, schema: { type: integer }'), [digits]);
    expect(decoded).toStrictEqual({ kind: 'value', value: digits });
  });

  it('refuses a second value where there is one', () => {
    const single = parameter('in: query, schema: { type: integer }');
    expect(decodeParameter(single, ['1', '1'])).toStrictEqual({ kind: 'repeated' });
  });

  test.each(['%zz', '%', 'a%f', '%C3'])('cannot decode %s', (text) => {
    const single = parameter('in: query, schema: { type: string }');
    expect(decodeParameter(single, [text])).toStrictEqual({ kind: 'undecodable' });
    expect(decodeParameter(parameter(`in: query, ${STRINGS}`), ['ok', text])).toStrictEqual({ kind: 'undecodable' });
  });
});
