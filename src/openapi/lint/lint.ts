import type { SourceFinding } from '../../core/errors/standin-error';
import { parsePointer } from '../../core/json/json-pointer';
import type { VisitedObject } from '../read/object-grammar';
import type { RawOperation } from '../read/references';
import type { SourceDocument } from '../read/source-document';
import type { SchemaRegistry } from '../schemas/schema-registry';

export interface LintContext {
  readonly document: SourceDocument;
  readonly registry: SchemaRegistry;
  /** Every object of the document, found in one walk for all rules. */
  readonly objects: readonly VisitedObject[];
  readonly operations: readonly RawOperation[];
  /** Is there time for one schema or example more? Rules that take long ask before each. */
  hasTime(): boolean;
  /** Says that a rule left so many schemas or examples for want of time. */
  reportSkipped(count: number): void;
}

/** What a lint finds, and where: the id, the severity and the line are added by who runs it. */
export type LintFinding = Pick<SourceFinding, 'pointer' | 'message' | 'expected' | 'hint'>;

/** One rule about a description that JSON Schema cannot state. */
export interface Lint {
  /** Stable id, shown with each finding and explained in `docs/reference/errors.md`. */
  readonly id: string;
  /** Where the rule comes from. */
  readonly source: string;
  /** A warning where it stays plain what is meant; `docs/reference/descriptions.md` says what is served then. */
  readonly severity: SourceFinding['severity'];
  /** Rules that name the reason of what this one finds: it is silent where they report a part of the same value. */
  readonly yieldsTo?: readonly string[];
  run(context: LintContext): LintFinding[];
}

/**
 * Errors that a mock can be honest about: what needs a schema that does not compile answers 500, and says why; a keyword
 * that JSON Schema does not have says nothing by its rules.
 */
const SERVED_AROUND: ReadonlySet<string> = new Set(['schema-compiles', 'schema-keyword']);

/** Is a finding a reason not to serve the description at all? */
export function isFatal({ severity, rule }: Pick<SourceFinding, 'severity' | 'rule'>): boolean {
  return severity === 'error' && !SERVED_AROUND.has(rule);
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

/** Properties that can be missing without a doubt about what is served. */
const OPTIONAL: ReadonlySet<string> = new Set(['info', 'description', 'responses']);

/** Keywords of the official schema that speak of order and of form, and not of what is meant. */
const FORM: ReadonlySet<string> = new Set(['format', 'uniqueItems', 'minProperties']);

/**
 * How grave a disagreement with the official JSON Schema is. A property that OpenAPI does not have is left out, which its
 * finding says, unless it is a slip of one that changes what is served; prose can be missing; a path parameter is
 * required whether it says so or not.
 *
 * @param pointer - of the value that the error is about
 * @param meant - the property that an unknown one is a slip of, where it is missing
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
  return isUnknownProperty(keyword) && !changesWhatIsServed(last, meant) ? 'warning' : 'error';
}

/**
 * A path that does not begin with a slash, a status that is none, and a misspelt property would be left out of what is
 * served.
 *
 * @param last - where the unknown property stands
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

function isUnknownProperty(keyword: string): boolean {
  return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties';
}

/** A parameter, or its property `required`. */
function isOfParameter(pointer: string): boolean {
  return /\/parameters\/[^/]+(?:\/required)?$/.test(pointer);
}
