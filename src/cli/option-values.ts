import { InvalidArgumentError } from 'commander';
import { ConfigError } from '../errors/harness-error';
import { parseBearer } from '../http/authorization';
import type { RateLimit } from '../mock/options';
import type { Shard } from '../runner/shard';
import { parseDate } from '../openapi/lifecycle';
import { isClockTime } from '../time/clock-time';
import { parseRfc3339 } from '../time/date-time';

/** @throws InvalidArgumentError, which commander shows with the name of the option */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535)
    throw new InvalidArgumentError('Expected a port from 0 to 65535; 0 takes any free one.');
  return port;
}

/** `100/60`: a hundred requests in sixty seconds. */
export function parseRateLimit(text: string): RateLimit {
  const match = /^(\d{1,9})\/(\d{1,9})$/.exec(text);
  const [requests, seconds] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || requests < 1 || seconds < 1) {
    throw new InvalidArgumentError('Expected REQUESTS/SECONDS, such as 100/60.');
  }
  return { requests, seconds };
}

export function parseClock(text: string): Date {
  const epochMs = parseRfc3339(text) ?? parseDate(text);
  if (epochMs === undefined || !isClockTime(epochMs))
    throw new InvalidArgumentError(
      'Expected a date-time such as 2031-01-01T00:00:00Z, or a date, up to the year 9998.',
    );
  return new Date(epochMs);
}

export function parseIdStart(text: string): number | bigint {
  if (!/^[1-9]\d{0,18}$/.test(text))
    throw new InvalidArgumentError('Expected a whole number from 1 to 9223372036854775807.');
  const start = BigInt(text);
  if (start > 9223372036854775807n)
    throw new InvalidArgumentError('Expected at most 9223372036854775807, the largest int64.');
  return start <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(start) : start;
}

export function parseBasePath(text: string): string {
  if (!/^\/?[A-Za-z0-9._~!$&'()*+,;=:@/-]*$/.test(text)) throw new InvalidArgumentError('Expected a path such as /v1.');
  return text;
}

/** A key that `Authorization: Bearer` can carry (RFC 6750 §2.1). */
export function parseToken(text: string): string {
  if (parseBearer(`Bearer ${text}`).kind === 'malformed') {
    throw new InvalidArgumentError('Expected letters, digits and any of - . _ ~ + /, with = at the end only.');
  }
  return text;
}

export function parseTokens(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return collect(parseToken(text), earlier);
}

/** What a browser sends as Origin: scheme, host and port, nothing behind; `*` is any, `off` none (Fetch §3.1). */
export function isOrigin(text: string): boolean {
  return text === '*' || text === 'off' || /^[a-z][a-z0-9+.-]*:\/\/[^/?#\s@]+$/i.test(text);
}

/** Of `--report`. The kinds are written out: what makes them is not loaded for a help text; a test holds them. */
export const REPORT_HELP =
  'write a report as well, - for stdout: json, junit, ctrf, sarif, markdown, github, html or text; may be repeated';

/** For an option that may be given several times. */
export function collect(text: string, earlier: readonly string[] | undefined): readonly string[] {
  return [...(earlier ?? []), text];
}

/** Seconds, fractions too, from a millisecond to an hour. */
export function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || seconds < 0.001 || seconds > 3600)
    throw new InvalidArgumentError('Expected seconds, from 0.001 to 3600.');
  return seconds;
}

/** A whole number from 0 to 1000. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,4}$/.test(text) || count > 1000)
    throw new InvalidArgumentError('Expected a whole number from 0 to 1000.');
  return count;
}

const SIZES: Readonly<Record<string, number>> = { '': 1, kb: 1024, mb: 1024 ** 2, gb: 1024 ** 3 };

/** Bytes, as `1048576`, `512KB` or `50MB`. */
export function parseSize(text: string): number {
  const [, digits = '', unit = ''] = /^(\d{1,9})\s*([kmg]b)?$/i.exec(text) ?? [];
  const bytes = Number(digits) * (SIZES[unit.toLowerCase()] ?? 1);
  if (digits === '' || bytes < 1 || bytes > 1024 ** 3)
    throw new InvalidArgumentError('Expected a size such as 500KB or 50MB, up to 1GB.');
  return bytes;
}

/** A whole number from 1 to a million. */
export function parseLargeCount(text: string): number {
  const count = Number(text);
  if (!/^\d{1,7}$/.test(text) || count < 1 || count > 1_000_000)
    throw new InvalidArgumentError('Expected a whole number from 1 to 1000000.');
  return count;
}

/** At least one. */
export function parsePositiveCount(text: string): number {
  const count = parseCount(text);
  if (count < 1) throw new InvalidArgumentError('Expected a whole number from 1 to 1000.');
  return count;
}

/** Requests per second, fractions too. */
export function parseRate(text: string): number {
  const rate = Number(text);
  if (!/^\d+(?:\.\d+)?$/.test(text) || rate < 0.01 || rate > 100_000)
    throw new InvalidArgumentError('Expected requests per second, from 0.01 to 100000.');
  return rate;
}

export function parseSeed(text: string): number {
  const seed = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(seed)) throw new InvalidArgumentError('Expected a whole number.');
  return seed;
}

