import { joined } from './conditions';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import type { Dialect } from './conditions';
import { shellName } from './shell-names';
import { splitPlaceholders } from './template';

const BOUNDS = { $min: '>=', $max: '<=', $above: '>', $below: '<' } as const;

/** Conditions as filters of jq (1.6 and newer). Placeholders are its variables, `$itemId`, that hold JSON values. */
export const JQ: Dialect = {
  and: (conditions) => joined(conditions, 'and'),
  or: (conditions) => joined(conditions, 'or'),
  not: (condition) => `(${condition} | not)`,
  literal,
  property: (subject, name) => `${subject}${step(name)}`.replace(/^\.\./, '.'),
  item: (subject, index) => `${subject}[${index}]`,
  has: (subject, name) => `(${piped(subject)}has(${JSON.stringify(name)}))`,
  isType(subject, type) {
    if (type === 'integer') return `(${piped(subject)}type == "number" and . == floor)`;
    return `${subject === '.' ? 'type' : `(${subject} | type)`} == "${type}"`;
  },
  approximate: {},
  equals: (subject, text) => `${subject} == ${text}`,
  compare(subject, bound, limit, isOfText) {
    const number = isOfText ? `(${subject} | tonumber? // nan)` : subject;
    const against = isOfText ? `(${limit} | tonumber)` : limit;
    const holds = `${number} ${BOUNDS[bound]} ${against}`;
    return isOfText || /length\)$/.test(subject) ? holds : `((${piped(subject)}type == "number") and ${holds})`;
  },
  matches(subject, source) {
    const pattern = splitPlaceholders(source).map((piece) => {
      return typeof piece === 'string' ? string(piece) : `($${shellName(piece.name)} | tostring | ${ESCAPED})`;
    });
    return `(${piped(subject)}type == "string" and test(${pattern.join(' + ')}))`;
  },
  length: (subject) => `(${piped(subject)}length)`,
  includes: (subject, text) => `(${piped(subject)}type == "string" and contains(${text} | tostring))`,
  every: (subject, condition) => `all(${subject}[]?; ${condition('.')})`,
  some: (subject, condition) => `any(${subject}[]?; ${condition('.')})`,
};

/** Every character stands for itself in a regular expression. */
const ESCAPED = String.raw`gsub("(?<c>[\\\\^$.*+?()\\[\\]{}|/])"; "\\\(.c)")`;

function piped(subject: string): string {
  return subject === '.' ? '' : `${subject} | `;
}

function step(name: string): string {
  return /^[A-Za-z_]\w*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

function literal(value: JsonValue): string {
  if (typeof value === 'string') return textOf(value);
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  if (!isJsonObject(value)) return stringifyJson(value);
  return `{${Object.entries(value)
    .map(([name, property]) => `${string(name)}: (${literal(property)})`)
    .join(', ')}}`;
}

function textOf(text: string): string {
  const pieces = splitPlaceholders(text);
  const [first = ''] = pieces;
  if (pieces.length < 2) return typeof first === 'string' ? string(first) : `$${shellName(first.name)}`;
  return `(${pieces
    .map((piece) => (typeof piece === 'string' ? string(piece) : `($${shellName(piece.name)} | tostring)`))
    .join(' + ')})`;
}

/** `\(` would begin an interpolation; in JSON a backslash is always doubled, so that none can stand. */
function string(text: string): string {
  return JSON.stringify(text);
}
