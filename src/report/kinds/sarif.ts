import type { LocatedFinding, RunResult, SentRequest, StepResult } from '../../runner/result/run-result';
import { coverageProperties } from '../causes/coverage-text';
import { exitCodeOf, othersChanged, otherViews, runProblems, warningGroups } from '../causes/run-summary';
import { foldPointer, ruleOf, shortHash } from '../causes/fingerprint';
import { parseLocation, type ReportDefinition, reportPath, requestIdText, writable } from '../text/step-text';
import { reproductionOf } from '../text/reproduction';
import type { RootCause } from '../causes/root-cause';
import { rootCauses } from '../causes/root-causes';
import type { KeyInShell } from '../text/shell-commands';
import { printableJson } from '../../core/text/printable';

export const report: ReportDefinition = {
  about: 'Code scanning of GitHub and others: a result for each cause, at the line of the description',
  format: formatSarif,
};

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';

/**
 * A result as SARIF 2.1.0: one result for each cause, at the line of the description that it is about, else at the
 * step of the contract. `occurrenceCount` says how many findings it stands for. What could not be checked is not a finding
 * about a file: it is a notification of the run.
 */
export function formatSarif(result: RunResult, key: KeyInShell): string {
  const causes = rootCauses(result);
  const found = causes.filter(({ steps: [{ step }] }) => step.verdict.kind === 'fail');
  const unjudged = causes.filter((cause) => !found.includes(cause));
  const results = [...found.map((cause) => causeResult(cause, result, key)), ...warningResults(result)];
  const ids = [...new Set(results.map(({ ruleId }) => ruleId))].sort();
  const notifications = [
    ...unjudged.map(causeNotification),
    ...problemNotifications(result),
    ...changedNotifications(result),
  ];
  const report = {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'standin', semanticVersion: result.version, rules: ids.map(ruleById) },
        },
        invocations: [
          {
            executionSuccessful: result.outcome !== 'cannot-judge' && result.outcome !== 'inconclusive',
            exitCode: exitCodeOf(result.outcome),
            startTimeUtc: result.startedAt,
            ...(notifications.length === 0 ? {} : { toolExecutionNotifications: notifications }),
          },
        ],
        columnKind: 'utf16CodeUnits',
        results: results.map((each) => ({ ...each, ruleIndex: ids.indexOf(each.ruleId) })),
        properties: {
          outcome: result.outcome,
          baseUrl: result.baseUrl,
          mode: result.mode,
          coverage: coverageProperties(result),
        },
      },
    ],
  };
  return `${printableJson(JSON.stringify(report, null, 2))}\n`;
}

interface SarifResult {
  readonly ruleId: string;
  readonly [property: string]: unknown;
}

function ruleById(id: string): object {
  return {
    id,
    shortDescription: { text: id.replaceAll('-', ' ') },
    help: { text: 'docs/reference/checks.md of standin explains it.' },
  };
}

function causeResult(cause: RootCause, result: RunResult, key: KeyInShell): SarifResult {
  const [owned] = cause.steps;
  const commands = reproductionOf(owned, key)?.commands;
  const requestIds = requestIdText(owned.step);
  return {
    ruleId: cause.check,
    level: 'error',
    message: { text: messageOf(cause, otherViews(cause)) },
    locations: [locationOf(cause.place ?? owned.step.place ?? result.description, owned.step)],
    ...(owned.step.place === undefined ? {} : { relatedLocations: [relatedLocation(owned.step)] }),
    occurrenceCount: cause.count,
    ...exchangeProperties(owned.step),
    partialFingerprints: { 'standin/1': cause.fingerprint },
    properties: {
      suspect: cause.suspect,
      operations: cause.operations,
      ...(cause.at === undefined ? {} : { at: writable(cause.at) }),
      ...(requestIds === undefined ? {} : { requestIds: writable(requestIds) }),
      ...(commands === undefined ? {} : { reproduction: commands.map(writable) }),
    },
  };
}

