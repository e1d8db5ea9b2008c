import type { SourceFinding } from '../../errors/source-finding';
import { joinPointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import type { ObjectKind } from '../object-grammar';
import { findingAt } from '../source-document';
import type { SourceFile, SourceFiles, Target } from './source-files';

/** A place on the walk through the files. */
export interface Place {
  readonly file: SourceFile;
  readonly kind: ObjectKind;
  readonly value: JsonValue;
  /** Into the file. */
  readonly pointer: string;
  /** Into the whole. */
  readonly composed: string;
  /** What references are relative to. */
  readonly base: string;
  /** The parts that stand in the place of a reference around this one. */
  readonly inside: readonly string[];
}

/** Kinds that are a map as a whole, where OpenAPI has no references. */
export function isWholeMap(kind: ObjectKind): boolean {
  return kind === 'paths' || kind === 'responses';
}

export function childOf(place: Place, name: string | number, value: JsonValue): Place {
  return {
    ...place,
    value,
    pointer: joinPointer(place.pointer, name),
    composed: joinPointer(place.composed, name),
  };
}

export function keyOf({ file, pointer }: Target): string {
  return `${file.uri}#${pointer}`;
}

export function endlessReference(reference: string): Pick<SourceFinding, 'message' | 'hint'> {
  return { message: `${reference} leads back to itself`, hint: 'Let one of the references be a definition.' };
}

export function isTarget(resolved: ReturnType<SourceFiles['resolve']>): resolved is Target {
  return typeof resolved === 'object' && 'file' in resolved;
}

/** @param knowsNames - is what references are relative to a matter of `$id` as well? */
export function targetPlace(
  { file, pointer, value }: Target,
  composed: string,
  { kind, files, knowsNames }: { readonly kind: ObjectKind; readonly files: SourceFiles; readonly knowsNames: boolean },
): Place {
  const base = knowsNames ? files.baseAt(file, pointer) : file.uri;
  return { file, kind, value, pointer, composed, base, inside: [] };
}

/** That the reference at a place cannot be followed. */
export function badReference(
  { file, pointer }: Place,
  reason: Pick<SourceFinding, 'message' | 'expected' | 'hint'>,
): SourceFinding {
  return findingAt(file.document, joinPointer(pointer, '$ref'), { rule: 'ref-resolves', ...reason });
}
