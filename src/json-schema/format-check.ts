import type { JsonValue } from '../json/json-value';
import { FORMATS, NUMBER_FORMATS } from './formats';
import { exactNumberKeyword } from './number-keyword';
import { isJsonNumber } from '../json/exact-number';

/** Says whether a value has a format; one of another type has not. */
export type FormatTest = (value: JsonValue) => boolean;

const tests = new Map<string, FormatTest>();

/** The formats of schemas that a value can fail; `password`, `binary` and the like only describe. */
export function checkedFormats(): string[] {
  const ofStrings = Object.keys(FORMATS).filter((name) => FORMATS[name] !== true);
  return [...new Set([...ofStrings, ...NUMBER_FORMATS])].sort();
}

/**
 * The test of a format, the very one that schemas are judged with.
 *
 * @param name - one of {@link checkedFormats}
 * @throws Error for any other name
 */
export function formatTest(name: string): FormatTest {
  let test = tests.get(name);
  if (test === undefined) tests.set(name, (test = NUMBER_FORMATS.has(name) ? numberTest(name) : textTest(name)));
  return test;
}

function numberTest(format: string): FormatTest {
  const judge = exactNumberKeyword.judge({ format });
  return (value) => isJsonNumber(value) && judge(value) === undefined;
}

/** @throws Error for a format that is not checked */
function textTest(name: string): FormatTest {
  const format = Object.hasOwn(FORMATS, name) ? FORMATS[name] : undefined;
  const definition = typeof format === 'object' && 'validate' in format ? format.validate : format;
  if (definition instanceof RegExp) return (value) => typeof value === 'string' && definition.test(value);
  if (typeof definition !== 'function') throw new Error(`there is no format ${JSON.stringify(name)} to check`);
  const holds = definition as (text: string) => boolean;
  return (value) => typeof value === 'string' && holds(value);
}
