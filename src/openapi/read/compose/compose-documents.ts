import type { SourceFinding } from '../../../core/errors/standin-error';
import { joinPointer } from '../../../core/json/json-pointer';
import { isSchemaObject, type SchemaObject } from '../../../schema/schema-object';
import {
  type Grammar,
  grammarOf,
  grammarVersionOf,
  type PropertyShape,
  type ObjectKind,
  type VisitedObject,
} from '../object-grammar';
import { localPointer, referenceOf } from '../references';
import { valueAt, type SourceDocument } from '../source-document';
import {
  childOf,
  circularReference,
  type ComposedNode,
  ComposedParts,
  isTarget,
  isWholeMap,
  keyOf,
  MapReferences,
  nodeAtTarget,
  redefineField,
  replaceReference,
  unresolvedReference,
} from './composed-parts';
import { baseOf, type MayRead, type ReadUri, type SourceFile, SourceFiles, type Target } from './source-files';

/** One document made of several files. */
export interface Composition {
  readonly document: SourceDocument;
  readonly findings: readonly SourceFinding[];
  /** URIs that have to be fetched before it is whole. */
  readonly pending: readonly string[];
  /** Every object of the document, where it is one file that refers to nothing else. */
  readonly objects?: readonly VisitedObject[] | undefined;
}

/** Does a document refer to other files, or to parts of itself by other names than JSON pointers? */
export function refersElsewhere(objects: readonly VisitedObject[]): boolean {
  return objects.some(({ kind, at: { value, pointer } }) => {
    // In the place of a map or a list a reference looks like a property of it.
    if (typeof value === 'string' && pointer.endsWith('/$ref')) return true;
    const reference = referenceOf(value);
    if (reference !== undefined && (localPointer(reference) === undefined || isWholeMap(kind))) return true;
    return kind === 'schema' && isSchemaObject(value) && typeof value['$id'] === 'string';
  });
}

/**
 * Makes one document of a file and all that it refers to. What is referred to becomes a component of the whole, or
 * stands in the place of the reference where there are no components of its kind; every reference becomes a JSON pointer
 * into the whole, so that nobody after this knows files, `$id` or `$anchor`. Circles stay references. Data and
 * extensions are left alone. The values of the documents are changed in place.
 *
 * @param uri - where the first file was read, absolute: `file:` or `https:`
 * @param mayRead - asked for each file of this machine that a reference leads to, before it is read
 */
export function composeDocuments(
  document: SourceDocument,
  uri: string,
  read: ReadUri,
  mayRead: MayRead = () => undefined,
): Composition {
  const composer = new Composer({ uri, document }, read, mayRead);
  return composer.compose();
}

class Composer {
  private readonly grammar: Grammar;
  private readonly files: SourceFiles;
  private readonly parts: ComposedParts;
  private readonly maps: MapReferences;
  private readonly root: SourceFile;
  private readonly findings: SourceFinding[] = [];
  private readonly seen = new Set<object>();
  private readonly queue: ComposedNode[] = [];

  constructor(root: SourceFile, read: ReadUri, mayRead: MayRead) {
    this.root = root;
    this.grammar = grammarOf(grammarVersionOf(root.document));
    this.files = new SourceFiles(root, read, mayRead);
    this.parts = new ComposedParts(root);
    this.maps = new MapReferences(this.files, this.parts, this.grammar.keepsSiblings);
  }

  compose(): Composition {
    for (const section of Object.values(this.grammar.sections)) this.adoptComponents(section);
    this.queue.push(this.rootPlace());
    // What is found on the way is walked too, once: circles end where they began.
    for (const place of this.queue) this.walk(place);
    const findings = [...this.findings, ...this.maps.findings, ...this.files.findings];
    return { document: this.parts.document(), findings, pending: [...this.files.pending] };
  }

  private rootPlace(): ComposedNode {
    const { document, uri } = this.root;
    return { file: this.root, kind: 'openapi', value: document.root, pointer: '', composed: '', base: uri, inside: [] };
  }

  /** `Book: { $ref: book.yaml }` among the components: the part gets the name that the author gave it. */
  private adoptComponents(section: string): void {
    const { document, uri } = this.root;
    const map = valueAt(document, section);
    const kind = (Object.keys(this.grammar.sections) as ObjectKind[]).find(
      (each) => this.grammar.sections[each] === section,
    );
    if (!isSchemaObject(map) || kind === undefined) return;
    this.adoptMap({ ...this.rootPlace(), kind, value: map, pointer: section, composed: section });
    for (const [name, value] of Object.entries(map)) {
      const reference = referenceOf(value);
      if (reference === undefined || reference.startsWith('#') || !isSchemaObject(value)) continue;
      const target = this.files.resolve(reference, this.root, uri, this.grammar.keepsSiblings);
      if (!isTarget(target) || target.file === this.root || !isSchemaObject(target.value)) continue;
      if (referenceOf(target.value) !== undefined || this.parts.pointerOf(target, section) !== undefined) continue;
      const composed = joinPointer(section, name);
      this.parts.setPointer(target, section, composed);
      replaceReference(value, target.value);
      this.queue.push({ ...this.placeOf(target, kind, composed), value });
    }
  }

  /** `schemas: { $ref: schemas.yaml }`: what stands in that map has its place among the components. */
  private adoptMap(place: ComposedNode): void {
    const map = this.maps.mapAt(place);
    if (map.file === this.root || !isSchemaObject(place.value)) return;
    for (const [name, value] of Object.entries(place.value)) {
      const part = childOf(map, name, value);
      this.parts.setPointer(part, place.composed, part.composed);
      this.queue.push(part);
    }
  }

