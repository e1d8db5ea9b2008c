import { isAbsolute, relative } from 'node:path';
import { formatStandinError } from '../../core/errors/standin-error';
import type { RawHeaders } from '../../core/http/message';
import { counted, printable, printableLines, withoutCiCommands } from '../../core/text/printable';
import type { LocatedFinding, RunResult, SentRequest, StepResult } from '../../runner/result/run-result';
import { type OwnedStep, ownedSteps, type RootCause } from '../causes/root-cause';
import { rootCauses } from '../causes/root-causes';
import { extentText, otherViews, type RunProblem, runProblems } from '../causes/run-summary';
import { reproductionOf } from './reproduction';
import type { KeyInShell } from './shell-commands';

/** A kind of report: one object, `report`, in a file of `kinds/`, and its line in `registry.ts`. */
export interface ReportDefinition {
  /** Who reads it and what it holds, as docs/reference/reports.md says it. */
  readonly about: string;
  /**
   * @param key - where the commands of a report take the API key from
   * @param before - an earlier run to compare with
   */
  format(result: RunResult, key: KeyInShell, before?: RunResult): string;
}

/**
 * A text without characters that markup cannot hold, control characters above all (XML 1.0 §2.2), or that would do
 * something in the viewer of a report; each becomes U+FFFD. Line feed and tab stay.
 */
