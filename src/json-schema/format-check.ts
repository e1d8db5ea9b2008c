import type Ajv from 'ajv/dist/core';
import type { JsonValue } from '../json/json-value';
import { createExactAjv } from './exact-ajv';
import { NUMBER_FORMATS } from './formats';

/** Says whether a value has a format; one of another type has not. */
export type FormatTest = (value: JsonValue) => boolean;

let ajv: Ajv | undefined;
const tests = new Map<string, FormatTest>();

/** The formats of schemas that a value can fail; `password`, `binary` and the like only describe. */
export function checkedFormats(): string[] {
  const { formats } = knownAjv();
  const ofStrings = Object.keys(formats).filter((name) => formats[name] !== true);
  return [...new Set([...ofStrings, ...NUMBER_FORMATS])].sort();
}

/**
 * The test of a format, the very one that schemas are judged with.
 *
 * @param name - one of {@link checkedFormats}
 * @throws Error for any other name
 */
export function formatTest(name: string): FormatTest {
  const known = tests.get(name);
  if (known !== undefined) return known;
  const validate = knownAjv().compile(
    NUMBER_FORMATS.has(name)
      ? { exactType: ['number'], exactNumber: { format: name } }
      : { exactType: ['string'], format: name },
  );
  const test: FormatTest = (value) => validate(value);
  tests.set(name, test);
  return test;
}

/** Made on first use: most contracts ask for no format. */
function knownAjv(): Ajv {
  return (ajv ??= createExactAjv({ unevaluated: false }));
}
