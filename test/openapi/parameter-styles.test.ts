import fc from 'fast-check';
import { parseCookies } from '../../src/core/http/header-fields';
import { parseQuery } from '../../src/core/http/request-target';
import { encodeParameter } from '../../src/openapi/parameters/encode-parameter';
import type { Parameter } from '../../src/openapi/model/operation';
import { decodeNamed, decodeParameter } from '../../src/openapi/parameters/decode-parameter';
import { type DecodedParameter } from '../../src/openapi/parameters/text-shape';
import type { JsonValue } from '../../src/core/json/json-value';
import { description, loadText } from './load-text';

function parameter(definition: string, name = 'color'): Parameter {
  const isPath = definition.includes('in: path');
  const required = isPath ? 'required: true, ' : '';
  const { api } = loadText(
    description({
      paths: `
  /books${isPath ? `/{${name}}` : ''}:
    get:
      parameters: [{ name: ${name}, ${required}${definition} }]
      responses: { '200': { description: ok } }`,
      schemas: `
    Size: { type: integer }
    Sizes: { type: array, items: { $ref: '#/components/schemas/Size' } }
    Rgb: { allOf: [{ $ref: '#/components/schemas/Red' }, { properties: { G: { type: integer } } }] }
    Red: { type: object, properties: { R: { type: integer } } }`,
    }),
  );
  return api.operations[0]!.parameters[0]!;
}

/** Decodes what stands in the place of the parameter: a query, a Cookie header, a path segment, a header. */
function decode(place: Parameter, text: string): DecodedParameter | undefined {
  const texts = new Map<string, string[]>();
  if (place.in === 'query') {
    for (const { name = '', rawValue } of parseQuery(text)) texts.set(name, [...(texts.get(name) ?? []), rawValue]);
    return decodeNamed(place, texts, () => false);
  }
  if (place.in !== 'cookie') return decodeParameter(place, [text]);
  for (const { name, value } of parseCookies(text)) texts.set(name, [...(texts.get(name) ?? []), value]);
  return decodeNamed(place, texts, () => false);
}

const LIST = 'schema: { type: array, items: { type: string } }';
const OBJECT = 'schema: { type: object, properties: { R: { type: integer }, G: { type: integer } } }';
const MAP = 'schema: { type: object, additionalProperties: { type: object, properties: { eq: { type: integer } } } }';
const COLORS = ['blue', 'black'];
const RGB = { R: 100, G: 200 };

