import type { SourceFinding } from '../../errors/source-finding';
import { joinPointer, parsePointer } from '../../json/json-pointer';
import { isSchemaObject, type SchemaObject } from '../../json-schema/schema';
import { referenceOf } from '../references';
import { findingAt } from '../source-document';
import { define, replaceReference, type ComposedParts } from './composed-parts';
import { badReference, endlessReference, isTarget, keyOf, targetPlace, type Place } from './place';
import type { SourceFiles, Target } from './source-files';

/** References where OpenAPI has none: in the place of a map or of a list. Other readers follow them all the same. */
export class MapReferences {
  readonly findings: SourceFinding[] = [];
  private readonly files: SourceFiles;
  private readonly parts: ComposedParts;
  private readonly knowsNames: boolean;

  constructor(files: SourceFiles, parts: ComposedParts, knowsNames: boolean) {
    this.files = files;
    this.parts = parts;
    this.knowsNames = knowsNames;
  }

  /**
   * `properties: { $ref: book.yaml#/properties }`: OpenAPI has no references in the place of a map, and other readers
   * follow them all the same. The members come to stand in its place.
   *
   * @returns where the members were written
   */
  mapAt(at: Place): Place {
    let place = at;
    for (
      let reference = referenceOf(at.value);
      reference !== undefined && isSchemaObject(at.value);
      reference = referenceOf(at.value)
    ) {
      const target = this.targetOf(reference, place, 'map');
      if (target === undefined || !isSchemaObject(target.value)) return place;
      this.parts.settle(target, undefined, at.composed);
      replaceReference(at.value, target.value);
      const inside = [...place.inside, keyOf(target)];
      place = { ...this.placeOf(target, at), value: at.value, inside };
    }
    return place;
  }

  /** The same in the place of a list, such as `parameters`. */
  listAt(at: Place, owner: SchemaObject): Place {
    const reference = referenceOf(at.value);
    const target = reference === undefined ? undefined : this.targetOf(reference, at, 'list');
    if (target === undefined || !Array.isArray(target.value)) return at;
    this.parts.settle(target, undefined, at.composed);
    define(owner, parsePointer(at.composed).at(-1) ?? '', target.value);
    return this.placeOf(target, at);
  }

  /** What a reference leads to that stands in the place of a map or a list, with a word on it. */
  targetOf(reference: string, place: Place, what: 'map' | 'list'): Target | undefined {
    const { file, pointer, base, inside } = place;
    const target = this.files.resolve(reference, file, base, this.knowsNames);
    if (target === 'pending') return undefined;
    if (!isTarget(target)) {
      this.findings.push(badReference(place, target.reason));
      return undefined;
    }
    const isOfKind = what === 'map' ? isSchemaObject(target.value) : Array.isArray(target.value);
    if (!isOfKind)
      this.findings.push(badReference(place, { message: `${reference} leads to no ${what}`, expected: `a ${what}` }));
    else if (target.value === place.value || inside.includes(keyOf(target)))
      this.findings.push(badReference(place, endlessReference(reference)));
    else {
      this.findings.push(
        findingAt(file.document, joinPointer(pointer, '$ref'), {
          rule: 'read-as-meant',
          severity: 'warning',
          message: `OpenAPI has no reference in the place of a ${what}; it is read as the ${what} that ${reference} leads to`,
        }),
      );
      return target;
    }
    return undefined;
  }

  private placeOf(target: Target, { kind, composed }: Place): Place {
    return targetPlace(target, composed, { kind, files: this.files, knowsNames: this.knowsNames });
  }
}
