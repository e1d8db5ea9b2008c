import { isDeepStrictEqual } from 'node:util';
import { namedValues } from '../../core/errors/finding';
import { isSensitiveHeader } from '../../security/credential-locations';
import type { ObservedExchange } from '../../checks/observed-exchange';
import { headerValue } from '../../core/http/headers';
import { parsePointer } from '../../core/json/json-pointer';
import type { Operation } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { createRedaction, type Redaction } from '../../redaction/redaction';
import type { LocatedFinding, Residue, SentRequest, StepResult, Verdict } from './run-result';
import type { Redactor } from '../../redaction/key-redactor';
import { BASIC_USER } from '../../security/basic';

/** Stands for a secret that no shell variable stands for. */
const MASK = '***';

/** Schemes that are shown where they stand without credentials, whatever the description declares. */
const USUAL_SCHEMES = ['basic', 'bearer', 'digest'];
/** Nothing but variables, as a shell reads them: `$NAME`, `${name}`, `${NAME%?}`, the letters that probes put between, and what base64 has around them. */
const VARIABLES = new RegExp(`^(?:${BASIC_USER.base64})?(?:[xy]{0,2}(?:\\$\\w+|\\$\\{[^{}]*\\}))+={0,2}$`);
/** Stands for a variable without quotes in a JSON body, so that the body can be read. */
const UNQUOTED = 'standin-unquoted:';
/** A shorter text may stand anywhere by chance. */
const SHORTEST = 6;

/**
 * What reports of a run do not show of the messages of an operation, by name and by schema. Whatever of a request or an
 * answer comes into a report goes through `run.redact`, which knows the keys of the run, and then through this.
 */
export function reportRedaction(api: ApiModel, operation: Operation | undefined): Redaction {
  const known = REDACTIONS.get(api) ?? new Map<Operation | undefined, Redaction>();
  REDACTIONS.set(api, known);
  const redaction = known.get(operation) ?? createRedaction(api, operation, valueMask(api));
  known.set(operation, redaction);
  return redaction;
}

const REDACTIONS = new WeakMap<ApiModel, Map<Operation | undefined, Redaction>>();

function valueMask({ securitySchemes }: ApiModel): (value: string) => string {
  const schemes = new Set<string | undefined>(USUAL_SCHEMES);
  for (const { scheme } of securitySchemes.values()) schemes.add(scheme);
  return (value) => {
    const isShown = value === '' || value === MASK || schemes.has(value.toLowerCase()) || VARIABLES.test(value);
    return isShown || value.startsWith(`${UNQUOTED}$`) ? value : MASK;
  };
}

/**
 * A result that shows no credential, who wrote it, and no secret property: those that the run knows became variables
 * before, and of all others only the scheme and the name are shown.
 */
export function maskCredentials(step: StepResult, api: ApiModel, operation: Operation | undefined): StepResult {
  const redaction = reportRedaction(api, operation);
  // Most steps have no finding to look for secrets in.
  let secrets: readonly string[] | undefined;
  return withRewritten(step, {
    text: (text) => text,
    request: (request) => maskRequest(request, redaction),
    finding(finding) {
      secrets ??= step.request === undefined ? [] : sensitiveValues(step.request, api, operation);
      return maskFinding(finding, redaction, secrets);
    },
  });
}

/** What becomes of everything in a result that came over the wire or goes into a report. */
interface Rewriting {
  readonly text: (text: string) => string;
  readonly request: (request: SentRequest) => SentRequest;
  readonly finding: (finding: LocatedFinding) => LocatedFinding;
}

function withRewritten(step: StepResult, rewrite: Rewriting): StepResult {
  const { name, recipe, request, verdict, warnings } = step;
  const sent = request && rewrite.request(request);
  // Without captured values the recipe has the request that was sent.
  const isSame = isDeepStrictEqual(recipe?.request, request);
  return {
    ...step,
    name: rewrite.text(name),
    request: sent,
    recipe: recipe && {
      ...recipe,
      request: isSame && sent !== undefined ? sent : rewrite.request(recipe.request),
      captures: recipe.captures.map((capture) => {
        return capture.value === undefined ? capture : { ...capture, value: rewrite.text(capture.value) };
      }),
    },
    verdict: rewrittenVerdict(verdict, rewrite),
    warnings: warnings.map(rewrite.finding),
  };
}

function rewrittenVerdict(verdict: Verdict, { text, finding }: Rewriting): Verdict {
  switch (verdict.kind) {
    case 'pass':
      return verdict;
    case 'fail':
      return { kind: 'fail', findings: verdict.findings.map(finding) };
    case 'error': {
      const { code, message, hint, findings } = verdict.error;
      return { kind: 'error', error: { code, message: text(message), hint: hint && text(hint), findings } };
    }
    case 'skipped':
      return { ...verdict, reason: text(verdict.reason) };
  }
}

function maskRequest(request: SentRequest, redaction: Redaction): SentRequest {
  const { url, headers, body } = request;
  return {
    ...request,
    url: redaction.target(url),
    headers: redaction.headers(headers),
    body: body === undefined ? undefined : maskBody(body, headers, redaction),
  };
}

/** In a recipe, numbers that were captured stand as bare variables: `{"id":$id}`. */
function maskBody(body: string, headers: readonly string[], redaction: Redaction): string {
  const quoted = body.replace(/"(?:[^"\\]|\\.)*"|\$(?:\w+|\{\w+\})/g, (token) =>
    token.startsWith('$') ? `"${UNQUOTED}${token}"` : token,
  );
  const type = headerValue(headers, 'Content-Type');
  const masked = redaction.body(quoted, type);
  if (masked === quoted) return body;
  return masked.replace(/"standin-unquoted:(\$[^"]*)"/g, '$1');
}

