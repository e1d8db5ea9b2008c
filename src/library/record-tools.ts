import { readDescription } from '../files/load-api';
import type { ApiModel } from '../openapi/model/api-model';
import { createRedaction } from '../redaction/redaction';
import type { RunResult } from '../runner/result/run-result';
import {
  type CleanExchange,
  type RecordedBody,
  type RecordedExchange,
  secretMark,
  type SecretUse,
} from '../traffic/exchange/recorded-exchange';
import { headerValue } from '../core/http/headers';
import type { RawHeaders } from '../core/http/message';
import type { RecordOptions } from './record-options';
import type { Cleaner, LiveJudge } from './record-traffic';

/** Judges traffic as it comes, and sums it up. */
export interface RecordingJudge extends LiveJudge {
  /** Everything that was judged so far. */
  result(): RunResult;
}

/** What a judge is made of. */
export interface RecordingJudgeInput {
  readonly api: ApiModel;
  /** Scheme, host, port and the path of the target. */
  readonly baseUrl: string;
  readonly version: string;
  /** Of the result; different in each recording. */
  readonly runId: string;
  /** File of the recording. */
  readonly source: string;
}

/** A recording that has ended. */
export interface EndedRecording {
  readonly options: RecordOptions;
  /** File of the recording; `readRecordingLines(readLines(file), file)` reads it. */
  readonly file: string;
  /** That of the recording before, where what is new is to be brought into its contract. */
  readonly earlier: string | undefined;
  /** `undefined` where none was named. */
  readonly api: ApiModel | undefined;
  /** Path of the target before every path of the description, without a slash at the end. */
  readonly basePath: string;
}

/** What is made of recorded traffic. */
export interface RecordTools {
  createCleaner(api: ApiModel | undefined, options: RecordOptions): Promise<Cleaner>;
  createJudge?: ((input: RecordingJudgeInput) => RecordingJudge) | undefined;
  /** Writes the contract. @returns lines that say what was written, and what to do with it */
  deriveContract(recording: EndedRecording): Promise<readonly string[]>;
}

export const RECORD_TOOLS: RecordTools = {
  createCleaner,
  deriveContract: ({ file, options: { out } }) => {
    return Promise.resolve([`The contract:  standin import ${file} --out ${out}`]);
  },
};

/** What reading a message needs of a description that there is not. */
const NO_DESCRIPTION = { openapi: '3.0.3', info: { title: 'Not described', version: '0' }, paths: {} };

/** Replaces what stands where secrets stand, by the description and by what everybody calls so. */
async function createCleaner(api: ApiModel | undefined, { secretHeaders = [] }: RecordOptions): Promise<Cleaner> {
  const known = new Map<string, SecretUse>();
  let where = '';
  const redaction = createRedaction(api ?? (await readDescription(NO_DESCRIPTION, {})).api, undefined, (secret) => {
    if (secret === '') return secret;
    const use = known.get(secret) ?? { name: `secret${known.size + 1}`, kind: 'value', where };
    known.set(secret, use);
    return secretMark(use.name);
  });
  const ownHeaders = new Set(secretHeaders.map((name) => name.toLowerCase()));
  const headers = (lines: RawHeaders): RawHeaders =>
    redaction.headers(
      lines.map((text, index) => {
        const isOwn = index % 2 === 1 && ownHeaders.has((lines[index - 1] ?? '').toLowerCase());
        return isOwn ? (redaction.headers(['Authorization', text])[1] ?? '') : text;
      }),
    );
  const body = (given: RecordedBody | undefined, lines: RawHeaders): RecordedBody | undefined =>
    given?.kind === 'text'
      ? { kind: 'text', text: redaction.body(given.text, headerValue(lines, 'content-type')) }
      : given;
  return {
    clean(exchange: RecordedExchange): CleanExchange {
      const { request, response } = exchange;
      where = `${request.method} ${redaction.target(request.target)}`;
      return {
        ...exchange,
        secrets: 'replaced',
        request: {
          ...request,
          target: redaction.target(request.target),
          headers: headers(request.headers),
          body: body(request.body, request.headers),
        },
        response: response && {
          ...response,
          headers: headers(response.headers),
          body: body(response.body, response.headers),
        },
      };
    },
    secrets: () => [...known.values()],
  };
}
