import { printable } from '../errors/printable';
import type { RawHeaders } from '../http/message';
import type { SentRequest, StepResult } from '../runner/run-result';
import type { RootCause } from './root-cause';

/**
 * The request of a step and what came back, as lines of plain text, each begun as curl begins it: what a server sent is
 * then no command to whoever reads the output, such as `::error::` at the beginning of a line to GitHub Actions; none where the answer is told at an earlier step
 * that failed in the same way, and for a step that did not fail.
 *
 * @param longestBody - in characters
 */
export function evidenceLines(step: StepResult, longestBody = Number.POSITIVE_INFINITY): string[] {
  const { request, response, status } = step;
  if (request === undefined || (response === undefined && step.verdict.kind !== 'error')) return [];
  const answer =
    response === undefined || status === undefined
      ? ['no answer']
      : [String(status), ...headerLines(response.headers), ...bodyLines(response, longestBody)];
  return [...requestLines(request, longestBody).map(begunWith('>')), ...answer.map(begunWith('<'))].map(printable);
}

function begunWith(mark: string): (line: string) => string {
  return (line) => (line === '' ? mark : `${mark} ${line}`);
}

function requestLines(request: SentRequest, longestBody: number): string[] {
  const { method, url, headers } = request;
  return [`${method} ${url}`, ...headerLines(headers), ...bodyLines(request, longestBody)];
}

function headerLines(headers: RawHeaders): string[] {
  return headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1] ?? ''}`] : []));
}

function bodyLines({ body, omitted }: Pick<SentRequest, 'body' | 'omitted'>, longest: number): string[] {
  const isLong = body !== undefined && body.length > longest;
  const shown = isLong ? `${body.slice(0, longest)}…` : body;
  const note = isLong ? `cut after ${longest} characters; the JSON and HTML reports have more` : omitted;
  return [
    ...(shown === undefined ? [] : ['', ...shown.split(/\r\n|\r|\n/)]),
    ...(note === undefined ? [] : [...(shown === undefined ? [''] : []), `[${note}]`]),
  ];
}

/** Does a cause show in another step first than those before it? Of one answer the evidence is told once. */
export function isFirstOf({ steps: [{ step }] }: RootCause, before: readonly RootCause[]): boolean {
  return !before.some(({ steps: [other] }) => other.step === step);
}

/** `X-Request-Id: 5f3a`, several with a comma between; `undefined` when the service named none. */
export function requestIdText({ requestIds = [] }: Pick<StepResult, 'requestIds'>): string | undefined {
  if (requestIds.length === 0) return undefined;
  return printable(requestIds.map(({ name, value }) => `${name}: ${value}`).join(', '));
}

/** The answer in one line, for where there is no room for more: `500 {"message":"no such table"}`. */
export function answerLine({ status, response }: StepResult, longest = 200): string | undefined {
  if (response === undefined) return undefined;
  const { body, omitted } = response;
  const text = body === undefined ? (omitted ?? 'no body') : body;
  return printable(`${status ?? ''} ${text.length > longest ? `${text.slice(0, longest)}…` : text}`);
}
