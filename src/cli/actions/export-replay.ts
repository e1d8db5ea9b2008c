import { bodyText } from '../../runner/result/step-result';
import { headerValue } from '../../core/http/headers';
import type { HttpRequest, HttpResponse, RawHeaders, Transport } from '../../core/http/message';
import { packageVersion } from '../../files/file-access';
import type { DescriptionOptions } from '../../files/load-api';
import { type GivenVariables, loadContracts } from '../../files/load-contracts';
import type { Contract } from '../../formats/contract/contract';
import { createServerParts } from '../../library/create-mock-server';
import { chooseRunId } from '../../library/run-choices';
import { DEFAULT_API_KEY } from '../../mock/context/options';
import { openTarget } from '../../network/target';
import type { ApiModel } from '../../openapi/model/api-model';
import { createRedactor, type Redactor } from '../../redaction/key-redactor';
import { createRedaction } from '../../redaction/redaction';
import { secretVariables } from '../../runner/exchange/credentials';
import { findOperation } from '../../runner/exchange/request';
import type { RunResult, SentRequest, StepResult } from '../../runner/result/run-result';
import { runContracts } from '../../runner/run/run-contracts';
import type { RecordedBody, RecordedExchange } from '../../traffic/exchange/recorded-exchange';
import type { Lost, Replayed } from '../../traffic/exports/export-kind';
import type { ExportName } from '../../traffic/exports/registry';

/** So that the same contract gives the same names in each export. */
const SEED = 1;

/** Values of the flags of `standin export`. */
export interface ExportFlags extends DescriptionOptions, Partial<Readonly<Record<ExportName, true>>> {
  readonly description?: string;
  readonly baseUrl?: string;
  readonly out?: string;
  readonly variables?: GivenVariables;
}

interface Replay {
  readonly source: string;
  /** What the exchanges say that they went to. */
  readonly baseUrl: string;
  readonly description: string;
  readonly flags: ExportFlags;
}

/**
 * Replays a contract at a mock of the description in this process, and keeps what was exchanged, without secrets.
 *
 * @throws StandinError for files that cannot be used, and for a secret of the contract that was not given
 */
export async function replayAtMock({ source, baseUrl, description, flags }: Replay): Promise<Replayed> {
  const { allowRemote, allowFiles, lenient, overlays, packs } = flags;
  const reading = { allowRemote, allowFiles, lenient, overlays, packs };
  const { api, app } = await createServerParts({ description, ...reading });
  const contracts = loadContracts([source], api, flags.variables);
  const version = packageVersion();
  const runId = chooseRunId(SEED);
  const target = await openTarget({ app, basePath: api.basePath }, { version, runId });
  try {
    const recorder = new Recorder(api, baseUrl, contracts, target.baseUrl);
    const transport = recorder.around(target.transport);
    const about = { version, api, transport, baseUrl: target.baseUrl, runId, apiKey: DEFAULT_API_KEY };
    const result = await runContracts({ ...about, mode: 'full', probesAuth: false }, contracts);
    return { exchanges: exchangesOfSteps(result, recorder.exchanges), lost: lostSteps(result) };
  } finally {
    await target.close();
  }
}

/** Without what the runner asks for itself, such as where a Location leads; each with the name of its step. */
function exchangesOfSteps({ contracts, baseUrl }: RunResult, all: readonly RecordedExchange[]): RecordedExchange[] {
  let next = 0;
  return contracts.flatMap(({ steps }) =>
    steps.flatMap((step) => {
      const found: RecordedExchange[] = [];
      while (step.request !== undefined && found.length < step.attempts && next < all.length) {
        const exchange = all[next++];
        const isLast = found.length === step.attempts - 1;
        if (exchange !== undefined && isOf(exchange, step, step.request, baseUrl, isLast))
          found.push({ ...exchange, name: step.name });
      }
      return found;
    }),
  );
}

/** @param isLast - of several attempts the result has the status of the last one */
function isOf(
  { request, response }: RecordedExchange,
  { status }: StepResult,
  { method, url }: SentRequest,
  baseUrl: string,
  isLast: boolean,
): boolean {
  const isSame = request.method === method && pathOf(request.target).endsWith(pathOf(url.slice(baseUrl.length)));
  return isSame && (!isLast || response?.status === status);
}

function pathOf(target: string): string {
  return target.split('?')[0] ?? '';
}

function lostSteps({ contracts }: RunResult): Lost[] {
  return contracts.flatMap(({ steps }) =>
    steps.flatMap((step) => {
      const what = problemOf(step);
      return what === undefined ? [] : [{ step: step.name, what }];
    }),
  );
}

function problemOf({ verdict }: StepResult): string | undefined {
  if (verdict.kind === 'skipped') return `was not sent: ${verdict.reason}`;
  if (verdict.kind === 'error') return `could not be sent: ${verdict.error.message}`;
  return verdict.kind === 'fail' ? `does not pass at the mock: ${verdict.findings[0]?.message ?? ''}` : undefined;
}

/** Notes what goes through a transport. */
class Recorder {
  readonly exchanges: RecordedExchange[] = [];
  private readonly api: ApiModel;
  private readonly url: URL;
  private readonly sentTo: string;
  private readonly hideKeys: Redactor;

  constructor(api: ApiModel, baseUrl: string, contracts: readonly Contract[], sentTo: string) {
    this.api = api;
    this.url = new URL(baseUrl);
    this.sentTo = sentTo;
    const redactor = createRedactor(DEFAULT_API_KEY);
    for (const secret of secretVariables(contracts)) redactor.learn(secret, secret.length);
    this.hideKeys = redactor;
  }

  around(transport: Transport): Transport {
    return {
      send: async (request, options) => {
        const startedAt = Date.now();
        const response = await transport.send(request, options);
        this.note(request, response, startedAt);
        return response;
      },
    };
  }

  private note(request: HttpRequest, response: HttpResponse, startedAt: number): void {
    const path = request.target.slice(new URL(this.sentTo).pathname.replace(/\/$/, '').length);
    const operation = findOperation(this.api, request.method, path, request.headers);
    const hide = createRedaction(this.api, operation, () => '***');
    const text = (value: string): string => this.hideKeys(value).replaceAll(this.sentTo, this.baseUrl);
    const headers = (lines: RawHeaders): RawHeaders => hide.headers(lines).map(text);
    const body = (bytes: Uint8Array, lines: RawHeaders): RecordedBody | undefined => {
      if (bytes.length === 0) return undefined;
      const mediaType = headerValue(lines, 'content-type');
      const shown = bodyText(bytes, mediaType);
      if (shown === undefined) return { kind: 'bytes', base64: Buffer.from(bytes).toString('base64') };
      return { kind: 'text', text: text(hide.body(shown, mediaType)) };
    };
    this.exchanges.push({
      source: String(this.exchanges.length + 1),
      startedAt,
      endedAt: Date.now(),
      origin: this.url.origin,
      request: {
        method: request.method,
        target: `${this.url.pathname.replace(/\/$/, '')}${text(hide.target(path))}`,
        headers: headers(request.rawHeaders),
        body: body(asBytes(request.body), request.rawHeaders),
      },
      response: {
        status: response.status,
        headers: headers(response.headers),
        body: body(asBytes(response.body), response.headers),
      },
      notes: [],
    });
  }

  private get baseUrl(): string {
    return `${this.url.origin}${this.url.pathname.replace(/\/$/, '')}`;
  }
}

function asBytes(body: string | Uint8Array = ''): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}