describe('the table of styles', () => {
  test.each<[string, string, JsonValue]>([
    [`in: path, ${LIST}`, 'blue,black', COLORS],
    [`in: path, explode: true, ${LIST}`, 'blue,black', COLORS],
    [`in: path, ${OBJECT}`, 'R,100,G,200', RGB],
    [`in: path, explode: true, ${OBJECT}`, 'R=100,G=200', RGB],
    [`in: header, ${LIST}`, 'blue,black', COLORS],
    [`in: header, ${OBJECT}`, 'R,100,G,200', RGB],
    [`in: header, explode: true, ${OBJECT}`, 'R=100,G=200', RGB],
    [`in: path, style: label, schema: { type: string }`, '.blue', 'blue'],
    [`in: path, style: label, ${LIST}`, '.blue,black', COLORS],
    [`in: path, style: label, explode: true, ${LIST}`, '.blue.black', COLORS],
    [`in: path, style: label, ${OBJECT}`, '.R,100,G,200', RGB],
    [`in: path, style: label, explode: true, ${OBJECT}`, '.R=100.G=200', RGB],
    [`in: path, style: matrix, schema: { type: string }`, ';color=blue', 'blue'],
    [`in: path, style: matrix, ${LIST}`, ';color=blue,black', COLORS],
    [`in: path, style: matrix, explode: true, ${LIST}`, ';color=blue;color=black', COLORS],
    [`in: path, style: matrix, ${OBJECT}`, ';color=R,100,G,200', RGB],
    [`in: path, style: matrix, explode: true, ${OBJECT}`, ';R=100;G=200', RGB],
    [`in: query, explode: false, ${LIST}`, 'color=blue,black', COLORS],
    [`in: query, ${LIST}`, 'color=blue&color=black', COLORS],
    [`in: query, explode: false, ${OBJECT}`, 'color=R,100,G,200', RGB],
    [`in: query, ${OBJECT}`, 'R=100&G=200', RGB],
    [`in: cookie, explode: false, ${LIST}`, 'color=blue%2Cblack'.replace('%2C', ','), COLORS],
    [`in: cookie, explode: false, ${OBJECT}`, 'color=R,100,G,200', RGB],
    [`in: query, style: spaceDelimited, explode: false, ${LIST}`, 'color=blue%20black', COLORS],
    [`in: query, style: spaceDelimited, explode: false, ${OBJECT}`, 'color=R%20100%20G%20200', RGB],
    [`in: query, style: pipeDelimited, explode: false, ${LIST}`, 'color=blue%7Cblack', COLORS],
    [`in: query, style: pipeDelimited, explode: false, ${OBJECT}`, 'color=R%7C100%7CG%7C200', RGB],
    [`in: query, style: deepObject, explode: true, ${OBJECT}`, 'color%5BR%5D=100&color%5BG%5D=200', RGB],
  ])('%s: %s is %j, and is written so', (definition, text, value) => {
    const place = parameter(definition);
    expect(decode(place, text)).toStrictEqual({ kind: 'value', value });
    const written = encodeParameter(place, value).join(place.in === 'query' ? '&' : '; ');
    // An ampersand and a comma may stand in more than one way; what was written must be read as the same.
    expect(decode(place, written)).toStrictEqual({ kind: 'value', value });
    if (!(place.in === 'path' && place.style === 'simple')) expect(written).toBe(text);
  });

  // What clients send beside that, and mean the same by.
  test.each<[string, string, JsonValue]>([
    // OAS 3.0.3 shows full stops where later versions have commas.
    [`in: path, style: label, ${LIST}`, '.blue.black', COLORS],
    [`in: cookie, ${LIST}`, 'color=blue; color=black', COLORS],
    [`in: cookie, ${LIST}`, 'color=blue&color=black', COLORS],
    [`in: cookie, ${OBJECT}`, 'R=100; G=200; session=7', RGB],
    [`in: cookie, schema: { type: string }`, 'color=a%20b', 'a b'],
    [`in: query, style: pipeDelimited, explode: false, ${LIST}`, 'color=blue|black', COLORS],
    [`in: query, style: deepObject, explode: true, ${OBJECT}`, 'color[R]=100&color[G]=200', RGB],
    [`in: query, style: deepObject, explode: true, ${LIST}`, 'color[]=blue&color[]=black', COLORS],
    [`in: query, style: deepObject, explode: true, ${LIST}`, 'color[1]=black&color[0]=blue', COLORS],
    [`in: query, style: deepObject, explode: true, ${LIST}`, 'color=blue&color=black', COLORS],
    [`in: query, style: deepObject, explode: true, ${OBJECT}`, 'color[a][$eq]=x', { a: { $eq: 'x' } }],
    [
      `in: query, style: deepObject, schema: { type: object }`,
      'color[or][1][a]=y&color[or][0][a]=x',
      {
        or: [{ a: 'x' }, { a: 'y' }],
      },
    ],
    [`in: query, style: deepObject, ${MAP}`, 'color[9][eq]=7', { 9: { eq: 7 } }],
    [`in: query, content: { application/json: { schema: { type: object } } }`, 'color=%7B%22R%22%3A1e2%7D', { R: 1 }],
  ])('%s: %s is read', (definition, text, value) => {
    const decoded = decode(parameter(definition), text);
    if (text.includes('1e2')) expect(decoded).toMatchObject({ kind: 'value', value: { R: { lexeme: '1e2' } } });
    else expect(decoded).toStrictEqual({ kind: 'value', value });
  });

  test.each<[string, string, string]>([
    [`in: path, style: label, ${LIST}`, 'blue', 'does not begin with "."'],
    [`in: path, style: matrix, ${LIST}`, 'color=blue', 'does not begin with ";"'],
    [`in: path, style: matrix, ${LIST}`, ';colour=blue', 'is not ";color=" and a value'],
    [`in: path, ${OBJECT}`, 'R,100,G', 'has a name without a value; send name,value pairs'],
    [`in: query, explode: false, ${OBJECT}`, 'color=R,1,R,2', 'has the property "R" twice'],
    [`in: query, ${OBJECT}`, 'R=1&R=2', 'has the property "R" twice'],
    [
      `in: query, style: deepObject, explode: true, ${OBJECT}`,
      'color[a][b][c][d][e][f][g][h][i]=1',
      'has the property "color[a][b][c][d][e][f][g][h][i]": the style deepObject is read for 8 levels of properties',
    ],
    [`in: query, style: deepObject, explode: true, ${OBJECT}`, 'color=1', 'is an object; send color[R]=…'],
    [
      'in: query, schema: { type: array, items: { type: object } }',
      'color=1',
      'cannot be read: a list of objects has no form in the style "form"; the description needs "content" for it',
    ],
    ['in: query, content: { application/json: { schema: {} } }', 'color={', 'is not valid JSON: '],
  ])('%s: %s %s', (definition, text, reason) => {
    const decoded = decode(parameter(definition), text);
    expect(decoded).toStrictEqual({ kind: 'unreadable', reason: expect.stringContaining(reason) as string });
  });
});

