import {
  MAX_VIOLATIONS,
  precompiledValidators,
  type ValidatorModule,
  validatorModuleText,
  type Violation,
} from '../../src/schema/validator';
import { createSchemaCompiler } from '../../src/schema/schema-compiler';
import { countCallsSync, useOneCallCounter } from '../support/count-calls';
import { validatorFor, type Others } from './validate';

const LINE =
  '{ "type": "object", "required": ["a", "b", "c", "d"], "properties": { "a": { "type": "string" } }, "additionalProperties": false }';
const OF_LINE = '{ "$ref": "#/components/schemas/Line" }';
const many = (text: string, count = 3000): string => Array.from({ length: count }, () => text).join();
const members = (value: string, count = 3000): string =>
  Array.from({ length: count }, (_, index) => `"m${index}":${value}`).join();

function validate(schema: string, value: string, others: Others = { Line: LINE }): readonly Violation[] {
  return validatorFor(schema, { others, openapi: '3.1.0' })(value);
}

describe('of a value of nothing but errors a bounded number of errors is kept', () => {
  test.each([
    ['items behind a reference', `{ "items": ${OF_LINE} }`, `[${many('0')}]`],
    ['items of objects that lack everything', `{ "items": ${OF_LINE} }`, `[${many('{}')}]`],
    ['items written in place', `{ "items": ${LINE} }`, `[${many('{}')}]`],
    ['items after a tuple', `{ "prefixItems": [{}], "items": ${OF_LINE} }`, `[${many('{}')}]`],
    ['members of a map', `{ "additionalProperties": ${OF_LINE} }`, `{${members('0')}}`],
    ['members by pattern', `{ "patternProperties": { "^m": ${OF_LINE} } }`, `{${members('0')}}`],
    ['members that may not be there', '{ "additionalProperties": false }', `{${members('0')}}`],
    ['names of members', '{ "propertyNames": { "pattern": "^[a-z]$" } }', `{${members('0')}}`],
    ['unevaluated members', '{ "allOf": [{}], "unevaluatedProperties": false }', `{${members('0')}}`],
    ['unevaluated items', `{ "prefixItems": [{}], "unevaluatedItems": ${OF_LINE} }`, `[${many('0')}]`],
    ['one of several', `{ "items": { "oneOf": [${OF_LINE}, { "type": "string" }] } }`, `[${many('{}')}]`],
    ['any of several lists', `{ "anyOf": [{ "items": ${OF_LINE} }, { "type": "string" }] }`, `[${many('{}')}]`],
    ['what a list must contain', `{ "contains": ${OF_LINE} }`, `[${many('{}')}]`],
    ['what it must contain twice', `{ "contains": ${OF_LINE}, "minContains": 2 }`, `[${many('{}')}]`],
    ['conditions', `{ "items": { "if": ${OF_LINE}, "else": ${OF_LINE} } }`, `[${many('{}')}]`],
  ])('%s', (_, schema, value) => {
    const violations = validate(schema, value);
    expect(violations.every(({ isOneOfMany }) => isOneOfMany === true)).toBe(true);
    expect(violations.length).toBeGreaterThanOrEqual(MAX_VIOLATIONS / 2);
    expect(violations.length).toBeLessThan(2 * MAX_VIOLATIONS);
  });

  test('every error of an ordinary value is told', () => {
    const violations = validate(`{ "items": ${OF_LINE} }`, `[${many('{}', 20)}]`);
    expect(violations).toHaveLength(80);
    expect(violations.some(({ isOneOfMany }) => isOneOfMany)).toBe(false);
  });

  test('the first errors are told, in the order of the items', () => {
    const [first, second] = validate('{ "items": { "type": "string" } }', `["a", ${many('0')}]`);
    expect([first?.pointer, second?.pointer]).toStrictEqual(['/1', '/2']);
  });
});

describe('what is looked at to the end is judged as before', () => {
  test('the last item may be the one that a list must contain', () => {
    const good = '{"a":"x","b":1,"c":1,"d":1}';
    const line = LINE.replace('"additionalProperties": false', '"additionalProperties": true');
    const lines = { Line: line };
    expect(validate(`{ "contains": ${OF_LINE} }`, `[${many('{}', 3000)},${good}]`, lines)).toStrictEqual([]);
    const twice = `{ "contains": ${OF_LINE}, "minContains": 2 }`;
    expect(validate(twice, `[${good},${many('{}', 3000)},${good}]`, lines)).toStrictEqual([]);
    expect(validate(twice, `[${many('{}', 3000)},${good}]`, lines)).not.toStrictEqual([]);
  });

  test('a branch that fails a thousand times does not fail the others', () => {
    const schema = `{ "anyOf": [{ "items": ${OF_LINE} }, { "items": { "type": "object" } }] }`;
    expect(validate(schema, `[${many('{}', 3000)}]`)).toStrictEqual([]);
    expect(validate(`{ "not": { "items": ${OF_LINE} } }`, `[${many('{}', 3000)}]`)).toStrictEqual([]);
  });

  test('a member that a pattern names is evaluated, however many before it are wrong', () => {
    const schema = '{ "patternProperties": { "^m": { "type": "string" } }, "unevaluatedProperties": false }';
    const violations = validate(schema, `{${members('0', 3000)}}`);
    expect(new Set(violations.map(({ keyword }) => keyword))).toStrictEqual(new Set(['type']));
  });
});

