import type { CheckArea } from '../../core/errors/finding';
import { headerValue } from '../../core/http/headers';
import { bodyKind } from '../../core/http/media-type';
import type { HttpRequest, HttpResponse } from '../../core/http/message';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import type { Redactor } from '../../redaction/key-redactor';
import type { LocatedFinding, SentRequest, SkipCause, StepResult, Verdict } from './run-result';
import {
  maskCredentials,
  maskFinding,
  redactFinding,
  redactRequest,
  redactStep,
  reportRedaction,
  sensitiveValues,
} from './step-redaction';

/** What a result is of: a step of a contract, or a probe. */
interface Titled {
  readonly name: string;
  readonly phase: StepResult['phase'];
  readonly place: string | undefined;
  /** `undefined` when the description has none for the request. */
  readonly operation: Operation | undefined;
  /** The word of the group that it is sent with. */
  readonly together?: string | undefined;
}

/** The result of what was not sent. */
export function unsent(about: Titled, verdict: Verdict): StepResult {
  return {
    ...titleOf(about),
    request: undefined,
    recipe: undefined,
    status: undefined,
    durationMs: undefined,
    attempts: 0,
    verdict,
    warnings: [],
  };
}

function titleOf({
  name,
  phase,
  place,
  operation,
  together,
}: Titled): Pick<StepResult, 'name' | 'phase' | 'place' | 'operation' | 'together'> {
  return { name, phase, place, operation: operation?.id, ...(together === undefined ? {} : { together }) };
}

/** The result of what was not sent on purpose. */
export function skipped(about: Titled, reason: string, cause: SkipCause): StepResult {
  return unsent(about, { kind: 'skipped', reason, cause });
}

/** Why an operation is not verified that an error in the description disables; `undefined` for others. */
export function disabledVerdict(operation: Operation | undefined): Verdict | undefined {
  if (operation?.disabled === undefined) return undefined;
  return { kind: 'skipped', reason: `not verified: ${operation.disabled}`, cause: 'disabled' };
}

/** What a run says of itself in each request. */
interface RequestingRun {
  readonly api: ApiModel;
  readonly redact: Redactor;
  readonly baseUrl: string;
  readonly basePath: string;
  readonly version: string;
  readonly runId: string;
}

interface Ending {
  readonly verdict: Verdict;
  readonly startMs: number;
  readonly durationMs: number;
  readonly areas?: readonly CheckArea[];
  readonly attempts: number;
  readonly response?: HttpResponse;
  readonly warnings?: readonly LocatedFinding[];
}

/** The result of what was sent, without secrets and no longer than a report can bear. */
export function toStepResult(
  run: RequestingRun,
  about: Titled & Pick<StepResult, 'recipe'> & { readonly request: HttpRequest },
  { response, warnings = [], ...ending }: Ending,
): StepResult {
  const { operation, request: sent, recipe } = about;
  const title = { ...titleOf(about), request: sentRequest(run, sent), recipe };
  const result = { ...title, ...ending, status: response?.status, warnings };
  const shown = maskCredentials(redactStep(result, run.redact), run.api, operation);
  return {
    ...shown,
    request: shown.request && shortenRequest(shown.request),
    recipe: shown.recipe && { ...shown.recipe, request: shortenRequest(shown.recipe.request) },
  };
}

/** A finding that is made after the result of its step, as {@link toStepResult} shows those of the result. */
export function shownFinding(
  run: RequestingRun,
  { operation, request }: Pick<Titled, 'operation'> & { readonly request: HttpRequest },
  finding: LocatedFinding,
): LocatedFinding {
  const secrets = sensitiveValues(redactRequest(sentRequest(run, request), run.redact), run.api, operation);
  return maskFinding(redactFinding(finding, run.redact), reportRedaction(run.api, operation), secrets);
}

/**
 * What a run calls itself, such as `standin/0.1.0 (run 1a2b3c4d)`: who reads the log of the target can tell the
 * requests of a run (RFC 9110 §10.1.5).
 */
export function userAgentOf({ version, runId }: Pick<RequestingRun, 'version' | 'runId'>): string {
  return `standin/${version} (run ${runId})`;
}

/** A request as reports show it, without the User-Agent that the run gives each. */
export function sentRequest(run: RequestingRun, { method, target, rawHeaders, body }: HttpRequest): SentRequest {
  const agent = userAgentOf(run);
  const headers = rawHeaders.filter((_, index) => rawHeaders[index | 1] !== agent);
  const url = `${run.baseUrl}${target.slice(run.basePath.length)}`;
  if (body.length === 0) return { method, url, headers, body: undefined };
  const mediaType = headerValue(rawHeaders, 'content-type');
  const text = bodyText(body, mediaType);
  if (text !== undefined) return { method, url, headers, body: text };
  return { method, url, headers, body: undefined, omitted: binaryNote(mediaType, body.length) };
}

/** The same with no more of its body than a report can bear. To be called once secrets were taken out: half a body cannot be read. */
function shortenRequest(request: SentRequest): SentRequest {
  const shown = shortenBody(request.body ?? '');
  return shown.omitted === undefined ? request : { ...request, body: shown.text, omitted: shown.omitted };
}

/** How much of a body a report shows, in bytes of UTF-8. */
export const MOST_SHOWN = 16 * 1024;

export interface ShownBody {
  /** `undefined` when there is none, or when it is not a text. */
  readonly text: string | undefined;
  /** What is not shown, in words: `binary, image/png, 2048 bytes`; `undefined` when all of it is. */
  readonly omitted: string | undefined;
}

export function bodyText(bytes: Uint8Array, mediaType: string | undefined): string | undefined {
  const isText = mediaType !== undefined && bodyKind(mediaType) !== 'binary' && bodyKind(mediaType) !== 'opaque';
  if (isText) return new TextDecoder().decode(bytes);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    // Bytes that are text by chance hold what no text does.
    return /[\u0000-\u0008\u000e-\u001a]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** What is said in the place of a body that is not a text. */
export function binaryNote(mediaType: string | undefined, size: number): string {
  return `binary, ${mediaType ?? 'no Content-Type'}, ${size} bytes`;
}

/**
 * The beginning of a text that fits into what a report shows.
 *
 * @param size - of the whole, in bytes, where the text is not all of it
 */
export function shortenBody(text: string, size = Buffer.byteLength(text)): ShownBody {
  const bytes = Buffer.from(text);
  if (bytes.length <= MOST_SHOWN && size <= bytes.length) return { text, omitted: undefined };
  // A character that was cut in two is left out.
  const shown = bytes.length <= MOST_SHOWN ? text : bytes.toString('utf8', 0, MOST_SHOWN).replace(/\ufffd$/, '');
  return { text: shown, omitted: `cut after ${Buffer.byteLength(shown)} of ${size} bytes` };
}