describe('the type that text is read as', () => {
  test.each<[string, string, JsonValue]>([
    ["schema: { $ref: '#/components/schemas/Size' }", '7', 7],
    ["schema: { allOf: [{ $ref: '#/components/schemas/Size' }] }", '7', 7],
    ["schema: { oneOf: [{ $ref: '#/components/schemas/Size' }, { type: string }] }", '7', 7],
    ["schema: { oneOf: [{ type: string }, { $ref: '#/components/schemas/Size' }] }", '7', 7],
    ["schema: { oneOf: [{ type: string }, { $ref: '#/components/schemas/Size' }] }", 'seven', 'seven'],
    ['schema: { anyOf: [{ type: integer }, { type: boolean }] }', 'true', true],
    ['schema: { enum: [1, 2] }', '2', 2],
    ['schema: { type: integer, nullable: true }', '7', 7],
    ['schema: { type: integer, nullable: true }', 'null', 'null'],
    ['schema: { oneOf: [{ type: string }, { type: array, items: { type: string } }] }', 'a', 'a'],
  ])('%s: %s is %j', (definition, text, value) => {
    expect(decode(parameter(`in: query, ${definition}`), `color=${text}`)).toStrictEqual({ kind: 'value', value });
  });

  it('is found behind the references of lists and objects', () => {
    const sizes = parameter("in: query, schema: { $ref: '#/components/schemas/Sizes' }");
    expect(decode(sizes, 'color=1&color=2')).toStrictEqual({ kind: 'value', value: [1, 2] });
    const rgb = parameter("in: query, schema: { $ref: '#/components/schemas/Rgb' }");
    expect(decode(rgb, 'R=1&G=2&B=3')).toStrictEqual({ kind: 'value', value: { R: 1, G: 2 } });
  });

  it('is a list of several values where one alone would be a scalar', () => {
    const either = parameter(
      'in: query, schema: { oneOf: [{ type: string }, { type: array, items: { type: string } }] }',
    );
    expect(decode(either, 'color=a&color=b')).toStrictEqual({ kind: 'value', value: ['a', 'b'] });
  });
});

describe('writing and reading', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'Z', '7', ' ', '&', '=', ';', '%', '+', '/', 'é', '😀', '-') });
  const plainText = fc.string({ unit: fc.constantFrom('a', 'Z', '7', '-', '_'), minLength: 1 });
  const number = fc.oneof(fc.integer(), fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }));

  test.each([
    ['path', 'simple', [false, true]],
    ['path', 'label', [false, true]],
    ['path', 'matrix', [false, true]],
    ['query', 'form', [false, true]],
    ['query', 'pipeDelimited', [false]],
    ['query', 'spaceDelimited', [false]],
    ['query', 'deepObject', [true]],
    ['header', 'simple', [false, true]],
    ['cookie', 'form', [false, true]],
  ] as const)('gives the same value back: %s, %s', (location, style, explodes) => {
    // Headers have no escape, and the delimiters of these styles none either.
    const isPlain = location === 'header' || /Delimited$/.test(style);
    const string = isPlain ? plainText : text.filter((value) => value !== '');
    for (const explode of explodes) {
      const at = (schema: string): Parameter =>
        parameter(`in: ${location}, style: ${style}, explode: ${explode}, schema: ${schema}`);
      const returns = (place: Parameter, value: JsonValue): void => {
        const written = encodeParameter(place, value).join(location === 'query' ? '&' : '; ');
        expect(decode(place, written)).toStrictEqual({ kind: 'value', value });
      };
      const rgb = at('{ type: object, properties: { R: { type: integer }, name: { type: string } } }');
      fc.assert(
        fc.property(number, string, (R, name) => {
          returns(rgb, { R, name });
        }),
        { numRuns: 50 },
      );
      if (style === 'deepObject') continue;
      // Nothing and a list of nothing look the same.
      const lists = fc.array(string, { minLength: 2, maxLength: 5 });
      const list = at('{ type: array, items: { type: string } }');
      fc.assert(
        fc.property(lists, (values) => {
          returns(list, values);
        }),
        { numRuns: 50 },
      );
    }
  });
});

it('tells a warning of what the standard has no form for', () => {
  const warned = (definition: string): string[] => {
    const { warnings } = loadText(
      description({
        paths: `
  /books:
    get:
      parameters: [{ name: color, ${definition} }]
      responses: { '200': { description: ok } }`,
      }),
    );
    return warnings.map(({ rule, severity, message }) => `${rule} ${severity} ${message}`);
  };
  expect(warned(`in: query, style: deepObject, ${LIST}`)).toStrictEqual([
    'parameter-style warning The style deepObject has no form for the query parameter "color", which is a list',
  ]);
  expect(warned('in: query, style: pipeDelimited, schema: { type: string }')).toHaveLength(1);
  expect(warned(`in: query, style: pipeDelimited, explode: true, ${LIST}`)).toHaveLength(1);
  expect(warned('in: query, schema: { type: array, items: { type: object } }')).toHaveLength(1);
  expect(warned(`in: query, style: deepObject, explode: true, ${OBJECT}`)).toStrictEqual([]);
  expect(warned(`in: query, ${LIST}`)).toStrictEqual([]);
});
