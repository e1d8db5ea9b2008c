import type { SourceFinding } from '../../src/core/errors/standin-error';
import { getAtPointer } from '../../src/core/json/json-pointer';
import { decodeParts, FormatDiagnostics } from '../../src/formats/decode';
import type { Matcher } from '../../src/formats/contract/matcher';
import { readMatcher } from '../../src/formats/contract/matcher-reader';
import type { JsonObject, JsonValue } from '../../src/core/json/json-value';
import { readSource } from '../../src/openapi/read/read-source';
import type { SourceDocument } from '../../src/openapi/read/source-document';

export interface ReadMatcher {
  readonly matcher: Matcher | undefined;
  readonly findings: readonly SourceFinding[];
}

/** Reads `a: …` as a contract with it in `expect.body`, or in `expect.headers`. Pointers are those of the document. */
export function readExpectedIn(document: SourceDocument, isHeader: boolean): ReadMatcher {
  const place = isHeader ? 'headers' : 'body';
  const prefix = `/steps/0/expect/${place}`;
  const expect = { status: 200, [place]: document.root };
  const root: JsonObject = { standin: 'contract/1', name: 'x', steps: [{ method: 'GET', path: '/', expect }] };
  const locationOf: SourceDocument['locationOf'] = (pointer) => document.locationOf(pointer.slice(prefix.length));
  const parts = decodeParts({ file: document.file, root, locationOf }, 'contract');
  const value = parts.root === undefined ? undefined : getAtPointer(parts.root, `${prefix}/a`);
  const diagnostics = new FormatDiagnostics(document, 'contract-format');
  const matcher = value === undefined ? undefined : readMatcher({ value, pointer: '/a' }, { diagnostics, isHeader });
  return { matcher, findings: [...parts.findings, ...diagnostics.findings] };
}

/** What a contract expects, read as `expect.body` is, or as a header. Throws when it is refused. */
export function readExpected(value: JsonValue, isHeader = false): Matcher {
  const document = { ...readSource('a: 1', 'c.yaml'), root: { a: value } };
  const { matcher, findings } = readExpectedIn(document, isHeader);
  if (matcher === undefined || findings.length > 0) throw new Error(JSON.stringify(findings));
  return withoutPrefix(matcher, '/a') as Matcher;
}

/** Pointers count from the value itself. */
function withoutPrefix(value: unknown, prefix: string): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPrefix(item, prefix));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([name, part]: [string, unknown]) => {
    const isPlace = name === 'pointer' && typeof part === 'string';
    return [name, isPlace ? part.slice(prefix.length) : withoutPrefix(part, prefix)] as const;
  });
  return Object.fromEntries(entries);
}
