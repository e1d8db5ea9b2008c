import { FormatDiagnostics } from '../../src/formats/property-reader';
import type { Matcher } from '../../src/formats/contract/matcher';
import { readMatcher } from '../../src/formats/contract/matcher-reader';
import type { JsonValue } from '../../src/core/json/json-value';
import { readSource } from '../../src/openapi/read/read-source';

/** What a contract expects, read as `expect.body` is, or as a header. Throws when it is refused. */
export function readExpected(value: JsonValue, isHeader = false): Matcher {
  const diagnostics = new FormatDiagnostics(readSource('a: 1', 'c.yaml'), 'contract-format');
  const matcher = readMatcher({ value, pointer: '' }, { diagnostics, isHeader, isPresent: false });
  if (matcher === undefined || diagnostics.findings.length > 0) throw new Error(JSON.stringify(diagnostics.findings));
  return matcher;
}
