import { requestFindings } from '../../checks/request/request-findings';
import type { MultipartPart } from '../../checks/request/multipart-body';
import { type ObservedResponse, observeResponse } from '../../checks/response-check';
import { checkResponse } from '../../checks/response/registry';
import { HTML_PAGE, NOT_RECORDED, REQUEST_UNDOCUMENTED } from '../../checks/traffic-checks';
import type { CheckArea, CheckFinding, Finding } from '../../core/errors/finding';
import { StandinError } from '../../core/errors/standin-error';
import type { Browser } from '../../core/http/cors';
import { headerValue } from '../../core/http/headers';
import { parseMediaType } from '../../core/http/media-type';
import type { HttpRequest } from '../../core/http/message';
import { groupBy } from '../../core/text/group-by';
import { joinPointer } from '../../core/json/json-pointer';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import { requestFacts } from '../../runner/exchange/credentials';
import { locate } from '../../runner/exchange/finding-location';
import type { LocatedFinding, Recipe, StepResult, Verdict } from '../../runner/result/run-result';
import { disabledVerdict, sentRequest, toStepResult } from '../../runner/result/step-result';
import { credentialLocations } from '../../security/credential-locations';
import { type CleanExchange, type RecordedBody, SECRET_MARK } from '../exchange/recorded-exchange';
import type { Routed } from './traffic-routing';
import { multipartParts } from '../exchange/multipart-parts';
import { type AnsweredExchange, isMarked, type ReadExchange } from './read-exchange';
import { hasMark, unmarkedEntry, unmarkedOperation } from './unmarked-schemas';

/** What the judgement of one exchange needs beside it. */
export interface JudgeContext {
  readonly api: ApiModel;
  readonly version: string;
  readonly runId: string;
  /** When the first exchange began, in milliseconds since 1970. */
  readonly beganAt: number | undefined;
}

/** Marks as the shell variables that a report has in the place of secrets. */
export function withVariables(text: string): string {
  return hasMark(text) ? text.replace(SECRET_MARK, '${$1}') : text;
}

/** How an exchange is judged that the description has an operation for. */
export function judgeOperation(
  context: JudgeContext,
  exchange: AnsweredExchange,
  read: ReadExchange,
  routed: Extract<Routed, { kind: 'operation' }>,
): StepResult {
  const { operation, match, target } = routed;
  const { api } = context;
  const { request, response } = read;
  const described = isMarked(exchange) ? unmarkedOperation(api, operation) : operation;
  const areas = new Set<CheckArea>();
  let checksRun = 0;
  const nothing = { operation, name: operation.id, findings: [], areas, checksRun };
  if (operation.disabled !== undefined) return toResult(context, exchange, read, nothing);
  try {
    const sent = requestFindings({
      api,
      operation: described,
      match,
      head: request,
      query: target.query,
      body: exchange.request.body?.kind === 'omitted' ? undefined : request.body,
      parts: partsOf(exchange.request),
      credentialNames: credentialLocations(api).query,
    });
    const observed = observe(context, described, read);
    const checked = checkResponse(observed);
    for (const area of checked.areas) areas.add(area);
    checksRun = checked.checksRun + 1;
    const findings = [
      ...weighedRequest(sent, response.status),
      ...ofResponse(exchange, observed, checked.findings),
      ...unrecorded(exchange),
    ];
    return toResult(context, exchange, read, { operation, name: operation.id, findings, areas, checksRun });
  } catch (error) {
    if (!(error instanceof StandinError)) throw error;
    return toResult(context, exchange, read, { operation, name: operation.id, findings: [], areas, checksRun, error });
  }
}

function partsOf({ headers, body }: AnsweredExchange['request']): MultipartPart[] {
  const { essence, parameters } = parseMediaType(headerValue(headers, 'content-type') ?? '') ?? {};
  if (essence !== 'multipart/form-data') return [];
  return multipartParts(body, parameters?.get('boundary') ?? '').map(({ name, isFile, fileName, mediaType, bytes }) => {
    // Without a type it is text (RFC 7578 §4.4).
    return { name, fileName: isFile ? (fileName ?? '') : undefined, mediaType: mediaType ?? 'text/plain', bytes };
  });
}

