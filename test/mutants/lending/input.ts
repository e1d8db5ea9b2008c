import { STATUS_CODES } from 'node:http';
import { isFields, type Fields, type Json } from '../json';

/** The members that bodies have here, and any other. */
export type Row = Fields & { readonly [Name in Member]?: Json | undefined };
type Member =
  | 'author'
  | 'category'
  | 'createdAt'
  | 'creditLimit'
  | 'dailyRate'
  | 'data'
  | 'days'
  | 'deletedAt'
  | 'delta'
  | 'deposit'
  | 'detail'
  | 'email'
  | 'errors'
  | 'fee'
  | 'fullName'
  | 'handle'
  | 'joinedOn'
  | 'lentAt'
  | 'member'
  | 'meta'
  | 'movedAt'
  | 'nextCursor'
  | 'returnedAt'
  | 'state'
  | 'stock'
  | 'tags'
  | 'text'
  | 'title'
  | 'toolId'
  | 'total'
  | 'updatedAt';

/** What a request is answered with where it cannot be done. */
export class Problem extends Error {
  readonly status: number;
  readonly pointer: string | undefined;
  readonly allow: string | undefined;

  constructor(status: number, message: string, pointer?: string, allow?: string) {
    super(message);
    this.status = status;
    this.pointer = pointer;
    this.allow = allow;
  }

  static titleOf(status: number): string {
    return STATUS_CODES[status] ?? 'Error';
  }
}

/** What is wrong with a value; `undefined` for nothing. */
type Rule = (value: Json) => string | undefined;

const text =
  (least: number, most: number, pattern?: RegExp): Rule =>
  (value) => {
    if (typeof value !== 'string') return 'Has to be a string.';
    const length = Array.from(value).length;
    if (length < least || length > most) return `Has to have ${least} to ${most} characters.`;
    return pattern === undefined || pattern.test(value) ? undefined : 'Has another form.';
  };

const integer =
  (least: number, most: number): Rule =>
  (value) =>
    Number.isInteger(value) && Number(value) >= least && Number(value) <= most
      ? undefined
      : `Has to be a whole number from ${least} to ${most}.`;

const word =
  (...words: readonly string[]): Rule =>
  (value) =>
    words.some((each) => each === value) ? undefined : `Has to be one of ${words.join(', ')}.`;

const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null ? undefined : rule(value);

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;
const money = text(4, 9, /^(?:0|[1-9][0-9]{0,5})\.[0-9]{2}$/);
const handle = text(3, 24, /^[a-z][a-z0-9-]{2,23}$/);
const email = text(
  3,
  120,
  /^[\w.!#$%&'*+/=?^`{|}~-]+@[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i,
);

const tags: Rule = (value) => {
  if (!Array.isArray(value) || value.length > 5) return 'Has to be a list of 5 at most.';
  if (new Set(value).size < value.length) return 'Has the same twice.';
  return value.map(text(1, 20)).find((wrong) => wrong !== undefined);
};

const TOOL = { name: text(1, 80), category: word('hand', 'power', 'measuring', 'garden'), dailyRate: money };

/** Returns a function that takes a body with these members, and throws a 422 for another one. */
const reader =
  (required: readonly string[], rules: Readonly<Record<string, Rule>>) =>
  (body: Json): Row => {
    if (!isFields(body)) throw new Problem(422, 'Has to be an object.', '');
    const missing = required.find((name) => !Object.hasOwn(body, name));
    if (missing !== undefined) throw new Problem(422, `${missing} is missing.`, '');
    for (const [name, value] of Object.entries(body)) {
      const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
      const wrong = rule === undefined ? 'There is no such member.' : rule(value ?? null);
      const pointer = `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (wrong !== undefined) throw new Problem(422, wrong, pointer);
    }
    return body;
  };

export const readTool = reader(['name', 'category', 'dailyRate'], { ...TOOL, deposit: money, tags });
export const readPatch = reader([], { ...TOOL, deposit: orNull(money), tags });
export const readNote = reader(['text'], { text: text(1, 500), author: text(1, 40) });
export const readMember = reader(['fullName'], { fullName: text(1, 100), email, creditLimit: money });
export const readLoan = reader(['toolId', 'member', 'days'], {
  toolId: text(36, 36, UUID),
  member: handle,
  days: integer(1, 28),
});
export const readMovement = reader(['delta'], {
  delta: (value) => (value === 0 ? 'Has to be something.' : integer(-1000, 1000)(value)),
  reason: text(0, 200),
});

/** The value of a parameter that counts from 1. */
export function wholeNumber(query: URLSearchParams, name: string, most: number): number | undefined {
  const value = query.get(name);
  if (value === null) return undefined;
  if (!/^[1-9]\d{0,5}$/.test(value) || Number(value) > most)
    throw new Problem(400, `${name} is a number from 1 to ${most}.`);
  return Number(value);
}
