import { isStructure } from './conditions';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Dialect } from './conditions';
import { plainText } from './template';

const BOUNDS = { $min: '>=', $max: '<=', $above: '>', $below: '<' } as const;

/**
 * Conditions as logical expressions of JSONPath filters (RFC 9535 §2.3.5). There are no types in it: a string is what can be
 * compared with a string.
 *
 * @param reference - what stands for a text with placeholders, such as `{$inputs.name}`; `undefined` where nothing can
 */
export function jsonPathDialect(reference: (text: string) => string | undefined): Dialect {
  return {
    and: (conditions) => joined(conditions, '&&'),
    or: (conditions) => joined(conditions, '||'),
    not: (condition) => `!(${condition})`,
    literal(value) {
      if (typeof value !== 'string') return isStructure(value) ? undefined : stringifyJson(value);
      const plain = plainText(value);
      return plain === undefined ? reference(value) : quoted(plain);
    },
    property: (subject, name) => `${subject}${step(name)}`,
    item: (subject, index) => `${subject}[${index}]`,
    has: (subject, name) => `${subject}${step(name)}`,
    isType: (subject, type) => TYPES[type](subject),
    approximate: { integer: 'number', array: 'object', object: 'array' },
    equals: (subject, literal) => `${comparable(subject)} == ${literal}`,
    compare: (subject, bound, limit, isOfText) =>
      isOfText ? undefined : `${comparable(subject)} ${BOUNDS[bound]} ${limit}`,
    matches(subject, source) {
      const plain = plainText(source);
      return plain === undefined ? undefined : `search(${subject}, ${quoted(plain)})`;
    },
    length: (subject) => `length(${subject})`,
    includes(subject, literal) {
      const [, text] = /^'(.*)'$/s.exec(literal) ?? [];
      return text === undefined ? undefined : `search(${subject}, '${text.replace(SYNTAX, '\\\\$&')}')`;
    },
    every: (subject, condition) => `!(${subject}[?!(${condition('@')})])`,
    some: (subject, condition) => `${subject}[?${condition('@')}]`,
  };
}

/** As a value (RFC 9535 §2.4.8): evaluators are known that find nothing to compare in a query with an index. */
function comparable(subject: string): string {
  return /^@.*\[\d+\]/.test(subject) ? `value(${subject})` : subject;
}

const isString = (subject: string): string => `${comparable(subject)} >= ''`;
const isNumber = (subject: string): string => `(${comparable(subject)} >= 0 || ${comparable(subject)} < 0)`;
const isStructured = (subject: string): string => `(length(${subject}) >= 0 && !(${isString(subject)}))`;

const TYPES: Readonly<Record<Parameters<Dialect['isType']>[1], (subject: string) => string>> = {
  string: isString,
  number: isNumber,
  integer: isNumber,
  boolean: (subject) => `(${comparable(subject)} == true || ${comparable(subject)} == false)`,
  null: (subject) => `${comparable(subject)} == null`,
  object: isStructured,
  array: isStructured,
};

/** As in the grammar of I-Regexp (RFC 9485 §3). */
const SYNTAX = /[\\^$.*+?()[\]{}|]/g;

/** Two at a time: evaluators are known that take a negated chain of three for something else. */
function joined(conditions: readonly string[], operator: string): string {
  const [first = '@ == @', ...others] = conditions;
  return others.reduce((left, right) => `(${left} ${operator} ${right})`, first);
}

function step(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${quoted(name)}]`;
}

/** A string literal (RFC 9535 §2.3.1.1). */
function quoted(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
