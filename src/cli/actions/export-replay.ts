import { bodyText } from '../../runner/result/step-result';
import { headerValue } from '../../core/http/headers';
import type { HttpRequest, HttpResponse, RawHeaders, Transport } from '../../core/http/message';
import { packageVersion } from '../../files/file-access';
import type { DescriptionOptions } from '../../files/load-api';
import { type GivenVariables, loadContracts } from '../../files/load-contracts';
import type { Contract } from '../../formats/contract/contract';
import { createServerParts } from '../../library/create-mock-server';
import { RUN_ID_AT_OWN_MOCK } from '../../library/run-choices';
import { DEFAULT_API_KEY } from '../../mock/context/options';
import { openTarget } from '../../network/target';
import type { ApiModel } from '../../openapi/model/api-model';
import { createRedactor } from '../../redaction/key-redactor';
import { secretVariables } from '../../runner/exchange/credentials';
import type { RunResult, SentRequest, StepResult } from '../../runner/result/run-result';
import { runContracts } from '../../runner/run/run-contracts';
import type {
  CleanExchange,
  RecordedBody,
  RecordedExchange,
  RecordedRequest,
} from '../../traffic/exchange/recorded-exchange';
import type { Lost, Replayed } from '../../traffic/exports/export-kind';
import type { ExportName } from '../../traffic/exports/registry';
import { createSecretVault } from '../../traffic/secrets/secret-vault';

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
  const runId = RUN_ID_AT_OWN_MOCK;
  const target = await openTarget({ app, basePath: api.basePath }, { version, runId });
  try {
    const recorder = new Recorder(baseUrl, target.baseUrl);
    const transport = recorder.around(target.transport);
    const about = { version, api, transport, baseUrl: target.baseUrl, runId, apiKey: DEFAULT_API_KEY };
    const result = await runContracts({ ...about, mode: 'full', probesAuth: false }, contracts);
    const sent = exchangesOfSteps(result, recorder.exchanges);
    return { exchanges: withoutSecrets(api, contracts, sent), lost: lostSteps(result) };
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

/** What the contract calls secret goes as well, wherever it stands. */
function withoutSecrets(
  api: ApiModel,
  contracts: readonly Contract[],
  exchanges: readonly RecordedExchange[],
): CleanExchange[] {
  const redact = createRedactor(undefined);
  for (const secret of secretVariables(contracts)) redact.learn(secret, secret.length);
  const vault = createSecretVault({ api });
  const all = exchanges.map((exchange) => withTexts(exchange, redact));
  // Once to meet them all: what a later one shows to be a secret may stand in an earlier one.
  for (const exchange of all) vault.clean(exchange);
  return all.map((exchange) => vault.clean(exchange));
}

function withTexts(exchange: RecordedExchange, change: (text: string) => string): RecordedExchange {
  const { request, response } = exchange;
  const part = <Part extends Pick<RecordedRequest, 'headers' | 'body'>>(message: Part): Part => {
    const { headers, body } = message;
    const changed = body?.kind === 'text' ? { ...body, text: change(body.text) } : body;
    return { ...message, headers: headers.map(change), body: changed };
  };
  const sent = { ...part(request), target: change(request.target) };
  return { ...exchange, request: sent, response: response === undefined ? response : part(response) };
}

/** Notes what goes through a transport, as if it went to another address. */
class Recorder {
  readonly exchanges: RecordedExchange[] = [];
  private readonly url: URL;
  private readonly sentTo: string;

  constructor(baseUrl: string, sentTo: string) {
    this.url = new URL(baseUrl);
    this.sentTo = sentTo;
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
    const { origin, pathname } = this.url;
    const basePath = pathname.replace(/\/$/, '');
    const path = request.target.slice(new URL(this.sentTo).pathname.replace(/\/$/, '').length);
    const recorded: RecordedExchange = {
      source: String(this.exchanges.length + 1),
      startedAt,
      endedAt: Date.now(),
      origin,
      request: {
        method: request.method,
        target: `${basePath}${path}`,
        headers: request.rawHeaders,
        body: bodyOf(request.body, request.rawHeaders),
      },
      response: { status: response.status, headers: response.headers, body: bodyOf(response.body, response.headers) },
      notes: [],
    };
    this.exchanges.push(withTexts(recorded, (text) => text.replaceAll(this.sentTo, `${origin}${basePath}`)));
  }
}

function bodyOf(body: string | Uint8Array = '', headers: RawHeaders): RecordedBody | undefined {
  if (body.length === 0) return undefined;
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const text = bodyText(bytes, headerValue(headers, 'content-type'));
  return text === undefined ? { kind: 'bytes', base64: Buffer.from(bytes).toString('base64') } : { kind: 'text', text };
}
