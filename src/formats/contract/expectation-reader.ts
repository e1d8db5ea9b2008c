import { isHeaderName } from '../../core/http/header-name';
import { described } from '../decode';
import { type FormatDiagnostics, PropertyReader } from '../property-reader';
import type { Expectation, Repeat } from './contract';
import { readMatcher } from './matcher-reader';

const EXPECTATION_KEYS = ['status', 'code', 'body', 'headers'];

/** Reads `expect` of a step. The status is required: without it a step would assert nothing of its own. */
export function readExpectation(step: PropertyReader, validate: FormatDiagnostics): Expectation | undefined {
  const value = step.value('expect');
  if (value === undefined) {
    step.addExpected('expect', 'expect: { status: … }');
    return undefined;
  }
  const properties = PropertyReader.open(
    { value, pointer: step.at('expect') },
    'expectation',
    EXPECTATION_KEYS,
    validate,
  );
  if (properties === undefined) return undefined;
  if (!properties.has('status')) properties.addExpected('status', 'an HTTP status, or an array of them');
  return readResponseExpectation(properties, validate);
}

/** Reads `until` of `repeat`: an expectation whose status may be left out. */
function readCondition(repeat: PropertyReader, validate: FormatDiagnostics): Expectation | undefined {
  const value = repeat.value('until');
  if (value === undefined) {
    repeat.addExpected('until', 'until: { status: … } or until: { body: … }');
    return undefined;
  }
  const properties = PropertyReader.open(
    { value, pointer: repeat.at('until') },
    'condition',
    EXPECTATION_KEYS,
    validate,
  );
  if (properties === undefined) return undefined;
  if (EXPECTATION_KEYS.some((name) => properties.has(name))) return readResponseExpectation(properties, validate);
  validate.add(
    properties.pointer,
    'The condition is empty: every response would meet it',
    'a status, code, body or headers',
  );
  return undefined;
}

function readResponseExpectation(properties: PropertyReader, diagnostics: FormatDiagnostics): Expectation {
  const statuses = readStatuses(properties, diagnostics);
  const codes = properties.oneOrMore('code').flatMap(({ value: code, pointer }): string[] => {
    if (typeof code === 'string' && code !== '') return [code];
    diagnostics.add(pointer, 'An error code is text', 'a code such as invalid_field');
    return [];
  });
  const body = properties.value('body');
  const scope = { diagnostics, isHeader: false, isPresent: false };
  const matcher = body === undefined ? undefined : readMatcher({ value: body, pointer: properties.at('body') }, scope);
  const headers = properties.entries('headers').flatMap((entry) => {
    if (!isHeaderName(entry.name)) {
      diagnostics.add(entry.pointer, `"${entry.name}" is no name of a header`, 'a token (RFC 9110 §5.1)');
      return [];
    }
    const line = readMatcher(entry, { ...scope, isHeader: true });
    return line === undefined ? [] : [{ name: entry.name, matcher: line }];
  });
  return { statuses, codes, body: matcher, headers };
}

function readStatuses(properties: PropertyReader, validate: FormatDiagnostics): number[] {
  const statuses = properties.oneOrMore('status');
  if (statuses.length === 0 && properties.has('status'))
    properties.addExpected('status', 'an HTTP status, or an array of them');
  return statuses.flatMap(({ value, pointer }) => {
    if (typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599) return [value];
    validate.add(pointer, `"status" must be a number from 200 to 599, got ${described(value)}`);
    return [];
  });
}

const REPEAT_KEYS = ['until', 'attempts', 'timeoutMs', 'intervalMs'];

const DEFAULT_ATTEMPTS = 30;
const MAX_ATTEMPTS = 1000;
const DEFAULT_TIMEOUT_MS = 30_000;
const DEFAULT_INTERVAL_MS = 1000;
const MAX_WAIT_MS = 3_600_000;

/** Reads `repeat` of a step. What has no bound in the file has one of its own: a run has to end. */
export function readRepeat(step: PropertyReader, validate: FormatDiagnostics): Repeat | undefined {
  const value = step.value('repeat');
  if (value === undefined) return undefined;
  const properties = PropertyReader.open({ value, pointer: step.at('repeat') }, 'repetition', REPEAT_KEYS, validate);
  if (properties === undefined) return undefined;
  const until = readCondition(properties, validate);
  const bounds = {
    attempts: properties.whole('attempts', 1, MAX_ATTEMPTS) ?? DEFAULT_ATTEMPTS,
    timeoutMs: properties.whole('timeoutMs', 1, MAX_WAIT_MS) ?? DEFAULT_TIMEOUT_MS,
    intervalMs: properties.whole('intervalMs', 0, MAX_WAIT_MS) ?? DEFAULT_INTERVAL_MS,
  };
  return until === undefined ? undefined : { until, ...bounds };
}
