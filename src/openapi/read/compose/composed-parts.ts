import type { SourceFinding } from '../../../core/errors/standin-error';
import { getAtPointer, joinPointer, parentPointer, parsePointer } from '../../../core/json/json-pointer';
import type { JsonValue } from '../../../core/json/json-value';
import { isSchemaObject, type SchemaObject } from '../../../schema/schema-object';
import type { ObjectKind } from '../object-grammar';
import { referenceOf } from '../references';
import { findingAt, type Origin, originAt, type SourceDocument } from '../source-document';
import type { SourceFile, SourceFiles, Target } from './source-files';

/** A place on the walk through the files. */
export interface ComposedNode {
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

export function childOf(place: ComposedNode, name: string | number, value: JsonValue): ComposedNode {
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

export function circularReference(reference: string): Pick<SourceFinding, 'message' | 'hint'> {
  return { message: `${reference} leads back to itself`, hint: 'Let one of the references be a definition.' };
}

export function isTarget(resolved: ReturnType<SourceFiles['resolve']>): resolved is Target {
  return typeof resolved === 'object' && 'file' in resolved;
}

/** Is a place the target, or within it? */
function isAround({ file, pointer }: Target, place: ComposedNode): boolean {
  return file === place.file && `${place.pointer}/`.startsWith(`${pointer}/`);
}

/** @param knowsNames - is what references are relative to a matter of `$id` as well? */
export function nodeAtTarget(
  { file, pointer, value }: Target,
  composed: string,
  { kind, files, knowsNames }: { readonly kind: ObjectKind; readonly files: SourceFiles; readonly knowsNames: boolean },
): ComposedNode {
  const base = knowsNames ? files.baseAt(file, pointer) : file.uri;
  return { file, kind, value, pointer, composed, base, inside: [] };
}

/** That the reference at a place cannot be followed. */
export function unresolvedReference(
  { file, pointer }: ComposedNode,
  reason: Pick<SourceFinding, 'message' | 'expected' | 'hint'>,
): SourceFinding {
  return findingAt(file.document, joinPointer(pointer, '$ref'), { rule: 'ref-resolves', ...reason });
}

/** The values of the files were read for this and are nobody else's yet: they are changed in place. */
type Changeable = Record<string, JsonValue>;

/** The parts of other files, under names among the components of the one document that is made of all. */
export class ComposedParts {
  /** By file, section and pointer, where a part is found in the whole. */
  private readonly places = new Map<string, string>();
  private readonly origins = new Map<string, { readonly file: SourceFile; readonly pointer: string }>();
  private readonly added = new Map<string, { readonly section: string; readonly value: JsonValue }>();
  private readonly root: SourceFile;

  constructor(root: SourceFile) {
    this.root = root;
  }

  /** Where a part is found in the whole, if it has a place already. */
  pointerOf({ file, pointer }: Target, section: string): string | undefined {
    return this.places.get(`${section} ${file.uri}#${pointer}`);
  }

  /** Gives a part a name that nothing else has, and puts it there. @returns its pointer in the whole */
  add(target: Target, section: string): string {
    const place = this.freePlace(section, nameOf(target));
    this.added.set(place, { section, value: target.value });
    this.setPointer(target, section, place);
    return place;
  }

  /** Notes that a part stands at a place of the whole. */
  setPointer(target: Target, section: string | undefined, place: string): void {
    if (section !== undefined) this.places.set(`${section} ${target.file.uri}#${target.pointer}`, place);
    this.origins.set(place, target);
  }

  /** The whole: the first file, which gets the parts of the others now, when nobody takes them for its own any more. */
  document(): SourceDocument {
    const { document } = this.root;
    for (const [place, { section, value }] of this.added) {
      redefineField(this.sectionAt(section), parsePointer(place).at(-1) ?? '', value);
    }
    const originOf = (pointer: string): { file: SourceFile; pointer: string } => this.originOf(pointer);
    return {
      file: document.file,
      root: document.root,
      locationOf(pointer) {
        const origin = originOf(pointer);
        return origin.file.document.locationOf(origin.pointer);
      },
      originOf(pointer): Origin {
        const origin = originOf(pointer);
        return originAt(origin.file.document, origin.pointer);
      },
    };
  }

  private originOf(pointer: string): { file: SourceFile; pointer: string } {
    for (let at: string | undefined = pointer; at !== undefined; at = parentPointer(at)) {
      const origin = this.origins.get(at);
      if (origin !== undefined) return { file: origin.file, pointer: `${origin.pointer}${pointer.slice(at.length)}` };
    }
    return { file: this.root, pointer };
  }

  private freePlace(section: string, name: string): string {
    const taken = (place: string): boolean =>
      this.added.has(place) || getAtPointer(this.root.document.root, place) !== undefined;
    let place = joinPointer(section, name);
    for (let count = 2; taken(place); count += 1) place = joinPointer(section, `${name}_${count}`);
    return place;
  }

  private sectionAt(section: string): Changeable {
    let map = this.root.document.root as Changeable;
    for (const name of parsePointer(section)) {
      if (!isSchemaObject(map[name])) redefineField(map, name, {});
      map = map[name] as Changeable;
    }
    return map;
  }
}

/** Puts the properties of a part in the place of the reference to it; what stands beside the reference stays. */
export function replaceReference(reference: SchemaObject, part: SchemaObject): void {
  const beside = Object.entries(reference).filter(([name]) => name !== '$ref');
  for (const name of Object.keys(reference)) Reflect.deleteProperty(reference, name);
  for (const [name, value] of [...Object.entries(part), ...beside]) redefineField(reference, name, value);
}

/** Changes a property in place. It may be called `__proto__`. */
export function redefineField(object: object, name: string, value: JsonValue): void {
  Object.defineProperty(object, name, { value, enumerable: true, configurable: true, writable: true });
}

/** What the author calls a part: the last word of its pointer, else the name of its file. */
function nameOf({ file, pointer }: Target): string {
  const word =
    parsePointer(pointer).at(-1) ?? (new URL(file.uri).pathname.split('/').at(-1) ?? '').replace(/\.\w+$/, '');
  let name = word;
  try {
    name = decodeURIComponent(word);
  } catch {
    // A percent sign that stands for itself.
  }
  return name.replace(/[^\w.-]+/g, '_') || 'part';
}

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
   * follow them all the same. The properties come to stand in its place.
   *
   * @returns where the properties were written
   */
  mapAt(at: ComposedNode): ComposedNode {
    let place = at;
    for (
      let reference = referenceOf(at.value);
      reference !== undefined && isSchemaObject(at.value);
      reference = referenceOf(at.value)
    ) {
      const target = this.targetOf(reference, place, 'map');
      if (target === undefined || !isSchemaObject(target.value)) return place;
      this.parts.setPointer(target, undefined, at.composed);
      replaceReference(at.value, target.value);
      const inside = [...place.inside, keyOf(target)];
      place = { ...this.placeOf(target, at), value: at.value, inside };
    }
    return place;
  }

  /** The same in the place of a list, such as `parameters`. */
  listAt(at: ComposedNode, owner: SchemaObject): ComposedNode {
    const reference = referenceOf(at.value);
    const target = reference === undefined ? undefined : this.targetOf(reference, at, 'list');
    if (target === undefined || !Array.isArray(target.value)) return at;
    this.parts.setPointer(target, undefined, at.composed);
    redefineField(owner, parsePointer(at.composed).at(-1) ?? '', target.value);
    return this.placeOf(target, at);
  }

  /** What a reference leads to that stands in the place of a map or a list, with a word on it. */
  targetOf(reference: string, place: ComposedNode, what: 'map' | 'list'): Target | undefined {
    const { file, pointer, base, inside } = place;
    const target = this.files.resolve(reference, file, base, this.knowsNames);
    if (target === 'pending') return undefined;
    if (!isTarget(target)) {
      this.findings.push(unresolvedReference(place, target.reason));
      return undefined;
    }
    const isOfKind = what === 'map' ? isSchemaObject(target.value) : Array.isArray(target.value);
    if (!isOfKind)
      this.findings.push(
        unresolvedReference(place, { message: `${reference} leads to no ${what}`, expected: `a ${what}` }),
      );
    else if (isAround(target, place) || inside.includes(keyOf(target)))
      this.findings.push(unresolvedReference(place, circularReference(reference)));
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

  private placeOf(target: Target, { kind, composed }: ComposedNode): ComposedNode {
    return nodeAtTarget(target, composed, { kind, files: this.files, knowsNames: this.knowsNames });
  }
}
