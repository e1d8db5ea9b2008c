// Another code for the members of objects than ajv's. Ajv asks an object for every member that its schema knows, and goes
// through those that it has for the others: forty questions about a Schema Object of three members, of which a large
// description has fifty thousand. This goes through those that it has, once. It tells yes or no, and nothing else.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const { _, getProperty, not } = require('ajv/dist/compile/codegen');
const { alwaysValidSchema } = require('ajv/dist/compile/util');
const { usePattern } = require('ajv/dist/vocabularies/code');

const KEYWORD = 'members';
const STATED = ['properties', 'patternProperties', 'additionalProperties'];
const MAPS = ['properties', 'patternProperties', 'definitions'];
const LISTS = ['allOf', 'anyOf', 'oneOf'];
const SINGLE = ['additionalProperties', 'items', 'not'];

/** A schema of draft 4 that says the same with one keyword for all members of an object. */
export function withKeyedMembers(schema) {
  if (typeof schema !== 'object' || schema === null) return schema;
  const rewritten = Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, inside(keyword, value)]),
  );
  const stated = STATED.filter((keyword) => keyword in rewritten);
  if (stated.length === 0) return rewritten;
  const others = Object.entries(rewritten).filter(([keyword]) => !STATED.includes(keyword));
  return {
    ...Object.fromEntries(others),
    [KEYWORD]: Object.fromEntries(stated.map((keyword) => [keyword, rewritten[keyword]])),
  };
}

function inside(keyword, value) {
  if (MAPS.includes(keyword)) {
    return Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, withKeyedMembers(schema)]));
  }
  if (LISTS.includes(keyword) || (keyword === 'items' && Array.isArray(value))) return value.map(withKeyedMembers);
  return SINGLE.includes(keyword) ? withKeyedMembers(value) : value;
}

/** Teaches ajv the keyword (JSON Schema draft 4, Validation §5.4.4). */
export function addKeyedMembers(ajv) {
  ajv.addKeyword({ keyword: KEYWORD, type: 'object', schemaType: 'object', code: membersCode });
}

function membersCode(cxt) {
  const { gen, data, schema, it } = cxt;
  const { properties = {}, patternProperties = {}, additionalProperties = true } = schema;
  const patterns = Object.entries(patternProperties);
  const valid = gen.let('valid', true);
  const refuse = () => gen.assign(valid, false).break();
  const check = (key, member, ...path) => {
    if (alwaysValidSchema(it, member)) return;
    if (member === false) {
      refuse();
      return;
    }
    const isValid = gen.name('valid');
    const schemaPath = [KEYWORD, ...path].reduce((parent, name) => _`${parent}${getProperty(name)}`, it.schemaPath);
    const paths = { schemaPath, topSchemaRef: it.topSchemaRef, errSchemaPath: `${it.errSchemaPath}/${KEYWORD}` };
    const quiet = { createErrors: false, compositeRule: true, allErrors: false };
    cxt.subschema({ schema: member, ...paths, data: _`${data}[${key}]`, ...quiet }, isValid);
    gen.if(not(isValid), refuse);
  };
  const checkUnnamed = (key) => {
    const isKnown = gen.let('known', false);
    for (const [pattern, member] of patterns) {
      gen.if(_`${usePattern(cxt, pattern)}.test(${key})`, () => {
        gen.assign(isKnown, true);
        check(key, member, 'patternProperties', pattern);
      });
    }
    gen.if(not(isKnown), () => check(key, additionalProperties, 'additionalProperties'));
  };
  gen.forIn('key', data, (key) => {
    let isFirst = true;
    for (const [name, member] of Object.entries(properties)) {
      if (isFirst) gen.if(_`${key} === ${name}`);
      else gen.elseIf(_`${key} === ${name}`);
      isFirst = false;
      check(key, member, 'properties', name);
      // Which patterns a name fits is known already.
      for (const [pattern, also] of patterns)
        if (new RegExp(pattern, 'u').test(name)) check(key, also, 'patternProperties', pattern);
    }
    if (isFirst) {
      checkUnnamed(key);
      return;
    }
    gen.else();
    checkUnnamed(key);
    gen.endIf();
  });
  cxt.pass(valid);
}
