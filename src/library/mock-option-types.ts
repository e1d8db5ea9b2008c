import {
  append,
  isObject,
  type OptionType,
  stringList,
  stringValue,
  wholeNumberWithin,
} from '../core/options/option-types';
import { parseBearer } from '../core/http/authorization';
import { isClockTime, parseRfc3339 } from '../core/time/date-time';
import { parseDate } from '../openapi/model/lifecycle';

const TOKEN_CHARACTERS = 'letters, digits and any of - . _ ~ + /, with = at the end only';
const isToken = (text: string): boolean => parseBearer(`Bearer ${text}`).kind !== 'malformed';

/** What `Authorization: Bearer` can carry (RFC 6750 §2.1). */
export const token: OptionType = {
  ...stringValue,
  expectedText: TOKEN_CHARACTERS,
  parse: (text) => (isToken(text) ? text : undefined),
};
export const tokenList: OptionType = {
  ...stringList,
  expectedText: TOKEN_CHARACTERS,
  parse: (text, earlier) => (isToken(text) ? append(earlier, text) : undefined),
};
export const basePath: OptionType = {
  ...stringValue,
  expectedText: 'a path such as /v1',
  parse: (text) => (/^\/?[A-Za-z0-9._~!$&'()*+,;=:@/-]*$/.test(text) ? text : undefined),
};
/** `100/60`: a hundred requests in sixty seconds. */
export const rateLimit: OptionType = {
  expected: '{ requests, seconds }',
  expectedText: 'REQUESTS/SECONDS, such as 100/60',
  accepts: (value) => isObject(value) && 'requests' in value && 'seconds' in value,
  parse(text) {
    const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text);
    const [requests, seconds] = [Number(match?.[1]), Number(match?.[2])];
    return requests >= 1 && seconds >= 1 ? { requests, seconds } : undefined;
  },
};
export const clock: OptionType = {
  expected: 'a valid Date',
  expectedText: 'a date-time such as 2031-01-01T00:00:00Z, or a date, up to the year 9998',
  accepts: (value) => typeof value === 'object' && Number.isFinite(Number(value)),
  hint: () => 'Give new Date("2031-01-01T00:00:00Z").',
  parse(text) {
    const epochMs = parseRfc3339(text) ?? parseDate(text);
    return epochMs !== undefined && isClockTime(epochMs) ? new Date(epochMs) : undefined;
  },
};
const LARGEST_ID = 9223372036854775807n;
export const idStart: OptionType = {
  expected: 'a whole number from 1; a bigint beyond 2^53',
  expectedText: `a whole number from 1 to ${LARGEST_ID}, the largest int64`,
  accepts: (value) => typeof value === 'bigint' || Number.isInteger(value),
  parse(text) {
    const start = /^[1-9]\d{0,18}$/.test(text) ? BigInt(text) : LARGEST_ID + 1n;
    if (start > LARGEST_ID) return undefined;
    return start <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(start) : start;
  },
};
const SIZES: Readonly<Record<string, number>> = { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };
/** Bytes; `1048576`, `512KB` or `50MB` as a flag. */
export const size: OptionType = {
  ...wholeNumberWithin(1, Number.MAX_SAFE_INTEGER, 'bytes'),
  expectedText: 'a size such as 500KB or 50MB, up to 1GB',
  parse(text) {
    const [, digits = '', unit = ''] = /^(\d{1,9})\s*([kmg]b)?$/i.exec(text) ?? [];
    const bytes = Number(digits) * (SIZES[unit.toLowerCase()] ?? 1);
    return bytes <= 1024 ** 3 ? bytes : undefined;
  },
};