function observe({ api }: JudgeContext, operation: Operation, { request, response }: ReadExchange): ObservedResponse {
  const browser = browserOf(request.headers);
  const facts = requestFacts({ api }, { request, auth: 'valid', browser });
  const { method } = request;
  const observed = observeResponse(api, { operation, method, response, ...facts, expected: undefined });
  const { commonError } = observed;
  return commonError === undefined ? observed : { ...observed, commonError: unmarkedEntry(api, commonError) };
}

/** A page of another origin that depends on what it may read, as the browser says (Fetch Metadata §2.2, §2.4). */
function browserOf(headers: HttpRequest['headers']): Browser | undefined {
  const { origin, cookie, 'sec-fetch-mode': mode, 'sec-fetch-site': site } = headers;
  if (typeof origin !== 'string' || mode !== 'cors' || (site !== 'cross-site' && site !== 'same-site'))
    return undefined;
  return { origin, credentials: cookie !== undefined };
}

/** What a request breaks. A value that was rightly rejected is one note, whatever rules it breaks. */
function weighedRequest(findings: readonly CheckFinding[], status: number): Finding[] {
  const told = findings.flatMap((finding) => weighed(finding, status));
  if (status < 400 || status >= 500) return told;
  return groupBy(told, ({ check, at }) => JSON.stringify([check, at])).map(([first]) => first);
}

/** Where a request breaks the description, whether it was accepted says whose matter it is. */
function weighed(finding: CheckFinding, status: number): Finding[] {
  const own = { check: '', severity: 'error', ...finding } as const;
  if (status < 400) {
    if (own.severity !== 'error') return [own];
    const hint = `It was accepted with ${status}: the service takes more than its description says, or the client is wrong and nobody tells it.`;
    return [{ ...own, hint }];
  }
  if (own.severity !== 'error') return [];
  if (status < 500) return [{ ...own, severity: 'info', hint: `It was rejected with ${status}, as it should be.` }];
  return [{ ...own, severity: 'warning', hint: `The service failed with ${status} where it should reject.` }];
}

/** What the checks of responses found, without what cannot be told of what was not recorded. */
function ofResponse(exchange: AnsweredExchange, observed: ObservedResponse, findings: readonly Finding[]): Finding[] {
  if (isForeignPage(observed)) return [foreignPage(observed)];
  const isOmitted = exchange.response.body?.kind === 'omitted';
  return findings.filter(({ at, actual }) => {
    if (isOmitted && (at === '/response/body' || at.startsWith('/response/body/'))) return false;
    return !(at.startsWith('/response/headers/') && actual !== undefined && hasMark(actual));
  });
}

/** A page where nothing of the operation is one: something else than the service responded. */
function isForeignPage({ operation, status, headers, body }: ObservedResponse): boolean {
  if (body.kind !== 'not-json' || status === 500) return false;
  const type = headers.find((_, index) => index % 2 === 1 && headers[index - 1]?.toLowerCase() === 'content-type');
  if (parseMediaType(type ?? '')?.essence !== 'text/html') return false;
  const documented = [...(operation?.responses.values() ?? [])].flatMap(({ mediaTypes }) => mediaTypes);
  return documented.length > 0 && !documented.some((each) => /^(?:text\/(?:html|\*)|\*\/\*)/.test(each));
}

function foreignPage({ operation, status, documented }: ObservedResponse): Finding {
  const types = [...(operation?.responses.values() ?? [])].flatMap(({ mediaTypes }) => mediaTypes);
  return {
    check: HTML_PAGE.id,
    severity: 'error',
    at: '/response/body',
    message: 'A page of HTML came where the API responds with data',
    expected: [...new Set(types)].join(' or '),
    actual: `text/html with the status ${status}`,
    spec: documented?.pointer ?? operation?.pointer,
    hint: 'Did a gateway, a login page or a server of files respond in place of the service?',
  };
}

/** Bodies that nothing is said of. */
function unrecorded({ request, response }: AnsweredExchange): Finding[] {
  const about = { check: NOT_RECORDED.id, severity: 'info' } as const;
  const omitted = (body: RecordedBody | undefined, side: 'request' | 'response'): Finding[] =>
    body?.kind !== 'omitted'
      ? []
      : [
          {
            ...about,
            at: `/${side}/body`,
            message: `The body of the ${side} was not recorded, and is not judged`,
            actual: body.reason,
          },
        ];
  return [...omitted(request.body, 'request'), ...omitted(response.body, 'response')];
}

