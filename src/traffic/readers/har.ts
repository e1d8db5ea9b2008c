import { basename } from 'node:path';
import type * as StreamParser from '@streamparser/json';
import { messageOf } from '../../core/errors/standin-error';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import type { JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { counted } from '../../core/text/printable';
import type { RecordedBody, RecordedExchange } from '../exchange/recorded-exchange';
import { omittedBody } from './bodies';
import { type HarEntry, readHarEntry } from './har-entry';
import { inTimeOrder, type Timed } from './har-order';
import {
  jsonProblem,
  type ReadItem,
  type ReadProblem,
  readWhole,
  type TrafficReader,
  type TrafficSource,
  wholeProblem,
} from './reader';

/** HAR 1.2 as browsers, Playwright and proxies write it: http://www.softwareishard.com/blog/har-12-spec/ */
export const har: TrafficReader = {
  name: 'HAR',
  recognises: (file, head) => (/\.har$/i.test(file) && /^\s*\{/.test(head)) || /^\s*\{\s*"log"\s*:/.test(head),
  read: readHar,
};

/** Strings are put together in pieces of this size: without it the parser takes seven times as long. */
const STRING_BUFFER_BYTES = 65_536;

/**
 * What the bodies of one file may have together in memory, so that one of 200 MB is imported in less than 400 MB: most of
 * such a file belongs to pages, and is not kept at all.
 */
const MAX_KEPT_BYTES = 80 * 1024 * 1024;

/**
 * Reads entry by entry, whatever the size of the file, and keeps of each what is used: they can be given on only when
 * all are known, because the order of the file is not that of time. A file that ends too early, or is no JSON from
 * somewhere on, gives the entries before that.
 */
async function* readHar(source: TrafficSource): AsyncIterable<ReadItem> {
  const entries = new KeptEntries(source);
  const end = await parseEntries(source, (value) => {
    entries.add(value);
  });
  const { placed, jumps } = inTimeOrder(entries.kept);
  yield* entries.problems;
  for (const { index, backMs } of jumps) {
    const next = entries.kept[index]?.exchange.source.slice(source.file.length) ?? '';
    const seconds = Math.max(1, Math.round(backMs / 1000));
    yield {
      file: source.file,
      at: next,
      problem: `The clock went back by ${seconds} s before this entry`,
      done: 'the order of the file was kept, and the later times moved behind the earlier ones',
    };
  }
  if (end !== undefined) yield await endProblem(source, end, entries.count);
  else if (entries.count === 0)
    yield wholeProblem(source, 'The HAR has no entries: expected a list log.entries, as browsers save it');
  for (const { entry, shiftMs } of placed) yield moved(entry.exchange, shiftMs);
}

interface KeptEntry extends Timed {
  readonly exchange: RecordedExchange;
}

/** What is kept of the entries, each text once: headers, and responses to polling, are the same over and over. */
class KeptEntries {
  readonly kept: KeptEntry[] = [];
  readonly problems: ReadProblem[] = [];
  count = 0;
  private readonly source: TrafficSource;
  private readonly texts = new Map<string, string>();
  private keptBytes = 0;

  constructor(source: TrafficSource) {
    this.source = source;
  }

  add(value: JsonValue): void {
    const at = `#/log/entries/${this.count}`;
    this.count += 1;
    const attached = (name: string): Uint8Array | undefined => this.source.beside(basename(name));
    const { exchange, page, problems }: HarEntry = readHarEntry(value, `${this.source.file}${at}`, attached);
    this.problems.push(...problems.map((problem) => ({ file: this.source.file, at, ...problem })));
    if (exchange === undefined) return;
    const { startedAt, endedAt } = exchange;
    this.kept.push({ startedAt, endedAt, page, exchange: this.compact(exchange, at) });
  }

  private compact(exchange: RecordedExchange, at: string): RecordedExchange {
    const { request, response } = exchange;
    return {
      ...exchange,
      origin: this.once(exchange.origin),
      request: {
        ...request,
        headers: request.headers.map((text) => this.once(text)),
        body: this.bounded(request.body, at),
      },
      response: response && {
        ...response,
        headers: response.headers.map((text) => this.once(text)),
        body: this.bounded(response.body, at),
      },
    };
  }

  private once(text: string): string {
    const known = this.texts.get(text);
    if (known === undefined) this.texts.set(text, text);
    return known ?? text;
  }

  private bounded(body: RecordedBody | undefined, at: string): RecordedBody | undefined {
    if (body === undefined || body.kind === 'omitted') return body;
    const text = body.kind === 'text' ? body.text : body.base64;
    const known = this.texts.get(text);
    if (known === undefined) {
      const bytes = memoryOf(text);
      if (this.keptBytes + bytes > MAX_KEPT_BYTES) {
        const limit = `${MAX_KEPT_BYTES / 1024 / 1024} MiB`;
        const problem = `The bodies of the file have more than ${limit} together, without those of pages`;
        this.problems.push({ file: this.source.file, at, problem, done: 'kept without a body' });
        return omittedBody(`the bodies before it have ${limit} already`, Buffer.byteLength(text));
      }
      this.keptBytes += bytes;
      this.texts.set(text, text);
      return body;
    }
    return body.kind === 'text' ? { kind: 'text', text: known } : { kind: 'bytes', base64: known };
  }
}

/** What a string takes in memory: one byte for each character, two where one of them is beyond Latin-1. */
function memoryOf(text: string): number {
  return /[^\u0000-\u00ff]/.test(text) ? text.length * 2 : text.length;
}

/** Where the reading ended before the end of the document. */
interface EarlyEnd {
  /** Of the bytes of the file, near the place. */
  readonly byte: number;
  readonly isCut: boolean;
}

async function parseEntries(source: TrafficSource, add: (value: JsonValue) => void): Promise<EarlyEnd | undefined> {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded with the first HAR; jest cannot run `import()`
  const { JSONParser } = require('#vendor/streamparser-json') as typeof StreamParser;
  const parser = new JSONParser({
    paths: ['$.log.entries.*'],
    keepStack: false,
    stringBufferSize: STRING_BUFFER_BYTES,
  });
  let failure: Error | undefined;
  parser.onValue = ({ value, key }) => {
    // Properties of an object are no entries.
    if (typeof key !== 'number') return;
    // What it makes of JSON are JSON values; numbers of more digits than a double has do not matter here.
    add(value as unknown as JsonValue);
  };
  parser.onError = (error) => {
    failure ??= error;
  };
  let byte = 0;
  for await (const chunk of source.chunks()) {
    parser.write(chunk);
    if (failure !== undefined) return { byte: positionIn(failure, byte), isCut: false };
    byte += chunk.byteLength;
  }
  if (parser.isEnded) return undefined;
  return { byte, isCut: true };
}

/** The tokenizer says where it was; else the chunk that failed is all that is known. */
function positionIn(error: Error, chunkStart: number): number {
  const [, position] = /(?:absolute|at) position "(\d+)"/.exec(messageOf(error)) ?? [];
  return position === undefined ? chunkStart : Number(position);
}

/** With the line where a file is not too large to be looked at as a whole. */
async function endProblem(source: TrafficSource, end: EarlyEnd, count: number): Promise<ReadProblem> {
  const known = (await placeOf(source)) ?? {
    at: `byte ${end.byte}`,
    problem: end.isCut
      ? `The file ends at byte ${end.byte}, in the middle of its JSON. Is it whole? Save it again`
      : `It is no JSON from byte ${end.byte} on`,
  };
  const done =
    count === 0 ? 'nothing was read' : `${counted(count, 'entry')} before that ${count === 1 ? 'was' : 'were'} read`;
  return { file: source.file, at: known.at, problem: known.problem, done };
}

async function placeOf(source: TrafficSource): Promise<Pick<ReadProblem, 'at' | 'problem'> | undefined> {
  const text = await readWhole(source);
  if (typeof text !== 'string') return undefined;
  try {
    parseJson(text);
    return undefined;
  } catch (error) {
    // A name that is there twice is nothing that ends the reading.
    return error instanceof JsonSyntaxError && error.kind === 'syntax' ? jsonProblem(source, error) : undefined;
  }
}

function moved(exchange: RecordedExchange, shiftMs: number): RecordedExchange {
  if (shiftMs === 0) return exchange;
  const { startedAt, endedAt } = exchange;
  return {
    ...exchange,
    startedAt: startedAt === undefined ? undefined : startedAt + shiftMs,
    endedAt: endedAt === undefined ? undefined : endedAt + shiftMs,
  };
}