/** What was sent and came back (SARIF 2.1.0 §3.46, §3.47). */
function exchangeProperties({ request, response, status }: StepResult): object {
  if (request === undefined || response === undefined) return {};
  const { method, url } = request;
  return {
    webRequest: { method: writable(method), target: writable(url), ...messageProperties(request) },
    webResponse: { statusCode: status ?? 0, ...messageProperties(response) },
  };
}

function messageProperties({ headers, body, omitted }: Omit<SentRequest, 'method' | 'url'>): object {
  const lines = new Map<string, string>();
  headers.forEach((name, index) => {
    const earlier = lines.get(name);
    if (index % 2 === 0)
      lines.set(writable(name), writable(`${earlier === undefined ? '' : `${earlier}, `}${headers[index + 1] ?? ''}`));
  });
  return {
    headers: Object.fromEntries(lines),
    ...(body === undefined ? {} : { body: { text: writable(body) } }),
    ...(omitted === undefined ? {} : { properties: { omitted: writable(omitted) } }),
  };
}

function warningResults(result: RunResult): SarifResult[] {
  return warningGroups(result).map((group) => {
    const [{ step, finding }] = group;
    return {
      ruleId: finding.check,
      level: finding.severity === 'info' ? 'note' : 'warning',
      message: { text: messageOf(finding) },
      locations: [locationOf(finding.place ?? step.place ?? result.description, step)],
      occurrenceCount: group.reduce((sum, each) => sum + (each.step.times ?? 1), 0),
      partialFingerprints: {
        'standin/1': shortHash(['warning', finding.check, foldPointer(finding.at), ruleOf(finding)]),
      },
    };
  });
}

type Details = Pick<LocatedFinding, 'message' | 'expected' | 'actual' | 'hint'>;

function messageOf(
  { message, at, expected, actual, hint }: Details & { readonly at?: string | undefined },
  others: readonly string[] = [],
): string {
  const parts = [
    message,
    ...(at === undefined ? [] : [`at ${at}`]),
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
    ...(actual === undefined ? [] : [`actual: ${actual}`]),
    ...others.map((other) => `as well: ${other}`),
    ...(hint === undefined ? [] : [hint]),
  ];
  // `{0}` is a placeholder and `[text](target)` a link (SARIF 2.1.0 §3.11.5, §3.11.6). All other brackets stay as they
  // are, because few readers take the escapes away.
  return writable(parts.join('\n'))
    .replace(/\{(\d+)\}/g, '{{$1}}')
    .replace(/\[(?=[^[\]]*\]\()/g, '\\[');
}

function locationOf(place: string, { operation }: StepResult): object {
  const { file, line, column } = parseLocation(place);
  return {
    physicalLocation: {
      artifactLocation: { uri: encodeURI(writable(reportPath(file))).replace(/[?#]/g, encodeURIComponent) },
      region: { startLine: Math.max(line, 1), startColumn: Math.max(column, 1) },
    },
    ...(operation === undefined ? {} : { logicalLocations: [{ name: operation, kind: 'function' }] }),
  };
}

function relatedLocation(step: StepResult): object {
  const { request, status } = step;
  const text = `${step.name}: ${request?.method ?? ''} ${request?.url ?? ''} -> ${status ?? 'no response'}`;
  const location = locationOf(step.place ?? '', step);
  return { ...location, message: { text: messageOf({ message: text }) } };
}

function causeNotification({ check, message, hint, count }: RootCause): object {
  const text = messageOf({ message: `${message}${count > 1 ? ` (${count} steps)` : ''}`, hint });
  return { descriptor: { id: check }, level: 'error', message: { text } };
}

function changedNotifications(result: RunResult): object[] {
  const changed = othersChanged(result);
  if (changed === undefined) return [];
  const text = [changed.title, ...changed.lines].join('\n');
  return [{ descriptor: { id: 'others-changed' }, level: 'warning', message: { text: writable(text) } }];
}

function problemNotifications(result: RunResult): object[] {
  return runProblems(result).map(({ id, message, hint }) => {
    return { descriptor: { id }, level: 'error', message: { text: messageOf({ message, hint }) } };
  });
}
