import { checkResponse, type ResponseJudgement } from '../checks/response';
import { observeResponse, type ObservedResponse } from '../checks/response/response-check';
import type { Finding } from '../checks/finding';
import { HarnessError } from '../errors/harness-error';
import { formatPlace } from '../errors/source-finding';
import { evaluateExpression } from '../formats/runtime-expression';
import { headerValue } from '../http/headers';
import type { HttpRequest, HttpResponse } from '../http/message';
import type { JsonValue } from '../json/json-value';
import type { ApiModel } from '../openapi/model';
import type { Interaction } from './interaction';
import { createRedactor, redactStep } from './redact';
import { isSafe, type Run } from './run';
import type { LocatedFinding, SentRequest, StepResult, Verdict } from './run-result';

/** What an interaction gave: a verdict, and values for later steps. */
export interface ExchangeOutcome {
  readonly result: StepResult;
  readonly captured: ReadonlyMap<string, JsonValue>;
}

const NOTHING: ReadonlyMap<string, JsonValue> = new Map();

/** Sends one interaction, and judges the answer by every check. */
export async function exchange(run: Run, interaction: Interaction): Promise<ExchangeOutcome> {
  const { request, phase } = interaction;
  if (run.writesRefused !== undefined && !isSafe(request.method)) {
    return unsent(interaction, { kind: 'skipped', reason: run.writesRefused, cause: 'mode' });
  }
  // The cleanup tries all the same: what it would remove is worth another attempt.
  if (run.lost !== undefined && phase !== 'cleanup') {
    return unsent(interaction, { kind: 'skipped', reason: 'the target cannot be reached', cause: 'target-lost' });
  }
  let response: HttpResponse;
  try {
    response = await run.transport.send(request);
    run.hasAnswered = true;
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    noteLoss(run, error);
    return finish(run, interaction, undefined, { kind: 'error', error }, [], NOTHING);
  }
  const { operation, expected } = interaction;
  return judge(run, interaction, observeResponse(run.api, { operation, method: request.method, response, expected }));
}

/** The result of an interaction that was not sent. */
export function unsent(
  about: Pick<Interaction, 'name' | 'phase' | 'place' | 'operation'>,
  verdict: Verdict,
): ExchangeOutcome {
  const { name, phase, place, operation } = about;
  const title = { name, phase, place, operation: operation?.id, request: undefined, recipe: undefined };
  const nothing = { status: undefined, durationMs: undefined, attempts: 0, warnings: [] };
  return { result: { ...title, ...nothing, verdict }, captured: NOTHING };
}

function judge(run: Run, interaction: Interaction, observed: ObservedResponse): ExchangeOutcome {
  const { captured, missing } = capture(interaction, observed);
  let judgement: ResponseJudgement;
  try {
    judgement = checkResponse(observed);
  } catch (error) {
    if (!(error instanceof HarnessError)) throw error;
    return finish(run, interaction, observed.status, { kind: 'error', error }, [], captured);
  }
  const { findings, checksRun } = judgement;
  const located = [...findings, ...missing].map((finding) => locate(run.api, finding));
  const errors = located.filter(({ severity }) => severity === 'error');
  const warnings = located.filter(({ severity }) => severity !== 'error');
  const verdict: Verdict = errors.length > 0 ? { kind: 'fail', findings: errors } : { kind: 'pass', checksRun };
  return finish(run, interaction, observed.status, verdict, warnings, captured);
}

/** Values are taken out of every answer that has them: the cleanup needs them after a failure most of all. */
function capture(
  { captures, expected }: Interaction,
  { body, headers, status }: ObservedResponse,
): { readonly captured: ReadonlyMap<string, JsonValue>; readonly missing: readonly Finding[] } {
  const captured = new Map<string, JsonValue>();
  const missing: Finding[] = [];
  const value = body.kind === 'json' ? body.value : undefined;
  for (const { name, text, expression } of captures) {
    const found = evaluateExpression(expression, { body: value, header: (header) => headerValue(headers, header) });
    if (found !== undefined) captured.set(name, found);
    else if (expected.statuses.includes(status)) {
      missing.push({
        check: 'capture',
        severity: 'error',
        at:
          expression.kind === 'body'
            ? `/response/body${expression.pointer}`
            : `/response/headers/${expression.name.toLowerCase()}`,
        message: `There is nothing to capture as ${name}`,
        expected: text,
        actual: 'nothing',
      });
    }
  }
  return { captured, missing };
}

function locate(api: ApiModel, finding: Finding): LocatedFinding {
  if (finding.spec === undefined) return finding;
  const { document } = api;
  return { ...finding, place: formatPlace({ file: document.file, ...document.placeOf(finding.spec) }) };
}

/** A target that cannot be reached, or that let the very first request wait in vain, is not asked again. */
function noteLoss(run: Run, error: HarnessError): void {
  if (error.code === 'TRANSPORT_UNREACHABLE' || !run.hasAnswered) run.lost ??= error;
}

function finish(
  run: Run,
  { name, phase, place, operation, request }: Interaction,
  status: number | undefined,
  verdict: Verdict,
  warnings: readonly LocatedFinding[],
  captured: ReadonlyMap<string, JsonValue>,
): ExchangeOutcome {
  const sent = sentRequest(run, request);
  const title = { name, phase, place, operation: operation?.id, request: sent, recipe: undefined };
  const result = { ...title, status, durationMs: undefined, attempts: 1, verdict, warnings };
  return { result: redactStep(result, createRedactor(run.apiKey)), captured };
}

function sentRequest({ baseUrl, basePath }: Run, { method, target, rawHeaders, body }: HttpRequest): SentRequest {
  const text = body.length === 0 ? undefined : new TextDecoder().decode(body);
  return { method, url: `${baseUrl}${target.slice(basePath.length)}`, headers: rawHeaders, body: text };
}
