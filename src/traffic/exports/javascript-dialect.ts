import { joined, isStructure } from './conditions';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Dialect } from './conditions';
import { splitPlaceholders } from './template';

const BOUNDS = { $min: '>=', $max: '<=', $above: '>', $below: '<' } as const;

/**
 * Conditions as expressions of JavaScript, in scripts of Postman: `_` is Lodash, and `values` has what was captured. A
 * subject may be `undefined`.
 */
export const JAVASCRIPT: Dialect = {
  and: (conditions) => joined(conditions, '&&'),
  or: (conditions) => joined(conditions, '||'),
  not: (condition) => `!(${condition})`,
  literal,
  property: (subject, name) => (isName(name) ? `${subject}?.${name}` : `${subject}?.[${JSON.stringify(name)}]`),
  item: (subject, index) => `${subject}?.[${index}]`,
  has: (subject, name) => `_.has(${subject}, [${JSON.stringify(name)}])`,
  isType: (subject, type) => TYPES[type](subject),
  approximate: {},
  equals: (subject, text, value) =>
    isStructure(value) || typeof value === 'string' ? `_.isEqual(${subject}, ${text})` : `${subject} === ${text}`,
  compare(subject, bound, limit, isOfText) {
    const number = isOfText ? `Number(${subject})` : subject;
    const holds = `${number} ${BOUNDS[bound]} ${isOfText ? `Number(${limit})` : limit}`;
    return isOfText || subject.startsWith('Array.from(') ? holds : `(typeof ${subject} === 'number' && ${holds})`;
  },
  matches(subject, source) {
    const pattern = splitPlaceholders(source).map((piece) =>
      typeof piece === 'string' ? JSON.stringify(piece) : `_.escapeRegExp(values[${JSON.stringify(piece.name)}])`,
    );
    return `(_.isString(${subject}) && new RegExp(${pattern.join(' + ')}, 'u').test(${subject}))`;
  },
  // Of a text the characters, as code points.
  length: (subject) => `Array.from(${subject} ?? []).length`,
  includes: (subject, text) => `(_.isString(${subject}) && ${subject}.includes(${text}))`,
  every: (subject, condition) => nested(subject, 'every', condition),
  some: (subject, condition) => nested(subject, 'some', condition),
};

const TYPES: Readonly<Record<Parameters<Dialect['isType']>[1], (subject: string) => string>> = {
  string: (subject) => `_.isString(${subject})`,
  number: (subject) => `_.isFinite(${subject})`,
  integer: (subject) => `Number.isInteger(${subject})`,
  boolean: (subject) => `_.isBoolean(${subject})`,
  null: (subject) => `${subject} === null`,
  object: (subject) => `_.isPlainObject(${subject})`,
  array: (subject) => `_.isArray(${subject})`,
};

/** Names of items by how deep they stand: an inner one must not hide an outer one that its subject begins with. */
function nested(subject: string, method: 'every' | 'some', condition: (item: string) => string): string {
  const [, depth = '0'] = /^item(\d+)/.exec(subject) ?? [];
  const item = `item${Number(depth) + 1}`;
  return `_.${method}(${subject}, (${item}) => ${condition(item)})`;
}

function isName(text: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(text);
}

function literal(value: JsonValue): string {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  const properties = Object.entries(value).map(([name, property]) => `[${JSON.stringify(name)}]: ${literal(property)}`);
  return `{ ${properties.join(', ')} }`;
}

function textOf(text: string): string {
  const pieces = splitPlaceholders(text).map((piece) =>
    typeof piece === 'string' ? JSON.stringify(piece) : `values[${JSON.stringify(piece.name)}]`,
  );
  const [first = '""'] = pieces;
  return pieces.length < 2 ? first : `[${pieces.join(', ')}].join('')`;
}