/** A request that the description has no operation for. @param shape - what it is called in every such case */
export function judgeUndocumented(
  context: JudgeContext,
  exchange: AnsweredExchange,
  read: ReadExchange,
  { route }: Extract<Routed, { kind: 'undocumented' }>,
  shape: string,
): StepResult {
  const { status } = exchange.response;
  const { operations } = route ?? {};
  const [first] = operations?.values() ?? [];
  const finding: CheckFinding = {
    check: REQUEST_UNDOCUMENTED.id,
    at: route === undefined ? '/request/path' : '/request/method',
    message: `${shape} is not in the description`,
    expected: route === undefined ? 'a path of the description' : [...route.operations.keys()].join(', '),
    actual: `${exchange.request.method}, answered with ${status}`,
    spec: route === undefined ? '/paths' : joinPointer('/paths', first?.written ?? route.path),
  };
  const areas: ReadonlySet<CheckArea> = new Set([REQUEST_UNDOCUMENTED.area]);
  const findings = weighed(finding, status);
  return toResult(context, exchange, read, { operation: undefined, name: shape, findings, areas, checksRun: 1 });
}

interface Judged {
  readonly operation: Operation | undefined;
  readonly name: string;
  readonly findings: readonly Finding[];
  readonly areas: ReadonlySet<CheckArea>;
  readonly checksRun: number;
  readonly error?: StandinError;
}

function toResult(context: JudgeContext, exchange: AnsweredExchange, read: ReadExchange, judged: Judged): StepResult {
  const { api, version, runId, beganAt } = context;
  const { operation, findings, areas, checksRun, error } = judged;
  const run = { api, redact: withVariables, baseUrl: exchange.origin, basePath: '', version, runId };
  const located = findings.map((finding): LocatedFinding => locate(api, finding));
  const errors = located.filter(({ severity }) => severity === 'error');
  const warnings = located.filter(({ severity }) => severity !== 'error');
  const { startedAt, endedAt } = exchange;
  const durationMs = startedAt === undefined || endedAt === undefined ? undefined : Math.max(0, endedAt - startedAt);
  const startMs = startedAt === undefined ? 0 : Math.max(0, Math.round(startedAt - (beganAt ?? startedAt)));
  const result = toStepResult(
    run,
    {
      name: `${judged.name} → ${exchange.response.status}`,
      phase: 'steps',
      place: placeOf(exchange),
      operation,
      request: read.request,
      recipe: recipeOf(run, exchange, read.request),
    },
    {
      verdict: disabledVerdict(operation) ?? verdictOf(errors, checksRun, error),
      startMs,
      durationMs: durationMs ?? 0,
      areas: [...areas],
      attempts: 1,
      response: read.response,
      warnings,
    },
  );
  return withOmitted({ ...result, durationMs, startMs: startedAt === undefined ? undefined : startMs }, exchange);
}

function verdictOf(errors: readonly LocatedFinding[], checksRun: number, error: StandinError | undefined): Verdict {
  if (error !== undefined) return { kind: 'error', error };
  return errors.length > 0 ? { kind: 'fail', findings: errors } : { kind: 'pass', checksRun };
}

/** A line of a file is a place; of another recording only the name tells. */
function placeOf({ source }: CleanExchange): string | undefined {
  return /^.+:\d+$/.test(source) ? `${source}:1` : undefined;
}

/** The variables that stand in the request, so that its command has them open to the shell. */
function recipeOf(
  run: Parameters<typeof sentRequest>[0],
  { request: { target, headers, body } }: AnsweredExchange,
  request: HttpRequest,
): Recipe | undefined {
  const texts = [target, ...headers, ...(body?.kind === 'text' ? [body.text] : [])];
  const uses = new Set(texts.flatMap((text) => [...text.matchAll(SECRET_MARK)].map(([, name = '']) => name)));
  return uses.size === 0 ? undefined : { request: sentRequest(run, request), uses: [...uses], captures: [] };
}

function withOmitted(step: StepResult, { request: { body } }: AnsweredExchange): StepResult {
  if (body?.kind !== 'omitted' || step.request === undefined) return step;
  const request = { ...step.request, omitted: `not recorded: ${body.reason}` };
  return { ...step, request, recipe: step.recipe && { ...step.recipe, request } };
}
