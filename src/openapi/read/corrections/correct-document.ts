import type { SourceFinding } from '../../../core/errors/standin-error';
import { joinPointer, parentPointer } from '../../../core/json/json-pointer';
import type { JsonValue } from '../../../core/json/json-value';
import { isSchemaObject, type SchemaObject } from '../../../schema/schema-object';
import { redefineField } from '../compose/composed-parts';
import { grammarVersionOf, type VisitedObject } from '../object-grammar';
import { resolveReference } from '../references';
import { findingAt, originAt, type SourceDocument } from '../source-document';
import {
  choiceOfItems,
  closedBesideAllOf,
  exampleExtensions,
  examplesByReference,
  formats,
  timeFormats,
  type CorrectableObject,
  type Correction,
  keywordsOfOpenApi30,
  nullableBesideOthers,
  nullFields,
  numbersForStrings,
  patterns,
  shapesByExample,
  statusRanges,
} from './corrections';

const CORRECTIONS: readonly Correction[] = [
  nullFields,
  exampleExtensions,
  statusRanges,
  numbersForStrings,
  choiceOfItems,
  patterns,
  formats,
  timeFormats,
  keywordsOfOpenApi30,
  examplesByReference,
  shapesByExample,
];

/** Where the letter of OpenAPI says something else. */
const LENIENT_CORRECTIONS: readonly Correction[] = [nullableBesideOthers, closedBesideAllOf];

/** A document as it is read, and what was not as OpenAPI wants it. */
export interface CorrectedDocument {
  readonly document: SourceDocument;
  readonly findings: readonly SourceFinding[];
  /** Every object of the document, where nothing was changed. */
  readonly objects: readonly VisitedObject[] | undefined;
}

/**
 * Reads what a description cannot say in its version of OpenAPI, and what its author plainly meant, as if it had been
 * written in the way of that version. Each such place is a warning. The values of the document are changed in place;
 * places lead to what was written.
 *
 * @param isStrict - keep to the letter of OpenAPI where it says something else than what was meant
 */
export function correctDocument(
  document: SourceDocument,
  objects: readonly VisitedObject[],
  isStrict = false,
): CorrectedDocument {
  const corrections = isStrict ? CORRECTIONS : [...CORRECTIONS, ...LENIENT_CORRECTIONS];
  const version = grammarVersionOf(document);
  const renamed = new Map<string, string>();
  const findings: SourceFinding[] = [];
  const isOlder = olderDialects(document, objects);
  for (const { kind, at } of objects) {
    const { value, pointer } = at;
    if (!isSchemaObject(value) || isOlder(pointer)) continue;
    const object: CorrectableObject = {
      kind,
      pointer,
      value,
      version,
      resolve: (reference) => resolveReference(document, { value: { $ref: reference }, pointer }),
      warn(property, { isForAll = false, ...finding }) {
        if (isForAll && findings.some(({ message }) => message === finding.message)) return;
        const place = joinPointer(pointer, property);
        findings.push(findingAt(document, place, { rule: 'read-as-meant', severity: 'warning', ...finding }));
      },
      set(member, changed) {
        if (changed === undefined) Reflect.deleteProperty(value, member);
        else redefineField(value, member, changed);
      },
      rename(member, name) {
        renameField(value, member, name);
        renamed.set(joinPointer(pointer, name), joinPointer(pointer, member));
      },
    };
    for (const mend of corrections) mend(object);
  }
  if (findings.length === 0) return { document, findings, objects };
  return { document: renamed.size === 0 ? document : withLocations(document, renamed), findings, objects: undefined };
}

/** The order of the properties stays. */
function renameField(object: SchemaObject, property: string, name: string): void {
  const properties: [string, JsonValue][] = Object.entries(object);
  for (const [each] of properties) Reflect.deleteProperty(object, each);
  for (const [each, value] of properties) redefineField(object, each === property ? name : each, value);
}

/** The same document, whose pointers lead to the places of the names that were written. */
function withLocations(document: SourceDocument, renamed: ReadonlyMap<string, string>): SourceDocument {
  const written = (pointer: string): string => {
    for (let at: string | undefined = pointer; at !== undefined; at = parentPointer(at)) {
      const original = renamed.get(at);
      // A property within a property that was renamed may have been renamed too; outer names are looked up first.
      if (original !== undefined) return `${original}${pointer.slice(at.length)}`;
    }
    return pointer;
  };
  return {
    ...document,
    locationOf: (pointer) => document.locationOf(written(pointer)),
    originOf: (pointer) => originAt(document, written(pointer)),
  };
}

/** Schemas of other dialects than that of their version have their own rules (OAS 3.1.1 §4.8.24.6). */
function olderDialects(document: SourceDocument, objects: readonly VisitedObject[]): (pointer: string) => boolean {
  const dialect = isSchemaObject(document.root) ? document.root['jsonSchemaDialect'] : undefined;
  const isWhole = typeof dialect === 'string' && isOlderDialect(dialect);
  const roots: string[] = [];
  for (const { kind, at } of objects) {
    const named = kind === 'schema' && isSchemaObject(at.value) ? at.value['$schema'] : undefined;
    if (typeof named === 'string' && isOlderDialect(named)) roots.push(`${at.pointer}/`);
  }
  return (pointer) => isWhole || roots.some((root) => `${pointer}/`.startsWith(root));
}

function isOlderDialect(uri: string): boolean {
  return uri.includes('json-schema.org/draft-0');
}
