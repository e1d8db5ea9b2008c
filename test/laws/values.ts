import { asList, asObject, isObject, isSame, isScalar, type JsonObject, wordsOf } from './checks';
import { type Schemas, typeOf } from './schemas';

/** One value that a rule has judged. */
export interface Judged {
  /** `[].created_at`. */
  readonly place: string;
  readonly rule: string;
  readonly value: unknown;
  readonly isUsable: boolean;
  readonly expected: string;
}

interface Shape {
  readonly name: string;
  readonly fits: (text: string) => boolean;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)/;
const TIME = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:[Zz]|[+-]\d\d:?\d\d)?$/;
const IPV4 = /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$|\/)|(?=$|\/))){4}(?:\/\d\d?)?$/;

/** What texts look like that programs read. The first that fits is the shape of an example. */
const SHAPES: readonly Shape[] = [
  { name: 'a date with a time', fits: (text) => TIME.test(text) && isRealDate(text) },
  { name: 'a date', fits: (text) => /^\d{4}-\d\d-\d\d$/.test(text) && isRealDate(text) },
  { name: 'a URL', fits: (text) => /^https?:\/\/[^\s]+$/i.test(text) && URL.canParse(text) },
  { name: 'an e-mail address', fits: (text) => /^[^@\s<>]+@[^@\s<>]+\.[a-z]{2,}$/i.test(text) },
  { name: 'a UUID', fits: (text) => /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(text) },
  { name: 'an IP address', fits: (text) => IPV4.test(text) || /^(?=.*:.*:)[0-9a-f:.]+(?:\/\d+)?$/i.test(text) },
  { name: 'a version', fits: (text) => /^v?\d+(?:\.\d+)+(?:[-+][\w.-]+)?$/.test(text) },
  { name: 'a colour', fits: (text) => /^#(?:[0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/i.test(text) },
];
const shape = (name: string): Shape => SHAPES.find((one) => one.name === name)!;

const ANY_DATE: Shape = {
  name: 'a date or a time',
  fits: (text) => (DATE.test(text) ? isRealDate(text) : /^\d{9,13}$/.test(text) || !Number.isNaN(Date.parse(text))),
};
const REFERENCE: Shape = {
  name: 'a URL',
  fits: (text) => /^(?:[a-z][a-z0-9+.-]*:|\/|[\w-]+(?:\.[\w-]+)+(?:\/|$))\S*$/i.test(text),
};
const CURRENCY: Shape = { name: 'a code of a currency', fits: (text) => /^[A-Z]{3}$/i.test(text) };
const COUNTRY: Shape = { name: 'a code of a country', fits: (text) => /^[A-Z]{2,3}$/i.test(text) };
const DIALING: Shape = { name: 'a code of a country', fits: (text) => /^(?:\+?\d{1,4}|[A-Z]{2,3})$/i.test(text) };
const COLOUR: Shape = {
  name: 'a colour',
  fits: (text) => /^(?:#?[0-9a-f]{3,8}|[a-z]{3,20}|(?:rgb|hsl)a?\(.*\))$/i.test(text) && text !== 'string',
};

/** Whether the day that a text begins with is in the calendar, and its time on the clock. */
export function isRealDate(text: string): boolean {
  const [, year, month, day] = (DATE.exec(text) ?? []).map(Number);
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(Date.UTC(2000, month - 1, day));
  date.setUTCFullYear(year, month - 1, day);
  const [, hour = '0', minute = '0'] = /[Tt ](\d\d):(\d\d)/.exec(text) ?? [];
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day && Number(hour) < 24 && Number(minute) < 60;
}

/** Judges every value whose schema or name says what programs will take it for. What was sent is left out. */
export function judgeValues(
  schemas: Schemas,
  schema: unknown,
  value: unknown,
  isSent: (value: unknown) => boolean,
): Judged[] {
  const judged = new Map<string, Judged>();
  const visit = (of: unknown, inner: unknown, place: string, name: string, depth: number): void => {
    if (depth > 10) return;
    const flat = schemas.flatten(of);
    if (Array.isArray(inner)) {
      for (const one of inner.slice(0, 20)) visit(flat['items'], one, `${place}[]`, name, depth + 1);
    } else if (isObject(inner)) {
      for (const [key, property] of Object.entries(asObject(flat['properties']))) {
        if (inner[key] !== undefined) visit(property, inner[key], `${place}.${key}`, key, depth + 1);
      }
    } else if (isScalar(inner) && !isSent(inner)) {
      for (const found of judgeScalar(flat, inner, name)) {
        const id = `${place} ${found.rule}`;
        if (judged.get(id)?.isUsable !== false) judged.set(id, { place, value: inner, ...found });
      }
    }
  };
  visit(schema, value, '', '', 0);
  return [...judged.values()];
}

type Finding = Omit<Judged, 'place' | 'value'>;

function judgeScalar(schema: JsonObject, value: string | number | boolean, name: string): Finding[] {
  const values = asList(schema['enum']);
  const literal = schema['const'] ?? (values.length === 1 ? values[0] : undefined);
  if (literal !== undefined) {
    return [
      { rule: 'literal', isUsable: isSame(literal, value), expected: `the only value, ${JSON.stringify(literal)}` },
    ];
  }
  const shown = exampleOf(schema);
  if (values.length > 0 || isSame(shown, value)) return [];
  return [
    judgeExpiry(value, name),
    typeof value === 'string' ? judgeText(schema, value, name, shown) : undefined,
  ].filter((finding) => finding !== undefined);
}

function judgeExpiry(value: string | number | boolean, name: string): Finding | undefined {
  const time = isExpiry(name) ? timeOf(value) : undefined;
  return time === undefined
    ? undefined
    : { rule: 'expiry', isUsable: time > Date.now(), expected: 'a time in the future' };
}

function judgeText(schema: JsonObject, value: string, name: string, shown: unknown): Finding | undefined {
  const isBearer = shown === undefined || (typeof shown === 'string' && /^bearer$/i.test(shown));
  if (name.toLowerCase() === 'token_type' && isBearer) {
    return { rule: 'token type', isUsable: /^bearer$/i.test(value), expected: 'Bearer' };
  }
  const wanted = value === '' ? undefined : shapeOf(schema, name, shown);
  return wanted === undefined
    ? undefined
    : { rule: `is ${wanted.name}`, isUsable: wanted.fits(value), expected: wanted.name };
}

function exampleOf(schema: JsonObject): unknown {
  return schema['example'] ?? schema['x-example'] ?? asList(schema['examples'])[0] ?? schema['default'];
}

/** What the format says, else what the example looks like, else what the name says. */
function shapeOf(schema: JsonObject, name: string, shown: unknown): Shape | undefined {
  if (typeOf(schema) !== 'string') return undefined;
  if (schema['format'] === 'date-time') return shape('a date with a time');
  if (schema['format'] === 'date') return shape('a date');
  if (typeof shown === 'string' && shown !== '') return SHAPES.find(({ fits }) => fits(shown));
  if (schema['pattern'] !== undefined || schema['format'] !== undefined) return undefined;
  return shapeOfName(name, Number(schema['maxLength'] ?? Infinity));
}

/** By the last two words of a name, else the last one. */
const SHAPES_OF_NAMES: Readonly<Record<string, Shape>> = {
  date: ANY_DATE,
  url: REFERENCE,
  uri: REFERENCE,
  href: REFERENCE,
  email: shape('an e-mail address'),
  'email address': shape('an e-mail address'),
  ip: shape('an IP address'),
  ipv4: shape('an IP address'),
  ipv6: shape('an IP address'),
  'ip address': shape('an IP address'),
  uuid: shape('a UUID'),
  guid: shape('a UUID'),
  color: COLOUR,
  colour: COLOUR,
  currency: CURRENCY,
  'currency code': CURRENCY,
  'country code': COUNTRY,
};
const MOMENT = /^(?:created|updated|modified|deleted|expires|started|finished|published|completed) (?:at|on|time)$/;

function shapeOfName(name: string, maxLength: number): Shape | undefined {
  const words = wordsOf(name);
  const two = words.slice(-2).join(' ');
  // `PhoneCountryCode` is what one dials.
  if (/\b(?:phone|mobile|dial|dialing|calling) country code$/.test(words.join(' '))) return DIALING;
  const found = MOMENT.test(two) ? ANY_DATE : (SHAPES_OF_NAMES[two] ?? SHAPES_OF_NAMES[words.at(-1) ?? '']);
  return maxLength < 8 && found !== CURRENCY && found !== COUNTRY ? undefined : found;
}

function isExpiry(name: string): boolean {
  return /^(?:expires?(?: (?:at|on|date|time))?|(?:expiry|expiration)(?: (?:date|time|at))?|valid (?:until|to))$/.test(
    wordsOf(name).join(' '),
  );
}

/** A time in milliseconds; durations such as 3600 are none. */
function timeOf(value: unknown): number | undefined {
  if (typeof value === 'string' && DATE.test(value)) return isRealDate(value) ? Date.parse(value) : undefined;
  const number = typeof value === 'boolean' || value === '' ? Number.NaN : Number(value);
  if (!(number > 1e8)) return undefined;
  return number > 1e11 ? number : number * 1000;
}

/** Of the answer to a removal: whether it says `deleted` where the description says that it does. */
export function judgeDeleted(schemas: Schemas, schema: unknown, json: unknown): Judged | undefined {
  const property = schemas.flatten(asObject(schemas.flatten(schema)['properties'])['deleted']);
  const isPlain = [exampleOf(property), asList(property['enum'])[0], property['const']].includes(true);
  if (!isPlain || !isObject(json)) return undefined;
  const value = json['deleted'];
  return { place: '.deleted', rule: 'deleted', value, isUsable: value === true, expected: 'true' };
}
