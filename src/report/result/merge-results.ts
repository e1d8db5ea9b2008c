import { ConfigError, type SourceFinding, SpecError } from '../../core/errors/standin-error';
import { parseRfc3339 } from '../../core/time/date-time';
import { isJsonObject, type JsonObject, type JsonValue } from '../../core/json/json-value';
import { readSource } from '../../openapi/read/read-source';
import { joinCoverage } from '../../runner/coverage/dimensions';
import { joinSummaries } from '../../runner/result/lock-step-tally';
import { allSteps, outcomeOfResult } from '../../runner/result/outcome';
import type { OperationCoverage, RunResult, StepResult, Verdict } from '../../runner/result/run-result';
import { decode } from '../../formats/decode';
import { inSchemaOrder } from './result-schema';

/**
 * What a file is that should have been a result, in words.
 *
 * @returns `undefined` for what may be a result, be it one with faults, and for what nobody knows
 */
export function otherKindOf(text: string): string | undefined {
  const start = text.trimStart();
  if (start === '') return 'is empty';
  if (/^(?:<!doctype html|<html)/i.test(start)) return 'is HTML';
  if (start.startsWith('<')) return /<testsuites?\b/.test(start) ? 'is a JUnit report' : 'is XML';
  if (!/^[{[]/.test(start)) return 'is not JSON';
  // One line of JSON after the other.
  if (/^\{[^\n]*"format":"ledger\//.test(start)) return 'is a ledger, which standin cleanup takes';
  const root = parse(start);
  return root === undefined ? undefined : kindOfJson(root);
}

function kindOfJson(root: JsonValue): string | undefined {
  if (!isJsonObject(root)) return 'is JSON of another kind';
  if (typeof root['format'] === 'string' && root['format'].startsWith('result/')) return undefined;
  if (root['reportFormat'] === 'CTRF') return 'is a CTRF report';
  if (Array.isArray(root['runs'])) return 'is a SARIF report';
  // A result in which only its mark is missing or wrong is reported of property by property.
  return Array.isArray(root['contracts']) ? undefined : 'is JSON of another kind';
}

function parse(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text) as JsonValue;
  } catch {
    return undefined;
  }
}

/** After so many faults it is another file than it should be. */
const MOST_FINDINGS = 20;
/** So many shards that are missing are named. */
const MAX_LISTED = 10;

/**
 * Reads the JSON form of a result.
 *
 * @param file - the path to name in findings
 * @throws ConfigError `CONFIG_INVALID` with every fault and its line
 */
export function readResultJson(text: string, file = 'result.json'): RunResult {
  const { root, findings } = readRoot(text, file);
  if (root !== undefined && findings.length === 0) return withoutDerived(inSchemaOrder(root) as JsonObject);
  throw new ConfigError('CONFIG_INVALID', `${file} is not a result of standin`, {
    findings: findings.slice(0, MOST_FINDINGS),
    hint: 'standin verify --report json=FILE writes one. docs/result.schema.json describes the format.',
  });
}

function readRoot(
  text: string,
  file: string,
): { readonly root?: JsonValue; readonly findings: readonly SourceFinding[] } {
  try {
    const document = readSource(text, file);
    return { root: document.root, findings: decode(document, 'result') };
  } catch (error) {
    if (!(error instanceof SpecError)) throw error;
    return { findings: error.findings };
  }
}

/** What follows from the rest, and is computed again whenever a result is written. */
const DERIVED: readonly string[] = ['exitCode', 'tally', 'causes', 'problems'];

function withoutDerived(properties: JsonObject): RunResult {
  return Object.fromEntries(
    Object.entries(properties).filter(([name]) => !DERIVED.includes(name)),
  ) as unknown as RunResult;
}

/** The result of a shard, and the file that it was read from. */
export interface ResultPart {
  readonly file: string;
  readonly result: RunResult;
}

/** Stands between the ids of the runs that a joined result comes from. */
const RUN_ID_SEPARATOR = '+';

/**
 * Joins the results of all shards of one run, in any order, into what one run without shards would have found.
 *
 * @throws ConfigError `CONFIG_INVALID` for parts of different runs, and for shards that are missing or there twice
 */
export function mergeResults(parts: readonly [ResultPart, ...ResultPart[]]): RunResult {
  const [{ result: first }] = parts;
  requireOneRun(parts);
  requireAllShards(parts);
  const results = parts
    .map(({ result }) => result)
    .sort((left, right) => (left.shard?.index ?? 0) - (right.shard?.index ?? 0));
  const contracts = results
    .flatMap((result) => result.contracts)
    .sort((left, right) => compareTexts(left.file, right.file));
  const probes = joinProbes(results);
  const steps = allSteps({ contracts, probes });
  const starts = results.map(({ startedAt }) => parseRfc3339(startedAt) ?? 0);
  const start = Math.min(...starts);
  const end = Math.max(...results.map(({ durationMs }, index) => (starts[index] ?? start) + durationMs));
  const leftBehind = results.flatMap((result) => result.leftBehind);
  const summaries = results.flatMap(({ lockStep }) => lockStep ?? []);
  const merged = {
    ...first,
    runId: [...new Set(results.map(({ runId }) => runId))].join(RUN_ID_SEPARATOR),
    startedAt: new Date(start).toISOString(),
    durationMs: end - start,
    shard: undefined,
    contracts,
    probes,
    coverage: first.coverage.map((operation) => coverageIn(steps, results, operation)),
    ...joinedDimensions(results),
    ...joinedLimits(results),
    ...(results.every(({ created }) => created === undefined)
      ? {}
      : { created: results.flatMap(({ created = [] }) => created) }),
    leftBehind,
    othersChanged: results.every(({ othersChanged }) => othersChanged === undefined)
      ? undefined
      : results.flatMap(({ othersChanged = [] }) => othersChanged),
    ...(summaries.length === 0 ? {} : { lockStep: joinSummaries(summaries) }),
  };
  return { ...merged, outcome: outcomeOfResult(merged) };
}

/** Known of the whole run where every part counted. */
function joinedDimensions(results: readonly RunResult[]): Pick<RunResult, 'dimensions'> {
  const parts = results.flatMap(({ dimensions }) => (dimensions === undefined ? [] : [dimensions]));
  return { dimensions: parts.length === results.length ? joinCoverage(parts) : undefined };
}

/** What was asked for of any part is asked for of the whole; of several limits the highest. */
function joinedLimits(results: readonly RunResult[]): Pick<RunResult, 'minCoverage'> {
  const limits: Record<string, number> = {};
  for (const [dimension, limit] of results.flatMap(({ minCoverage = {} }) => Object.entries(minCoverage)))
    limits[dimension] = Math.max(limits[dimension] ?? 0, limit);
  return Object.keys(limits).length === 0 ? {} : { minCoverage: limits };
}

/**
 * The probes of all shards. Each shard sends the same one before its first write of an operation, where a whole run
 * would once: of those that say the same one counts, and one that found nothing new counts only where none says more.
 */
function joinProbes(results: readonly RunResult[]): StepResult[] {
  const probes = results.flatMap((result) => result.probes.map((probe) => ({ probe, result })));
  const stored: typeof probes = [];
  for (const each of probes) {
    const rivals = stored.filter((other) => other.result !== each.result && isSameProbe(other.probe, each.probe));
    if (rivals.some(({ probe }) => coversFindingsOf(probe, each.probe))) continue;
    for (const rival of rivals) if (coversFindingsOf(each.probe, rival.probe)) stored.splice(stored.indexOf(rival), 1);
    stored.push(each);
  }
  return stored.map(({ probe }) => probe);
}

function isSameProbe(left: StepResult, right: StepResult): boolean {
  return left.name === right.name && left.operation === right.operation;
}

/** From what says least to what says most. */
const WEIGHTS: readonly Verdict['kind'][] = ['skipped', 'pass', 'error', 'fail'];

/** Is nothing lost when a probe stands for another one as well? */
function coversFindingsOf(probe: StepResult, other: StepResult): boolean {
  const said = new Set(findingsOf(probe));
  if (findingsOf(other).some((finding) => !said.has(finding))) return false;
  return WEIGHTS.indexOf(probe.verdict.kind) >= WEIGHTS.indexOf(other.verdict.kind);
}

function findingsOf({ verdict, warnings }: StepResult): string[] {
  const findings = verdict.kind === 'fail' ? [...verdict.findings, ...warnings] : warnings;
  return findings.map(({ check, severity, at }) => JSON.stringify([check, severity, at]));
}

const SAME = ['version', 'api', 'description', 'baseUrl', 'mode'] as const;

function requireOneRun([first, ...others]: readonly [ResultPart, ...ResultPart[]]): void {
  for (const { file, result } of others) {
    const property = SAME.find((name) => result[name] !== first.result[name]);
    if (property !== undefined) {
      throw mergeError(
        `${file} is not of the same run as ${first.file}: its ${property} is "${result[property]}", not "${first.result[property]}"`,
        'Join results of one version of standin, one description, one base URL and one mode.',
      );
    }
    if (operationsOf(result) !== operationsOf(first.result)) {
      throw mergeError(
        `${file} knows other operations than ${first.file}`,
        'Join results that were judged by one description.',
      );
    }
  }
}

function operationsOf({ coverage }: RunResult): string {
  return JSON.stringify(coverage.map(({ operation }) => operation));
}

function requireAllShards(parts: readonly ResultPart[]): void {
  const whole = parts.find(({ result }) => result.shard === undefined);
  if (whole !== undefined) {
    if (parts.length === 1) return;
    throw mergeError(
      `${whole.file} is the result of a whole run, not of a shard`,
      'standin verify --shard 1/3 makes the first of three.',
    );
  }
  const [count, ...otherCounts] = [...new Set(parts.map(({ result }) => result.shard?.count ?? 0))];
  if (count === undefined || otherCounts.length > 0) {
    throw mergeError(
      'The results are shards of different numbers of shards',
      'Run all shards with one count, such as 1/3, 2/3 and 3/3.',
    );
  }
  requireEachOnce(parts, count);
}

function requireEachOnce(parts: readonly ResultPart[], count: number): void {
  const beyond = parts.find(({ result }) => (result.shard?.index ?? 0) > count);
  if (beyond !== undefined) {
    const message = `${beyond.file} is shard ${beyond.result.shard?.index ?? 0} of ${count}`;
    throw mergeError(message, 'Shards are counted from 1 to their number. Run it again.');
  }
  const missing: number[] = [];
  for (let index = 1; index <= count; index++) {
    const found = parts.filter(({ result }) => result.shard?.index === index).map(({ file }) => file);
    if (found.length > 1)
      throw mergeError(
        `Shard ${index} of ${count} is there ${found.length} times: ${found.join(', ')}`,
        'Name each result once.',
      );
    if (found.length === 0) missing.push(index);
  }
  if (missing.length > 0) {
    const which =
      missing.length === 1
        ? `Shard ${missing.join()} of ${count} is missing`
        : `Shards ${listed(missing)} of ${count} are missing`;
    throw mergeError(which, 'Did its job fail before it wrote a report? Nothing is said of what was not looked at.');
  }
}

function listed(shards: readonly number[]): string {
  return [...shards.slice(0, MAX_LISTED), ...(shards.length > MAX_LISTED ? ['…'] : [])].join(', ');
}

function mergeError(message: string, hint: string): ConfigError {
  return new ConfigError('CONFIG_INVALID', message, { hint });
}

function coverageIn(
  steps: readonly StepResult[],
  results: readonly RunResult[],
  about: OperationCoverage,
): OperationCoverage {
  const { operation } = about;
  const seen = results.flatMap(({ coverage }) => coverage.find((each) => each.operation === operation)?.statuses ?? []);
  const statuses = [...new Set(seen)].sort((left, right) => left - right);
  return { ...about, steps: steps.filter((step) => step.operation === operation).length, statuses };
}

/** By code units: the same on every machine. */
function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
