import { problem } from '../../core/http/problem';
import type { QueryPair } from '../../core/http/request-target';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import { similarName } from '../../core/text/similar-name';
import { isClockTime, parseRfc3339 } from '../../core/time/date-time';
import { type Action, COMMON_INPUT, type Input, type InputTypes, type InputValues, type Rejection } from './action';

export interface Decoded {
  readonly sandbox: string | undefined;
  readonly input: InputValues;
}

/** In messages, behind "must be". */
const WORDS: Readonly<Record<keyof InputTypes, string>> = {
  string: 'a string',
  name: 'a string that is not empty',
  integer: 'a whole number from 0 on',
  boolean: 'true or false',
  time: 'a date-time up to the year 9998',
  strings: 'an array of strings',
  integers: 'an array of whole numbers from 0 on',
  object: 'an object',
  json: 'JSON',
};

type Read = (value: JsonValue) => InputTypes[keyof InputTypes] | undefined;

function isWhole(value: JsonValue): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

const READERS: Readonly<Record<keyof InputTypes, Read>> = {
  string: (value) => (typeof value === 'string' ? value : undefined),
  name: (value) => (typeof value === 'string' && value !== '' ? value : undefined),
  integer: (value) => (isWhole(value) ? value : undefined),
  boolean: (value) => (typeof value === 'boolean' ? value : undefined),
  time: (value) => {
    const epochMs = typeof value === 'string' ? parseRfc3339(value) : undefined;
    return epochMs !== undefined && isClockTime(epochMs) ? epochMs : undefined;
  },
  strings: (value) => {
    const texts = typeof value === 'string' ? [value] : value;
    return Array.isArray(texts) && texts.every((text) => typeof text === 'string') ? texts : undefined;
  },
  integers: (value) => (Array.isArray(value) && value.every(isWhole) ? value : undefined),
  object: (value) => (isJsonObject(value) ? value : undefined),
  json: (value) => value,
};

/**
 * Reads what an action is sent by its table of inputs. A name that it does not have may be a typing error, which would mean
 * another state than the one that was meant.
 *
 * @param body - `undefined` for none, which is an empty object
 */
export function decodeInput(
  action: Pick<Action, 'input'>,
  query: readonly QueryPair[],
  body: JsonValue | undefined,
): Decoded | Rejection {
  const input: Record<string, Input> = { ...action.input, ...COMMON_INPUT };
  const pairs = queryValues(input, query);
  if (!(pairs instanceof Map)) return pairs;
  const given = body ?? {};
  const unknown = unknownProperty(input, given);
  if (unknown !== undefined) return unknown;
  const values: Record<string, InputValues[string]> = {};
  for (const [name, one] of Object.entries(input)) {
    const value =
      one.in === 'query' ? pairs.get(name) : one.in === 'document' ? given : ownProperty(given as JsonObject, name);
    const read = value === undefined ? undefined : readValue(one, value);
    if (read === undefined && (value !== undefined || one.required === true)) return wrongValue(name, one, value);
    values[name] = read;
  }
  const { sandbox, ...others } = values;
  return { sandbox: sandbox as string | undefined, input: others };
}

function readValue({ in: place, type, isNullable, most = Infinity }: Input, value: JsonValue): InputValues[string] {
  if (value === null && isNullable === true) return null;
  const read = READERS[type](place === 'query' ? fromQuery(type, value as string) : value);
  return typeof read === 'number' && read > most ? undefined : read;
}

/** The text of a query as JSON would have it. */
function fromQuery(type: keyof InputTypes, text: string): JsonValue {
  if (type === 'boolean' && /^(?:true|false)$/.test(text)) return text === 'true';
  return type === 'integer' && /^\d{1,15}$/.test(text) ? Number(text) : text;
}

function queryValues(
  input: Readonly<Record<string, Input>>,
  query: readonly QueryPair[],
): Map<string, string> | Rejection {
  const names = Object.keys(input).filter((name) => input[name]?.in === 'query');
  const values = new Map<string, string>();
  for (const { name = '', value = '' } of query) {
    if (!names.includes(name) || values.has(name)) {
      const near = names.includes(name) ? undefined : similarName(name, names);
      const hint = near === undefined ? '' : `; did you mean "${near}"?`;
      return problem(
        'invalid_parameter',
        `The query may have ${names.join(' and ')} once each, got "${name.slice(0, 80)}"${hint}`,
      );
    }
    values.set(name, value);
  }
  return values;
}

function unknownProperty(input: Readonly<Record<string, Input>>, body: JsonValue): Rejection | undefined {
  if (Object.values(input).some((one) => one.in === 'document')) return undefined;
  if (!isJsonObject(body)) return problem('invalid_field', 'The body must be an object', { pointer: '' });
  const known = Object.keys(input).filter((name) => input[name]?.in === 'body');
  const name = Object.keys(body).find((property) => !known.includes(property));
  if (name === undefined) return undefined;
  const near = similarName(name, known);
  const others = known.length === 0 ? 'the body has no fields' : `there is ${known.join(', ')}`;
  const hint = near === undefined ? others : `did you mean "${near}"?`;
  const pointer = joinPointer('', name);
  return problem('invalid_field', `The field ${pointer.slice(0, 200)} is not known here; ${hint}`, { pointer });
}

function wrongValue(
  name: string,
  { in: place, type, isNullable, most, example }: Input,
  value: JsonValue | undefined,
): Rejection {
  const words = `${most === undefined ? WORDS[type] : `a whole number from 0 to ${most}`}${isNullable === true ? ', or null' : ''}`;
  const such = example === undefined ? '' : `, such as ${place === 'query' ? `?${name}=` : ''}${example}`;
  if (place === 'query') {
    const article = /^[aeiou]/.test(name) ? 'an' : 'a';
    return problem(
      'invalid_parameter',
      value === undefined
        ? `The query must name ${article} ${name}${such}`
        : `The parameter ${name} of the query must be ${words}${such}`,
    );
  }
  if (place === 'document') return problem('invalid_field', `The body must be ${words}${such}`, { pointer: '' });
  const pointer = joinPointer('', name);
  return problem('invalid_field', `The field ${pointer} must be ${words}${such}`, { pointer });
}
