import { getAtPointer, joinPointer, parentPointer, parsePointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import { isSchemaObject, type SchemaObject } from '../../json-schema/schema';
import { originAt, type Origin, type SourceDocument } from '../source-document';
import type { SourceFile, Target } from './source-files';

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
  placeOf({ file, pointer }: Target, section: string): string | undefined {
    return this.places.get(`${section} ${file.uri}#${pointer}`);
  }

  /** Gives a part a name that nothing else has, and puts it there. @returns its pointer in the whole */
  add(target: Target, section: string): string {
    const place = this.freePlace(section, nameOf(target));
    this.added.set(place, { section, value: target.value });
    this.settle(target, section, place);
    return place;
  }

  /** Notes that a part stands at a place of the whole. */
  settle(target: Target, section: string | undefined, place: string): void {
    if (section !== undefined) this.places.set(`${section} ${target.file.uri}#${target.pointer}`, place);
    this.origins.set(place, target);
  }

  /** The whole: the first file, which gets the parts of the others now, when nobody takes them for its own any more. */
  document(): SourceDocument {
    const { document } = this.root;
    for (const [place, { section, value }] of this.added) {
      define(this.sectionAt(section), parsePointer(place).at(-1) ?? '', value);
    }
    const originOf = (pointer: string): { file: SourceFile; pointer: string } => this.originOf(pointer);
    return {
      file: document.file,
      root: document.root,
      placeOf(pointer) {
        const origin = originOf(pointer);
        return origin.file.document.placeOf(origin.pointer);
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
      if (!isSchemaObject(map[name])) define(map, name, {});
      map = map[name] as Changeable;
    }
    return map;
  }
}

/** Puts the members of a part in the place of the reference to it; what stands beside the reference stays. */
export function replaceReference(reference: SchemaObject, part: SchemaObject): void {
  const beside = Object.entries(reference).filter(([name]) => name !== '$ref');
  for (const name of Object.keys(reference)) Reflect.deleteProperty(reference, name);
  for (const [name, value] of [...Object.entries(part), ...beside]) define(reference, name, value);
}

/** Changes a member in place. It may be called `__proto__`. */
export function define(object: object, name: string, value: JsonValue): void {
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
