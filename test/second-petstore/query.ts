import { badParameter } from './failure';
import { INT64_MAX, STATUSES } from './shapes';

type Reading = (name: string, values: readonly string[]) => unknown;

/** What an operation reads of its query, by parameter. */
export type QueryRules = Readonly<Record<string, Reading>>;

function decode(text: string): string {
  try {
    const plain = decodeURIComponent(text.replaceAll('+', ' '));
    if (!plain.includes('\0')) return plain;
  } catch {
    // Told below.
  }
  throw badParameter(text.slice(0, 40), 'is not encoded properly');
}

/** Of an absolute target only the path and the query count. */
export function splitTarget(target: string): { path: string; query: string } {
  const relative = target.replace(/^https?:\/\/[^/?]*/i, '');
  const mark = relative.indexOf('?');
  return mark < 0 ? { path: relative, query: '' } : { path: relative.slice(0, mark), query: relative.slice(mark + 1) };
}

export function readQuery(query: string, rules: QueryRules, strict: boolean): Map<string, unknown> {
  const values = new Map<string, string[]>();
  for (const pair of query.split('&').filter((part) => part !== '')) {
    const [name = '', value = ''] = pair.split(/=(.*)/s).map(decode);
    if (!Object.hasOwn(rules, name)) {
      if (strict) throw badParameter(name, 'is not known here');
      continue;
    }
    values.set(name, [...(values.get(name) ?? []), value]);
  }
  return new Map([...values].map(([name, given]) => [name, rules[name]?.(name, given)]));
}

export function int64(name: string, text: string): bigint {
  const value = /^(?:0|[1-9][0-9]{0,18})$/.test(text) ? BigInt(text) : 0n;
  if (value < 1n || value > INT64_MAX) throw badParameter(name, 'is no int64 from 1 on');
  return value;
}

export function pathId(name: string, segment: string): bigint {
  return int64(name, decode(segment.replaceAll('+', '%2B')));
}

const single =
  (read: (name: string, text: string) => unknown): Reading =>
  (name, values) => {
    const [value = ''] = values;
    if (values.length > 1) throw badParameter(name, 'is there twice');
    return read(name, value);
  };

export const oneId = single(int64);
export const text = single((_, value) => value);
export const flag = single((name, value) => {
  if (value !== 'true' && value !== 'false') throw badParameter(name, 'is neither true nor false');
  return value === 'true';
});
export const pageSize = single((name, value) => {
  const size = /^[1-9][0-9]{0,2}$/.test(value) ? Number(value) : 0;
  if (size < 1 || size > 100) throw badParameter(name, 'is no whole number from 1 to 100');
  return size;
});
export const oneOf = (...choices: string[]): Reading =>
  single((name, value) => {
    if (!choices.includes(value)) throw badParameter(name, `is none of ${choices.join(' / ')}`);
    return value;
  });
/** URLSearchParams encodes the comma, and some clients repeat the parameter; both mean the same list. */
export const idList: Reading = (name, values) => {
  const ids = values.flatMap((value) => value.split(',')).map((item) => int64(name, item));
  if (ids.length > 100) throw badParameter(name, 'has more than 100 ids');
  return new Set(ids);
};
export const statusSet: Reading = (name, values) => {
  if (!values.every((value) => STATUSES.some((known) => known === value))) throw badParameter(name, 'is no status');
  return new Set(values);
};
