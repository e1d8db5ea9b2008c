import { type Chance, derive, hexDigits, integerBelow, pick } from './chance';
import { FIRST_NAMES, LAST_NAMES, WORDS } from './words';

/** Samples are of the year before this day, whatever day it is: the same seed gives the same text for ever. */
const EPOCH_MS = Date.UTC(2026, 0, 1);
const DAY_MS = 86_400_000;

/** A time of the year before samples. */
export function moment(chance: Chance): Date {
  const day = integerBelow(chance, 365) + 1;
  const second = integerBelow(derive(chance, 1), 86_400);
  return new Date(EPOCH_MS - day * DAY_MS + second * 1000);
}

/** `2025-06-30T08:15:00Z` (RFC 3339 §5.6). */
export function dateTimeText(chance: Chance): string {
  return `${moment(chance).toISOString().slice(0, 19)}Z`;
}

/** `2025-06-30`. */
export function dateText(chance: Chance): string {
  return moment(chance).toISOString().slice(0, 10);
}

/** Days from a sample's time to the end of what it lasts: into 2036, before the last second of 32 bits in 2038. */
export const VALIDITY_DAYS = 4017;

/** A time until which something is valid. */
export function expiry(chance: Chance): Date {
  return new Date(moment(chance).getTime() + VALIDITY_DAYS * DAY_MS);
}

/** The birthday of somebody who has an age on the day before which samples are. */
export function birthdayText(chance: Chance, age: number): string {
  const day = integerBelow(derive(chance, 2), 365);
  const year = new Date(EPOCH_MS).getUTCFullYear() - age - 1;
  return new Date(Date.UTC(year, 0, 1) + day * DAY_MS).toISOString().slice(0, 10);
}

/** `08:15:00Z`: the full-time of RFC 3339. */
function timeText(chance: Chance): string {
  return `${moment(chance).toISOString().slice(11, 19)}Z`;
}

/** `P3D`, `PT45M` (RFC 3339 Appendix A). */
export function durationText(chance: Chance): string {
  const count = integerBelow(derive(chance, 2), 27) + 1;
  return integerBelow(chance, 2) === 0 ? `P${count}D` : `PT${count}M`;
}

/** Epoch seconds. */
export function epochSeconds(chance: Chance): number {
  return moment(chance).getTime() / 1000;
}

type MakeText = (chance: Chance) => string;

/** Texts of the formats that are known (JSON Schema 2020-12 Validation §7.3, the OpenAPI format registry). */
const MAKERS: Readonly<Record<string, MakeText>> = {
  'date-time': dateTimeText,
  'iso-date-time': dateTimeText,
  date: dateText,
  time: timeText,
  'iso-time': timeText,
  duration: durationText,
  uuid: uuidText,
  guid: uuidText,
  email: emailText,
  'idn-email': emailText,
  hostname: hostText,
  'idn-hostname': hostText,
  ipv4: ipText,
  ip: ipText,
  ipv6: ipv6Text,
  uri: uriText,
  url: uriText,
  iri: uriText,
  'uri-reference': pathText,
  'iri-reference': pathText,
  'uri-template': (chance) => `${pathText(chance)}/{id}`,
  'json-pointer': pathText,
  'relative-json-pointer': (chance) => `1/${word(chance)}`,
  'json-pointer-uri-fragment': (chance) => `#${pathText(chance)}`,
  regex: (chance) => `^${word(chance)}$`,
  byte: base64Text,
  base64: base64Text,
  jwt: jwtText,
  phone: phoneText,
  e164: (chance) => `+${phoneText(chance).replaceAll(/\D/g, '')}`,
  epoch: (chance) => String(epochSeconds(chance)),
  'epoch-ms': (chance) => String(epochSeconds(chance) * 1000),
  base64url: (chance) => base64Text(chance).replaceAll('=', ''),
  password: (chance) => `${word(chance)}-${hexDigits(chance, 6)}`,
  int32: (chance) => String(integerBelow(chance, 1000) + 1),
  int64: (chance) => String(integerBelow(chance, 100_000) + 1),
  decimal: (chance) => `${integerBelow(chance, 500)}.${integerBelow(derive(chance, 1), 90) + 10}`,
};

/** @returns `undefined` for a format that says nothing here */
export function formatMaker(format: string): MakeText | undefined {
  return Object.hasOwn(MAKERS, format) ? MAKERS[format] : undefined;
}

/** Version 4 in form (RFC 9562 §5.4), from the seed in fact. */
export function uuidText(chance: Chance): string {
  const hex = hexDigits(chance, 32);
  const variant = '89ab'.charAt(integerBelow(chance, 4));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Domains of samples are those that nobody can own (RFC 2606). */
export function emailText(chance: Chance): string {
  const first = pick(chance, FIRST_NAMES) ?? '';
  const last = pick(derive(chance, 1), LAST_NAMES) ?? '';
  return `${first}.${last}@example.com`.toLowerCase();
}

/** A number that nobody has: 555-01XX is for fiction (North American Numbering Plan). */
export function phoneText(chance: Chance): string {
  return `+1 202 555 01${integerBelow(chance, 90) + 10}`;
}

export function uriText(chance: Chance): string {
  return `https://example.com${pathText(chance)}`;
}

export function word(chance: Chance): string {
  return pick(chance, WORDS) ?? '';
}

/** Well-formed and signed by nobody, good for decades (RFC 7519 §3). */
export function jwtText(chance: Chance): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { sub: hexDigits(chance, 8), iat: 1735689600, exp: 4102444800 };
  return `${part({ alg: 'HS256', typ: 'JWT' })}.${part(claims)}.${Buffer.from(hexDigits(derive(chance, 1), 43))
    .toString('base64url')
    .slice(0, 43)}`;
}

export function hostText(chance: Chance): string {
  return `${word(chance)}.example.com`;
}

/** An address for documentation (RFC 5737). */
export function ipText(chance: Chance): string {
  return `192.0.2.${integerBelow(chance, 254) + 1}`;
}

/** An address for documentation (RFC 3849). */
export function ipv6Text(chance: Chance): string {
  return `2001:db8::${(integerBelow(chance, 65_534) + 1).toString(16)}`;
}

function pathText(chance: Chance): string {
  return `/${word(chance)}/${integerBelow(derive(chance, 1), 900) + 100}`;
}

function base64Text(chance: Chance): string {
  return Buffer.from(`${word(chance)} ${word(derive(chance, 1))}`).toString('base64');
}
