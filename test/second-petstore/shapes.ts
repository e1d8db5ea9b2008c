import { badField, Failure } from './failure';
import type { Json, JsonMap } from './json-text';

export const INT64_MAX = 9223372036854775807n;
export const STATUSES = ['available', 'pending', 'sold'] as const;
export type Status = (typeof STATUSES)[number];

/** Says what is wrong with a value, or nothing. */
type Rule = (value: Json) => string | undefined;

export interface Shape {
  readonly members: Readonly<Record<string, Rule>>;
  readonly required: readonly string[];
}

const whole =
  (least: bigint, most: bigint): Rule =>
  (value) => {
    if (typeof value !== 'bigint') return 'is not a whole number';
    return value < least || value > most ? `is outside ${least}..${most}` : undefined;
  };

const words =
  (most: number, canBeBlank: boolean): Rule =>
  (value) => {
    if (typeof value !== 'string') return 'is not a string';
    if (!canBeBlank && !/[^\s\u0085]/u.test(value)) return 'has no visible character';
    return Array.from(value).length > most ? `is longer than ${most} characters` : undefined;
  };

const status: Rule = (value) =>
  STATUSES.some((known) => known === value) ? undefined : `is none of ${STATUSES.join(' / ')}`;
const flag: Rule = (value) => (typeof value === 'boolean' ? undefined : 'is neither true nor false');
const moment: Rule = (value) =>
  typeof value === 'string' && instantOf(value) ? undefined : 'is no RFC 3339 date and time';
const identifier = whole(1n, INT64_MAX);

export const NEW_PET: Shape = {
  members: { name: words(100, false), categoryId: identifier, status },
  required: ['name', 'categoryId'],
};
export const NEW_CATEGORY: Shape = {
  members: { name: words(50, false), description: words(500, true) },
  required: ['name'],
};
export const ORDER: Shape = {
  members: { id: identifier, petId: identifier, quantity: whole(1n, 10000n), shipDate: moment, complete: flag },
  required: [],
};
export const INVENTORY_UPDATE: Shape = { members: { quantity: whole(0n, 1000000n) }, required: ['quantity'] };

/** The members of a body, checked in the order of the document; what is missing is noticed last. */
export function checkBody(body: Json, shape: Shape, strict: boolean): JsonMap {
  if (!(body instanceof Map)) throw badField('', 'the body is not an object');
  const members = body as JsonMap;
  for (const [name, value] of members) {
    if (strict && (name === 'id' || !Object.hasOwn(shape.members, name))) throw badField(`/${name}`, 'is not expected');
    const complaint = Object.hasOwn(shape.members, name) ? shape.members[name]?.(value) : undefined;
    if (complaint !== undefined) throw badField(`/${name}`, complaint);
  }
  const absent = shape.required.find((name) => !members.has(name));
  if (absent !== undefined) throw new Failure(400, 'missing_field', `Body member "/${absent}" has to be there.`);
  return members;
}

export interface Instant {
  readonly seconds: number;
  /** Digits of the fraction without zeros at the end; compares as text. */
  readonly fraction: string;
}

const RFC_3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Date.UTC would read the years 0 to 99 as 1900 to 1999. */
function dayNumber(year: number, month: number, day: number): number | undefined {
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() / 1000 : undefined;
}

/** Seconds to add to UTC for the local time to come out; nothing for an offset that no clock has. */
function shiftOf(sign = '+', hours = '00', minutes = '00'): number | undefined {
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  return (Number(hours) * 3600 + Number(minutes) * 60) * (sign === '-' ? -1 : 1);
}

/** Leap seconds included; whether one belongs there is another question. */
const isTimeOfDay = (hour: number, minute: number, second: number): boolean =>
  hour <= 23 && minute <= 59 && second <= 60;

export function instantOf(text: string): Instant | undefined {
  const match = RFC_3339.exec(text);
  if (!match) return undefined;
  const part = (index: number): number => Number(match[index]);
  const start = dayNumber(part(1), part(2), part(3));
  const shift = shiftOf(match[8], match[9], match[10]);
  if (start === undefined || shift === undefined || !isTimeOfDay(part(4), part(5), part(6))) return undefined;
  const seconds = start + part(4) * 3600 + part(5) * 60 + part(6) - shift;
  // A leap second is only ever the last second of a UTC day.
  if (part(6) === 60 && seconds % 86400 !== 0) return undefined;
  return { seconds, fraction: (match[7] ?? '').replace(/0+$/, '') };
}
