import { HarnessError } from '../errors/harness-error';
import type { LocatedFinding, SentRequest, StepResult, Verdict } from './run-result';

/** Stands in for the key wherever it would be shown; a shell puts the key back. */
export const KEY_VARIABLE = '$STANDIN_API_KEY';

/** Shorter pieces of a key than this say too little to be looked for. */
const SHORTEST_PIECE = 4;

/** Takes the key out of a text. */
export type Redactor = (text: string) => string;

/**
 * Knows the key as it is, percent-encoded, as JSON may escape it, and in base64; and the beginning of a key that was
 * cut off where a long text was shortened.
 */
export function createRedactor(apiKey: string | undefined): Redactor {
  if (apiKey === undefined || apiKey === '') return (text) => text;
  const base64 = Buffer.from(apiKey).toString('base64').replace(/=+$/, '');
  const forms = new Set([apiKey, encodeURIComponent(apiKey), apiKey.replaceAll('/', '\\/'), base64]);
  const pieces: string[] = [];
  for (let length = apiKey.length - 1; length >= SHORTEST_PIECE; length--) pieces.push(`${apiKey.slice(0, length)}…`);
  return (text) => {
    let clean = text;
    for (const form of forms) clean = clean.replaceAll(form, KEY_VARIABLE);
    if (clean.includes('…')) for (const piece of pieces) clean = clean.replaceAll(piece, `${KEY_VARIABLE}…`);
    return clean;
  };
}

/** Everything in the result that came over the wire or goes into a report. */
export function redactStep(step: StepResult, redact: Redactor): StepResult {
  return {
    ...step,
    request: step.request === undefined ? undefined : redactRequest(step.request, redact),
    verdict: redactVerdict(step.verdict, redact),
    warnings: step.warnings.map((finding) => redactFinding(finding, redact)),
  };
}

function redactRequest({ method, url, headers, body }: SentRequest, redact: Redactor): SentRequest {
  return {
    method,
    url: redact(url),
    headers: headers.map(redact),
    body: body === undefined ? undefined : redact(body),
  };
}

function redactVerdict(verdict: Verdict, redact: Redactor): Verdict {
  if (verdict.kind === 'fail') {
    return { kind: 'fail', findings: verdict.findings.map((finding) => redactFinding(finding, redact)) };
  }
  if (verdict.kind !== 'error' || redact(verdict.error.message) === verdict.error.message) return verdict;
  const { code, message, hint } = verdict.error;
  return { kind: 'error', error: new HarnessError(code, redact(message), { hint }) };
}

function redactFinding(finding: LocatedFinding, redact: Redactor): LocatedFinding {
  const optional = (text: string | undefined): string | undefined => (text === undefined ? undefined : redact(text));
  return {
    ...finding,
    message: redact(finding.message),
    expected: optional(finding.expected),
    actual: optional(finding.actual),
  };
}
