import type { RawHeaders } from '../../core/http/message';
import { MAX_DELAY_MS, type RandomStream } from './fault';
import {
  deformed,
  deliver,
  expected,
  type FaultKind,
  jsonTextOf,
  missedBody,
  NO_JSON,
  readDuration,
  readWhole,
  withBody,
} from './fault-kind';

type Delay =
  | { readonly kind: 'uniform'; readonly fromMs: number; readonly toMs: number }
  | { readonly kind: 'normal'; readonly meanMs: number; readonly deviationMs: number }
  | { readonly kind: 'lognormal'; readonly medianMs: number; readonly sigma: number };

const always = (): boolean => true;

export const latency: FaultKind<{ readonly kind: 'latency'; readonly delay: Delay }> = {
  kind: 'latency',
  syntax: 'latency:200ms, latency:100ms..500ms, latency:normal:MEAN:DEVIATION or latency:lognormal:MEDIAN:SIGMA',
  read: (argument, text) => ({ kind: 'latency', delay: readDelay(argument ?? '', text) }),
  needsConnection: always,
  delay: ({ delay }, { random }) => drawDelay(delay, random),
};

export const dribble: FaultKind<{ readonly kind: 'dribble'; readonly bytes: number; readonly everyMs: number }> = {
  kind: 'dribble',
  syntax: 'dribble:10/100ms',
  read(argument, text) {
    const [bytes = '', interval = ''] = (argument ?? '').split('/');
    if (interval === '') throw expected(text, 'dribble:BYTES/TIME, such as dribble:10/100ms');
    const everyMs = readDuration(interval, text, MAX_DELAY_MS);
    return { kind: 'dribble', bytes: readWhole(bytes, text), everyMs: Math.max(1, everyMs) };
  },
  needsConnection: always,
  deform: (response, { bytes, everyMs }) =>
    missedBody(response) ?? deformed(deliver(response, { dribble: { bytes, everyMs } })),
};

/** A kind that is written by its name alone. */
function plainKind<Kind extends string>(
  kind: Kind,
  does: Pick<FaultKind, 'needsConnection' | 'deform'>,
): FaultKind<{ readonly kind: Kind }> {
  return {
    kind,
    syntax: kind,
    read(argument, text) {
      if (argument !== undefined) throw expected(text, `${kind} alone`);
      return { kind };
    },
    ...does,
  };
}

export const reset = plainKind('reset', {
  needsConnection: always,
  deform: (response) => deformed(deliver(response, { end: 'reset' })),
});

export const empty = plainKind('empty', {
  deform: (response) => missedBody(response) ?? withBody(response, undefined),
});

export const truncate = plainKind('truncate', {
  needsConnection: always,
  deform: (response) => missedBody(response) ?? deformed(deliver(response, { end: 'truncate' })),
});

/** Without its last character no JSON text of an object, an array or a string is valid. A number gets a bracket in front. */
export const malformedJson = plainKind('malformed-json', {
  deform(response) {
    const text = jsonTextOf(response);
    if (text === undefined) return NO_JSON;
    return withBody(response, /[\]}"]$/.test(text) ? text.slice(0, -1) : `{${text}`);
  },
});

export const wrongContentType: FaultKind<{ readonly kind: 'wrong-content-type'; readonly mediaType: string }> = {
  kind: 'wrong-content-type',
  syntax: 'wrong-content-type or wrong-content-type:text/plain',
  read(argument, text) {
    const mediaType = argument ?? 'text/html';
    if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mediaType)) throw expected(text, 'a media type such as text/html');
    return { kind: 'wrong-content-type', mediaType };
  },
  deform: (response, { mediaType }) =>
    missedBody(response) ?? deformed({ ...response, headers: retyped(response.headers, mediaType) }),
};

function readDelay(argument: string, text: string): Delay {
  const ms = (duration: string): number => readDuration(duration, text, MAX_DELAY_MS);
  const parts = argument.split(':');
  const [first = '', second = '', third = ''] = parts;
  if (parts.length === 1 && first !== '') return readRange(first, text);
  if (parts.length !== 3 || (first !== 'normal' && first !== 'lognormal')) throw expected(text, latency.syntax);
  if (first === 'normal') return { kind: 'normal', meanMs: ms(second), deviationMs: ms(third) };
  if (!/^\d+(?:\.\d+)?$/.test(third)) throw expected(text, latency.syntax);
  return { kind: 'lognormal', medianMs: ms(second), sigma: Number(third) };
}

function readRange(range: string, text: string): Delay {
  const [from = '', to = from] = range.split('..');
  const [fromMs, toMs] = [from, to].map((duration) => readDuration(duration, text, MAX_DELAY_MS)) as [number, number];
  if (toMs < fromMs) throw expected(text, 'the shorter time before the longer one');
  return { kind: 'uniform', fromMs, toMs };
}

function drawDelay(delay: Delay, random: RandomStream): number {
  switch (delay.kind) {
    case 'uniform':
      return delay.fromMs === delay.toMs ? delay.fromMs : delay.fromMs + random.next() * (delay.toMs - delay.fromMs);
    case 'normal':
      return clamp(delay.meanMs + delay.deviationMs * drawNormal(random));
    case 'lognormal':
      return clamp(delay.medianMs * Math.exp(delay.sigma * drawNormal(random)));
  }
}

/** From the standard normal distribution, by the method of Box and Muller. */
function drawNormal(random: RandomStream): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

function clamp(ms: number): number {
  return Math.min(MAX_DELAY_MS, Math.max(0, ms));
}

function retyped(headers: RawHeaders, mediaType: string): RawHeaders {
  return headers.map((text, index) =>
    index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'content-type' ? mediaType : text,
  );
}