/** `2/3`: the second of three parts. */
export function parseShard(text: string): Shard {
  const match = /^(\d{1,4})\/(\d{1,4})$/.exec(text);
  const [index, count] = [Number(match?.[1]), Number(match?.[2])];
  if (match === null || index < 1 || index > count)
    throw new InvalidArgumentError('Expected PART/PARTS, such as 1/3 for the first of three.');
  return { index, count };
}

/** Words with commas between them, or the option once for each. */
export function parseWords(text: string, earlier: readonly string[] | undefined): readonly string[] {
  const words = text.split(',').map((word) => word.trim());
  if (words.some((word) => word === '')) throw new InvalidArgumentError('Expected a name, or several with commas.');
  return [...(earlier ?? []), ...words];
}

type Identity = readonly [name: string, variable: string];

/** `buyer=BUYER_KEY`: the key of the caller that contracts name `buyer` is in that variable. */
export function parseIdentity(text: string, earlier: readonly Identity[] | undefined): readonly Identity[] {
  const match = /^([A-Za-z][\w-]*)=([A-Za-z_]\w*)$/.exec(text);
  if (match === null) {
    // Not an error of commander, which shows the value: it may be a key in the wrong place.
    throw new ConfigError('CONFIG_INVALID', 'The value of --identity is no NAME=VARIABLE, such as buyer=BUYER_KEY', {
      hint: 'It takes the name of a variable that holds the key, not the key.',
    });
  }
  return [...(earlier ?? []), [match[1] ?? '', match[2] ?? '']];
}

export type Variable = readonly [name: string, value: string];

/** `tenant=acme`: what contracts write as `${tenant}`. The value may be empty, and may hold further `=`. */
export function parseVariable(text: string, earlier: readonly Variable[] | undefined): readonly Variable[] {
  const [, name = '', value = ''] = /^([A-Za-z]\w*)=(.*)$/s.exec(text) ?? [];
  // Not an error of commander, which shows the value: it may be a secret.
  if (name === '') {
    throw new ConfigError('CONFIG_INVALID', 'The value of --variable is no NAME=VALUE, such as tenant=acme', {
      hint: 'A name has a letter first, then letters, digits and _.',
    });
  }
  if (earlier?.some(([known]) => known === name) === true)
    throw new ConfigError('CONFIG_INVALID', `The variable "${name}" was given twice`);
  return [...(earlier ?? []), [name, value]];
}

/** A variable of a path, and what it names: `server_id=localhost`. */
export type ParentFlag = readonly [variable: string, value: string];

export function parseWithin(text: string, earlier: readonly ParentFlag[] | undefined): readonly ParentFlag[] {
  const [, variable, value] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (variable === undefined || value === undefined) {
    throw new ConfigError('CONFIG_INVALID', `The value of --within is no VARIABLE=VALUE: ${JSON.stringify(text)}`, {
      hint: 'It names something that is there by a variable of its path, such as server_id=localhost.',
    });
  }
  return [...(earlier ?? []), [variable, value]];
}