const FILTERS: Others = {
  And: '{ "required": ["op", "args"], "properties": { "op": { "const": "and" }, "args": { "type": "array", "items": { "$ref": "#/components/schemas/Filter" } } } }',
  Or: '{ "required": ["op", "args"], "properties": { "op": { "const": "or" }, "args": { "type": "array", "items": { "$ref": "#/components/schemas/Filter" } } } }',
  Leaf: '{ "type": "object", "required": ["field"], "properties": { "field": { "type": "string" } } }',
};
const REFERENCES = Object.keys(FILTERS)
  .map((name) => `{ "$ref": "#/components/schemas/${name}" }`)
  .join();
const nested = (levels: number, innermost: string): string =>
  `${'{"op":"or","args":['.repeat(levels)}${innermost}${']}'.repeat(levels)}`;

/** Twice the work for each level would be 16 times as much for four of them. */
function expectLittleGrowth(work: (levels: number) => number): void {
  const shallow = work(10);
  expect(work(14)).toBeLessThan(1.5 * shallow);
  expect(work(28)).toBeLessThan(1.5 * shallow);
}

describe('a schema whose branches lead back to it', () => {
  useOneCallCounter();

  test.each(['oneOf', 'anyOf', 'allOf'])('%s does not double the work at every level', (keyword) => {
    const others = { ...FILTERS, Filter: `{ "${keyword}": [${REFERENCES}] }` };
    const validate = validatorFor('{ "$ref": "#/components/schemas/Filter" }', { others, openapi: '3.1.0' });
    validate('{}');
    const isUnion = keyword !== 'allOf';
    const work = (levels: number): number =>
      countCallsSync(() => {
        expect(validate(nested(levels, '{"field":"a"}')).length === 0).toBe(isUnion);
        expect(validate(nested(levels, '{"field":1}')).length).toBeGreaterThan(0);
      });
    expectLittleGrowth(work);
  });

  test('a deep value is judged as a shallow one is', () => {
    const others = { ...FILTERS, Filter: `{ "oneOf": [${REFERENCES}] }` };
    const validate = validatorFor('{ "$ref": "#/components/schemas/Filter" }', { others, openapi: '3.1.0' });
    const deep = validate(nested(20, '{"field":1}'));
    const told = validate(nested(1, '{"field":1}')).map(({ message }) => message);
    expect(new Set(deep.map(({ message }) => message))).toStrictEqual(new Set(told));
    expect(deep.some(({ pointer }) => pointer === `${'/args/0'.repeat(20)}/field`)).toBe(true);
  });

  test('what a branch evaluated counts at every level', () => {
    const part = (name: string): string =>
      `{ "properties": { "${name}": true, "next": { "$ref": "#/components/schemas/Node" } } }`;
    const others = { Node: `{ "anyOf": [${part('a')}, ${part('b')}], "unevaluatedProperties": false }` };
    const node = '{ "$ref": "#/components/schemas/Node" }';
    const value = (levels: number, innermost: string): string =>
      `${'{"a":1,"b":1,"next":'.repeat(levels)}${innermost}${'}'.repeat(levels)}`;
    const validate = validatorFor(node, { others, openapi: '3.1.0' });
    const work = (levels: number): number =>
      countCallsSync(() => {
        expect(validate(value(levels, '{}'))).toStrictEqual([]);
        expect(validate(value(levels, '{"c":1}'))).not.toStrictEqual([]);
      });
    expectLittleGrowth(work);
  });

  test('the same with code that was written down', () => {
    const compiler = createSchemaCompiler({ isKept: true });
    compiler.add('standin:///and', { required: ['x'], properties: { next: { $ref: 'standin:///node' } } });
    compiler.add('standin:///or', { required: ['y'], properties: { next: { $ref: 'standin:///node' } } });
    compiler.add('standin:///node', {
      anyOf: [{ $ref: 'standin:///and' }, { $ref: 'standin:///or' }, { type: 'string' }],
    });
    const code = validatorModuleText(compiler.codeOf({ node: 'standin:///node' }));
    const written = { exports: undefined as unknown };
    // oxlint-disable-next-line typescript/no-implied-eval -- what the build writes and Node loads
    new Function('module', code)(written);
    const validate = precompiledValidators(written.exports as ValidatorModule).get('node');
    const work = (levels: number): number => {
      let value: unknown = 'end';
      for (let level = 0; level < levels; level++) value = { y: 1, next: value };
      return countCallsSync(() => {
        expect(validate?.(value)).toStrictEqual([]);
      });
    };
    expectLittleGrowth(work);
  });
});
