import { startServer, KEY, type TestServer } from '../../support/server';
import type { CleanExchange, RecordedBody } from '../../../src/traffic/exchange/recorded-exchange';
import { createJudge, type Judge } from '../../../src/traffic/drift/judge';
import type { ApiModel } from '../../../src/openapi/model/api-model';
import type { LocatedFinding, RunResult, StepResult } from '../../../src/runner/result/run-result';

export const ORIGIN = 'https://api.example';

/** What was sent and answered, in short. */
export interface Talk {
  readonly send?: string | RecordedBody;
  readonly body?: string | RecordedBody;
  readonly type?: string;
  readonly requestHeaders?: readonly string[];
  readonly headers?: readonly string[];
  readonly more?: Partial<CleanExchange>;
}

const bodyOf = (body: string | RecordedBody | undefined): RecordedBody | undefined =>
  typeof body === 'string' ? { kind: 'text', text: body } : body;

/** `GET /pets/1 200`, with what else was said. */
export function exchange(line: string, talk: Talk = {}): CleanExchange {
  const [method = '', target = '', status = '200'] = line.split(' ');
  const { send, body, type = 'application/json', requestHeaders, headers, more } = talk;
  return {
    source: 'shop.recording.ndjson:7',
    startedAt: undefined,
    endedAt: undefined,
    origin: ORIGIN,
    request: {
      method,
      target,
      headers: requestHeaders ?? (send === undefined ? [] : ['Content-Type', 'application/json']),
      body: bodyOf(send),
    },
    response: {
      status: Number(status),
      headers: headers ?? (body === undefined ? [] : ['Content-Type', type]),
      body: bodyOf(body),
    },
    notes: [],
    secrets: 'replaced',
    ...more,
  };
}

export function judgeOf(api: ApiModel, baseUrl = ORIGIN): Judge {
  return createJudge({ api, baseUrl, version: '1.2.3', runId: '1a2b3c4d' });
}

export function resultOf(api: ApiModel, exchanges: readonly CleanExchange[], baseUrl = ORIGIN): RunResult {
  const judge = judgeOf(api, baseUrl);
  for (const each of exchanges) judge.judge(each);
  return judge.result();
}

/** Errors, then warnings and notes: `error request-body /request/body/name: …`. */
export function saidOf(step: StepResult | undefined): string[] {
  if (step === undefined) return [];
  const { verdict, warnings } = step;
  const errors: readonly LocatedFinding[] = verdict.kind === 'fail' ? verdict.findings : [];
  return [...errors, ...warnings].map(({ severity, check, at, message }) => `${severity} ${check} ${at}: ${message}`);
}

/** Sends requests to a mock of the Petstore and writes down what was said, as a recorder would. */
export async function recordedPetstore(
  lines: readonly { readonly line: string; readonly send?: string }[],
): Promise<{ readonly exchanges: readonly CleanExchange[]; readonly server: TestServer }> {
  const server = await startServer();
  const exchanges: CleanExchange[] = [];
  for (const { line, send } of lines) {
    const [method = '', target = ''] = line.split(' ');
    const startedAt = Date.now();
    const requestHeaders = ['Authorization', KEY, ...(send === undefined ? [] : ['Content-Type', 'application/json'])];
    const headers = Object.fromEntries(
      requestHeaders.flatMap((name, at) => (at % 2 === 0 ? [[name, requestHeaders[at + 1] ?? '']] : [])),
    );
    const response = await fetch(`${server.url}${target}`, {
      method,
      headers,
      ...(send === undefined ? {} : { body: send }),
    });
    const body = await response.text();
    exchanges.push({
      ...exchange(`${method} ${target} ${response.status}`, {
        requestHeaders: requestHeaders.map((text) => text.replace('test-key', '~secret.apiKey~')),
        headers: [...response.headers].flat(),
        ...(send === undefined ? {} : { send }),
        ...(body === '' ? {} : { body }),
      }),
      startedAt,
      endedAt: Date.now(),
      origin: server.url,
    });
  }
  return { exchanges, server };
}