export function writable(text: string): string {
  return printableLines(text, '\ufffd');
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  // Everywhere, so that no text holds `]]>` (XML 1.0 §2.4).
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text as markup, XML or HTML, between tags and in quoted attributes. */
export function escapeMarkup(text: string): string {
  const escaped = writable(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
  return withoutCiCommands(escaped, '&#58;', '#&#35;');
}

/** The same for an attribute of XML, whose reader turns line ends and tabs into spaces (XML 1.0 §3.3.3). */
export function escapeAttribute(text: string): string {
  return escapeMarkup(text).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
}

/** A file with a line and a column, both 1-based. */
interface FileLocation {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Reads `file:line:column`; a text without numbers is a file, at its first line. */
export function parseLocation(place: string): FileLocation {
  const [, file = place, line = '1', column = '1'] = /^(.+):(\d+):(\d+)$/s.exec(place) ?? [];
  return { file, line: Number(line), column: Number(column) };
}

/**
 * A path as reports have it: from the current folder, with forward slashes, so that the machine a report was made on
 * makes no difference.
 */
export function reportPath(file: string): string {
  const path = isAbsolute(file) ? relative(process.cwd(), file) : file;
  return path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '');
}

/**
 * The request of a step and what came back, as lines of plain text, each begun as curl begins it: what a server sent is
 * then no command to who reads the output, such as `::error::` at the beginning of a line to GitHub Actions; none where the response is reported at an earlier step
 * that failed in the same way, and for a step that did not fail.
 *
 * @param longestBody - in characters
 */
export function evidenceLines(step: StepResult, longestBody = Number.POSITIVE_INFINITY): string[] {
  const { request, response, status } = step;
  if (request === undefined || (response === undefined && step.verdict.kind !== 'error')) return [];
  const answer =
    response === undefined || status === undefined
      ? ['no response']
      : [String(status), ...headerLines(response.headers), ...bodyLines(response, longestBody)];
  return [...requestLines(request, longestBody).map(prefixedWith('>')), ...answer.map(prefixedWith('<'))].map(
    printable,
  );
}

function prefixedWith(mark: string): (line: string) => string {
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

/** Does a cause show in another step first than those before it? Of one response the evidence is reported once. */
export function isFirstOf({ steps: [{ step }] }: RootCause, before: readonly RootCause[]): boolean {
  return !before.some(({ steps: [other] }) => other.step === step);
}

/** `X-Request-Id: 5f3a`, several with a comma between; `undefined` when the service named none. */
export function requestIdText({ requestIds = [] }: Pick<StepResult, 'requestIds'>): string | undefined {
  if (requestIds.length === 0) return undefined;
  return printable(requestIds.map(({ name, value }) => `${name}: ${value}`).join(', '));
}

/** The response in one line, for where there is no room for more: `500 {"message":"no such table"}`. */
export function responseLine({ status, response }: StepResult, longest = 200): string | undefined {
  if (response === undefined) return undefined;
  const { body, omitted } = response;
  const text = body === undefined ? (omitted ?? 'no body') : body;
  return printable(`${status ?? ''} ${text.length > longest ? `${text.slice(0, longest)}…` : text}`);
}

/** What a report says of a cause beside its message: a label and a text each. */
export function causeDetails(cause: RootCause): (readonly [label: string, text: string])[] {
  const [{ step }] = cause.steps;
  const { request, status } = step;
  const { at, expected, actual, place, suspect, hint, operations, count, consequences, fingerprint } = cause;
  const details: (readonly [string, string | undefined])[] = [
    ['first in', step.name],
    ['step', step.place],
    ['request', request && `${request.method} ${request.url} → ${status ?? 'no response'}`],
    ['request id', requestIdText(step)],
    ['at', at],
    ['expected', expected],
    ['actual', actual],
    ['see', place],
    ['suspect', `the ${suspect}`],
    ['hint', hint],
    ['operations', operations.length > 1 ? operations.join(', ') : undefined],
    ...otherViews(cause).map((view) => ['related', view] as const),
    ['total', count > 1 ? extentText(cause) : undefined],
    ['skipped because of it', consequences > 0 ? counted(consequences, 'step') : undefined],
    ['fingerprint', fingerprint],
  ];
  return details.flatMap(([label, text]) => (text === undefined ? [] : [[label, text] as const]));
}

/** A finding as lines of plain text. */
export function findingLines({ check, message, at, expected, actual, place, hint }: LocatedFinding): string[] {
  const detail = (label: string, text: string | undefined): string[] =>
    text === undefined ? [] : [`  ${label}: ${text}`];
  return [
    `${check}: ${message}`,
    ...detail('at', at),
    ...detail('expected', expected),
    ...detail('actual', actual),
    ...detail('see', place),
    ...detail('hint', hint),
  ].map(printable);
}

/** What a step sent and got, why it is not green, and how to see it again, as lines of plain text. */
export function stepLines(owned: OwnedStep, key: KeyInShell): string[] {
  const { step } = owned;
  const reproduction = isUnsuccessful(step) ? reproductionOf(owned, key) : undefined;
  return [
    ...exchangeLines(step),
    ...verdictLines(step),
    ...(reproduction === undefined ? [] : ['reproduce:', ...reproduction.commands]),
  ];
}

/**
 * One line that says why a step did not pass; `undefined` for one that did.
 *
 * @param cause - why, by its name in the other reports
 */
export function headline({ verdict }: StepResult, cause: RootCause | undefined): string | undefined {
  switch (verdict.kind) {
    case 'pass':
      return undefined;
    case 'fail':
      return printable(cause?.kind === 'run' ? titleOf(cause) : findingsTitle(verdict.findings, cause));
    case 'error':
      return printable(`${verdict.error.code}: ${verdict.error.message}`);
    case 'skipped':
      return printable(verdict.reason);
  }
}

function findingsTitle(findings: readonly LocatedFinding[], cause: RootCause | undefined): string {
  const named = findings.find(({ check }) => check === cause?.check) ?? findings[0];
  const more = findings.length > 1 ? ` (and ${findings.length - 1} more)` : '';
  return `${titleOf(named ?? { check: 'unknown', message: 'a check found an error' })}${more}`;
}

function titleOf({ check, message }: Pick<LocatedFinding, 'check' | 'message'>): string {
  return `${check}: ${message}`;
}

function isUnsuccessful({ verdict }: StepResult): boolean {
  return verdict.kind === 'fail' || verdict.kind === 'error';
}

function exchangeLines(step: StepResult): string[] {
  const { request, status, place } = step;
  const ids = requestIdText(step);
  const where = place === undefined ? [] : [`step: ${place}`];
  if (request === undefined) return where.map(printable);
  const exchange = `${request.method} ${request.url} -> ${status ?? 'no response'}`;
  return [...where, exchange, ...(ids === undefined ? [] : [ids])].map(printable);
}

function verdictLines({ verdict }: StepResult): string[] {
  if (verdict.kind === 'fail') return verdict.findings.flatMap(findingLines);
  if (verdict.kind === 'error') return formatStandinError(verdict.error).split('\n').map(printable);
  return verdict.kind === 'skipped' ? [printable(`skipped (${verdict.cause}): ${verdict.reason}`)] : [];
}

/** One line of a report of tests: a step, or something that is wrong with the run as a whole. */
export type ReportCase =
  | ({
      readonly kind: 'step';
      readonly suite: string;
      readonly name: string;
      /** Why it is not green, by the name that every report gives it; of several the first. */
      readonly cause: RootCause | undefined;
    } & OwnedStep)
  | { readonly kind: 'problem'; readonly suite: string; readonly name: string; readonly problem: RunProblem };

const PROBES = 'auth behaviour';
const RUN = 'run';

/** Every step and every problem of the run; no two have the same suite and the same name. */
export function reportCases(result: RunResult): ReportCase[] {
  const names = new Map<string, number>();
  // Readers of reports take two cases with one name for one, and drop the second.
  const unique = (suite: string, name: string): string => {
    const key = JSON.stringify([suite, name]);
    const count = (names.get(key) ?? 0) + 1;
    names.set(key, count);
    return count === 1 ? name : unique(suite, `${name} (${count})`);
  };
  const suites = suiteNames(result);
  const causes = causesByStep(result);
  return [
    ...ownedSteps(result).map((owned): ReportCase => {
      const suite = owned.contract === undefined ? PROBES : (suites.get(owned.contract) ?? owned.contract.name);
      return { kind: 'step', suite, name: unique(suite, owned.step.name), cause: causes.get(owned.step), ...owned };
    }),
    ...runProblems(result).map((problem): ReportCase => {
      return { kind: 'problem', suite: RUN, name: unique(RUN, `${problem.id}: ${problem.subject}`), problem };
    }),
  ];
}

function causesByStep(result: RunResult): ReadonlyMap<StepResult, RootCause> {
  const causes = new Map<StepResult, RootCause>();
  for (const cause of rootCauses(result)) {
    for (const { step } of cause.steps) if (!causes.has(step)) causes.set(step, cause);
  }
  return causes;
}

/** The names of the contracts, with their files where two share a name. */
function suiteNames({ contracts }: RunResult): ReadonlyMap<object, string> {
  return new Map(
    contracts.map((contract) => {
      const { name, file } = contract;
      const isShared = contracts.filter((other) => other.name === name).length > 1 || name === PROBES || name === RUN;
      return [contract, isShared ? `${name} (${file})` : name];
    }),
  );
}
