import type { SourceFinding } from '../errors/source-finding';
import { parsePointer } from '../json/json-pointer';

/**
 * Rules whose findings leave it plain what is meant, so that the description is served all the same. `docs/descriptions.md`
 * says what happens in each case.
 */
const WARNINGS: ReadonlySet<string> = new Set([
  'template-conflict',
  'template-suffix',
  'path-parameter-defined',
  'operation-id-unique',
  'link-operation-exists',
  'sunset-after-deprecation',
  'example-valid',
]);

/** Errors that a mock can be honest about: what needs such a schema answers 500, and says why. */
const SERVED_AROUND: ReadonlySet<string> = new Set(['schema-compiles']);

/** Is a finding a reason not to serve the description at all? */
export function isRefused({ severity, rule }: Pick<SourceFinding, 'severity' | 'rule'>): boolean {
  return severity === 'error' && !SERVED_AROUND.has(rule);
}

export function graded(finding: SourceFinding): SourceFinding {
  return WARNINGS.has(finding.rule) ? { ...finding, severity: 'warning' } : finding;
}

/** Parts of a description that people read and nothing is served by. */
const PROSE: ReadonlySet<string> = new Set([
  'info',
  'tags',
  'externalDocs',
  'summary',
  'description',
  'xml',
  'example',
  'examples',
  'deprecated',
]);

/** Members that can be missing without a doubt about what is served. */
const OPTIONAL: ReadonlySet<string> = new Set(['info', 'description', 'responses']);

/** Keywords of the official schema that speak of order and of form, and not of what is meant. */
const FORM: ReadonlySet<string> = new Set(['format', 'uniqueItems', 'minProperties']);

/**
 * How grave a disagreement with the official JSON Schema is. A member that OpenAPI does not have is left out, which its
 * finding says; prose can be missing; a path parameter is required whether it says so or not.
 *
 * @param pointer - of the value that the error is about
 */
export function structuralSeverity(
  { keyword, params }: { readonly keyword: string; readonly params: Readonly<Record<string, unknown>> },
  pointer: string,
): SourceFinding['severity'] {
  const segments = parsePointer(pointer);
  if (FORM.has(keyword) || isProse(segments)) return 'warning';
  const last = segments.at(-1) ?? '';
  if (keyword === 'required') return canBeMissing(String(params['missingProperty']), pointer) ? 'warning' : 'error';
  if (last === 'required') return keyword === 'minItems' || isOfParameter(pointer) ? 'warning' : 'error';
  // A path that does not begin with a slash, and a status that is none, would be left out of what is served.
  return isUnknownMember(keyword) && last !== 'paths' && last !== 'responses' ? 'warning' : 'error';
}

function canBeMissing(name: string, pointer: string): boolean {
  return OPTIONAL.has(name) || (name === 'required' && isOfParameter(pointer));
}

function isProse(segments: readonly string[]): boolean {
  const [first = ''] = segments;
  // Below `properties` and the like such a name is somebody's own.
  return PROSE.has(first) || (PROSE.has(segments.at(-1) ?? '') && !MAPS.has(segments.at(-2) ?? ''));
}

const MAPS: ReadonlySet<string> = new Set(['properties', 'patternProperties', 'schemas', 'parameters', 'responses']);

function isUnknownMember(keyword: string): boolean {
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
}

/** A parameter, or its member `required`. */
function isOfParameter(pointer: string): boolean {
  return /\/parameters\/[^/]+(?:\/required)?$/.test(pointer);
}