  private walk(place: ComposedNode): void {
    const { value } = place;
    if (!isSchemaObject(value) || this.seen.has(value)) return;
    this.seen.add(value);
    this.enter(place, value);
  }

  private enter(place: ComposedNode, value: SchemaObject): void {
    const { kind } = place;
    if (isWholeMap(kind)) {
      this.descend(this.maps.mapAt(place), value);
      return;
    }
    const knowsNames = this.grammar.keepsSiblings && kind === 'schema';
    const base = knowsNames ? baseOf(value, place.base) : place.base;
    const reference = referenceOf(value);
    if (reference !== undefined) {
      const inlined = this.follow(reference, { ...place, base }, value);
      if (inlined !== undefined) {
        this.enter(inlined, value);
        return;
      }
      if (!knowsNames) return;
    }
    if (kind === 'schema') this.followMapping({ ...place, base }, value);
    this.descend({ ...place, base }, value);
  }

  private descend(place: ComposedNode, value: SchemaObject): void {
    const { kind } = place;
    const patterned = this.grammar.patterned[kind];
    for (const [name, property] of Object.entries(value)) {
      const shape = Object.hasOwn(this.grammar.members[kind], name) ? this.grammar.members[kind][name] : undefined;
      if (shape !== undefined) this.descendShape(shape, childOf(place, name, property), value);
      else if (patterned !== undefined && !name.startsWith('x-')) {
        this.walk({ ...childOf(place, name, property), kind: patterned });
      }
    }
  }

  /** @param owner - the object that has the value as a property */
  private descendShape(shape: PropertyShape, at: ComposedNode, owner: SchemaObject): void {
    if (typeof shape === 'string') {
      this.walk({ ...at, kind: shape });
      return;
    }
    if ('each' in shape) {
      if (!isSchemaObject(at.value)) return;
      const map = this.maps.mapAt(at);
      for (const [name, member] of Object.entries(at.value))
        this.walk({ ...childOf(map, name, member), kind: shape.each });
    } else {
      const list = this.maps.listAt(at, owner);
      const { value } = list;
      if (!Array.isArray(value)) return;
      for (const [index, item] of value.entries()) this.walk({ ...childOf(list, index, item), kind: shape[0] });
    }
  }

  /**
   * Sees to it that a reference leads to a place of the whole.
   *
   * @returns the place to go on with when the part stands in the place of its reference now
   */
  private follow(reference: string, place: ComposedNode, value: SchemaObject): ComposedNode | undefined {
    const { kind, file, base, composed, inside } = place;
    const target = this.files.resolve(reference, file, base, this.grammar.keepsSiblings);
    if (target === 'pending') return undefined;
    if (!isTarget(target)) {
      // In the first file `ref-resolves` says it better: it knows similar names.
      if (file !== this.root || !reference.startsWith('#/')) this.refuse(place, target.reason);
      return undefined;
    }
    const section = this.grammar.sections[kind];
    if (target.file === this.root || section !== undefined) {
      const local = this.localTo(target, kind, section);
      if (file !== this.root || localPointer(reference) !== local) redefineField(value, '$ref', asReference(local));
      return undefined;
    }
    const key = keyOf(target);
    if (inside.includes(key) || !isSchemaObject(target.value)) {
      this.refuse(place, circularReference(reference));
      return undefined;
    }
    this.parts.setPointer(target, undefined, composed);
    replaceReference(value, target.value);
    return { ...this.placeOf(target, kind, composed), value, inside: [...inside, key] };
  }

  /** The pointer of a part in the whole; one that has none yet becomes a component. */
  private localTo(target: Target, kind: ObjectKind, section: string | undefined): string {
    if (target.file === this.root || section === undefined) {
      // It may stand where the grammar does not lead.
      this.queue.push(this.placeOf(target, kind, target.pointer));
      return target.pointer;
    }
    const known = this.parts.pointerOf(target, section);
    if (known !== undefined) return known;
    const composed = this.parts.add(target, section);
    this.queue.push(this.placeOf(target, kind, composed));
    return composed;
  }

  /** `discriminator.mapping` names schemas by URI or by the name of a component (OAS 3.0.3 §4.7.25). */
  private followMapping({ file, base }: ComposedNode, schema: SchemaObject): void {
    const discriminator = schema['discriminator'];
    const mapping = isSchemaObject(discriminator) ? discriminator['mapping'] : undefined;
    if (!isSchemaObject(mapping)) return;
    for (const [name, reference] of Object.entries(mapping)) {
      if (typeof reference !== 'string') continue;
      const asName = valueAt(file.document, joinPointer('/components/schemas', reference));
      if (file === this.root && (asName !== undefined || reference.startsWith('#'))) continue;
      const uri = asName === undefined ? reference : `#/components/schemas/${reference}`;
      const target = this.files.resolve(uri, file, base, this.grammar.keepsSiblings);
      if (!isTarget(target)) continue;
      redefineField(mapping, name, asReference(this.localTo(target, 'schema', this.grammar.sections.schema)));
    }
  }

  private placeOf(target: Target, kind: ObjectKind, composed: string): ComposedNode {
    return nodeAtTarget(target, composed, { kind, files: this.files, knowsNames: this.grammar.keepsSiblings });
  }

  private refuse(place: ComposedNode, reason: Pick<SourceFinding, 'message' | 'expected' | 'hint'>): void {
    this.findings.push(unresolvedReference(place, reason));
  }
}

/** A pointer as the fragment of a URI (RFC 6901 §6). */
function asReference(pointer: string): string {
  return `#${encodeURI(pointer).replaceAll('#', '%23')}`;
}
