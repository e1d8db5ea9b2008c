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

/**
 * Errors that a mock can be honest about: what needs a schema that does not compile answers 500, and says why; a keyword
 * that JSON Schema does not have says nothing by its rules.
 */
const SERVED_AROUND: ReadonlySet<string> = new Set(['schema-compiles', 'schema-keyword']);

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
  'title',
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
 * finding says, unless it is a slip of one that changes what is served; prose can be missing; a path parameter is
 * required whether it says so or not.
 *
 * @param pointer - of the value that the error is about
 * @param meant - the member that an unknown one is a slip of, where it is missing
 */
export function structuralSeverity(
  { keyword, params }: { readonly keyword: string; readonly params: Readonly<Record<string, unknown>> },
  pointer: string,
  meant?: string,
): SourceFinding['severity'] {
  const segments = parsePointer(pointer);
  if (FORM.has(keyword) || isProse(segments)) return 'warning';
  const last = segments.at(-1) ?? '';
  if (keyword === 'required') return canBeMissing(String(params['missingProperty']), pointer) ? 'warning' : 'error';
  if (last === 'required') return keyword === 'minItems' || isOfParameter(pointer) ? 'warning' : 'error';
  return isUnknownMember(keyword) && !changesWhatIsServed(last, meant) ? 'warning' : 'error';
}

/**
 * A path that does not begin with a slash, a status that is none, and a misspelt member would be left out of what is
 * served.
 *
 * @param last - where the unknown member stands
 */
function changesWhatIsServed(last: string, meant: string | undefined): boolean {
  return last === 'paths' || last === 'responses' || (meant !== undefined && !PROSE.has(meant));
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