/** What the request says in places that are not shown. */
export function sensitiveValues(request: SentRequest, api: ApiModel, operation: Operation | undefined): string[] {
  const texts = new Set<string>();
  const maskValue = valueMask(api);
  const collect = createRedaction(api, operation, (secret) => {
    if (secret.length >= SHORTEST && maskValue(secret) === MASK) texts.add(secret);
    return '';
  });
  maskRequest(request, collect);
  // One such as "password" would be taken out of every message.
  return [...texts].filter((text) => !(/^[a-z]{1,12}$/i.test(text) && collect.isSensitive(text)));
}

/**
 * A finding that shows no secret: neither what stands at a place that is one, nor a property of a value that it shows.
 *
 * @param secrets - texts that are not shown wherever they stand
 */
export function maskFinding(
  finding: LocatedFinding,
  redaction: Redaction,
  secrets: readonly string[] = [],
): LocatedFinding {
  const isSecret = pointsToSecret(finding.at, redaction);
  const withoutSecrets = (text: string): string =>
    secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text);
  const shown = (text: string | undefined, isLiteral: boolean): string | undefined => {
    if (text === undefined) return undefined;
    if (isSecret && isLiteral) return MASK;
    return withoutSecrets(/^[[{]/.test(text) ? redaction.body(text, undefined) : text);
  };
  // What a schema asks for, "at least 8 characters", is not a value.
  const expected = shown(finding.expected, /^["\d-]/.test(finding.expected ?? ''));
  const actual = shown(finding.actual, !/^(?:nothing|a value)$/.test(finding.actual ?? ''));
  const values = namedValues(finding.expected, finding.actual);
  const message = finding.message.endsWith(values)
    ? `${finding.message.slice(0, -values.length)}${namedValues(expected, actual)}`
    : finding.message;
  const cleaned = mapTexts({ ...finding, message }, withoutSecrets);
  return { ...cleaned, expected, actual, hint: shown(cleaned.hint, false) };
}

/**
 * The texts of a finding beside `expected` and `actual`. Those of the identity are in results too, and hold no value
 * that is a secret by its place alone: so that a fingerprint is the same whichever values came.
 */
function mapTexts(finding: LocatedFinding, map: (text: string) => string): LocatedFinding {
  const optional = (text: string | undefined): string | undefined => (text === undefined ? undefined : map(text));
  const { message, hint, identity } = finding;
  const mapped = { ...finding, message: map(message), hint: optional(hint) };
  if (identity === undefined) return mapped;
  const { subject, rule, expected } = identity;
  return { ...mapped, identity: { subject: optional(subject), rule: optional(rule), expected: optional(expected) } };
}

function pointsToSecret(at: string, redaction: Redaction): boolean {
  if (!at.startsWith('/')) return false;
  const [, part, ...names] = parsePointer(at);
  return names.some((name) => (part === 'headers' ? isSensitiveHeader(name) : redaction.isSensitive(name)));
}

/** `omitted` names the media type of a body that is not shown, which is not a secret. */
export function redactRequest(request: SentRequest, redact: Redactor): SentRequest {
  const { url, headers, body } = request;
  return { ...request, url: redact(url), headers: headers.map(redact), body: body && redact(body) };
}

/** What is left, without keys: a service may have made an address of one. */
export function redactResidue(residue: Residue, redact: Redactor): Residue {
  return { ...residue, url: redact(residue.url), reason: redact(residue.reason) };
}

/** A finding without keys, wherever in it they were. */
export function redactFinding(finding: LocatedFinding, redact: Redactor): LocatedFinding {
  const { at, expected, actual } = finding;
  return {
    ...mapTexts(finding, redact),
    at: redact(at),
    expected: expected && redact(expected),
    actual: actual && redact(actual),
  };
}

export function redactStep(step: StepResult, redact: Redactor): StepResult {
  return withRewritten(step, {
    text: redact,
    request: (request) => redactRequest(request, redact),
    finding: (finding) => redactFinding(finding, redact),
  });
}

export interface RedactedResponse {
  readonly headers: readonly string[];
  readonly clean: (text: string, mediaType: string | undefined) => string;
}

const MOST_HEADERS = 100;
const LONGEST_HEADER = 1024;

/**
 * Takes keys, secret properties and headers, and what the request held in such places, out of a response.
 *
 * @param exchange - with the credentials in the headers of the request
 */
export function redactResponse(exchange: ObservedExchange, api: ApiModel, redact: Redactor): RedactedResponse {
  const { operation: id, method, path, query, requestHeaders, requestText, headers } = exchange;
  const operation = id === undefined ? undefined : api.operationById(id);
  const redaction = reportRedaction(api, operation);
  const url = query === '' ? path : `${path}?${query}`;
  const secrets = sensitiveValues({ method, url, headers: requestHeaders, body: requestText }, api, operation);
  const plain = (text: string): string => redact(secrets.reduce((left, secret) => left.replaceAll(secret, MASK), text));
  return {
    headers: redaction
      .headers(headers.slice(0, 2 * MOST_HEADERS))
      .map((text) => plain(text.length > LONGEST_HEADER ? `${text.slice(0, LONGEST_HEADER)}…` : text)),
    clean: (text, mediaType) => plain(redaction.body(text, mediaType)),
  };
}
