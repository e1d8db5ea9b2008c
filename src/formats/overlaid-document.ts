import { messageOf, type SourceFinding } from '../core/errors/standin-error';
import { joinPointer, parentPointer } from '../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../core/json/json-value';
import { findingAt, originAt, type SourceDocument } from '../openapi/read/source-document';
import { OVERLAY_RULE, type Overlay, type OverlayAction } from './overlay';

/** A description as overlays have changed it, and what is to be said of them. */
export interface OverlaidDocument {
  readonly document: SourceDocument;
  readonly findings: readonly SourceFinding[];
}

/**
 * Does what overlays say, one after the other (Overlay Specification 1.0.0, §4.3 and §4.4). What they wrote has its place
 * in their files. A target that nothing fits is a warning: the specification lets it pass, and who wrote it should know.
 *
 * @param document - is left as it is
 */
export function applyOverlays(document: SourceDocument, overlays: readonly Overlay[]): OverlaidDocument {
  if (overlays.length === 0) return { document, findings: [] };
  const changed = new ChangedDocument(document);
  const findings = overlays.flatMap((overlay) =>
    overlay.actions.flatMap((action) => applyAction(changed, overlay, action) ?? []),
  );
  return { document: changed.asSource(), findings };
}

function applyAction(
  changed: ChangedDocument,
  { document }: Overlay,
  action: OverlayAction,
): SourceFinding | undefined {
  const { target, pointer, update, removes } = action;
  const told = (severity: SourceFinding['severity'], message: string, expected?: string): SourceFinding =>
    findingAt(document, joinPointer(pointer, 'target'), { rule: OVERLAY_RULE, severity, message, expected });
  let places: readonly (readonly (string | number)[])[];
  try {
    places = action.find(changed.root);
  } catch (error) {
    return told('error', `The target ${target} cannot be looked for: ${messageOf(error)}`);
  }
  if (places.length === 0) return told('warning', `Nothing of the description is at ${target}`);
  if (removes) {
    if (places.some((place) => place.length === 0)) return told('error', 'The whole description cannot be removed');
    // From the last one on, so that the indexes of those before it stay.
    for (const place of places.toReversed()) changed.remove(place);
    return undefined;
  }
  const plain = places.find((place) => !changed.takes(place, update ?? null));
  if (plain !== undefined)
    return told(
      'error',
      `At ${target} stands what "update" cannot be merged into: ${plain.join('/')}`,
      'an object, to be merged with an object, or a list, to be added to',
    );
  for (const place of places)
    changed.update(place, update ?? null, { document, pointer: joinPointer(pointer, 'update') });
  return undefined;
}

/** Where something was written that an overlay brought. */
interface WrittenAt {
  readonly document: SourceDocument;
  readonly pointer: string;
}

type Location = readonly (string | number)[];
type Container = JsonValue[] | Record<string, JsonValue>;

/** A document that is copied as far as it is changed: an alias of YAML is one value in several places. */
class ChangedDocument {
  root: JsonValue;
  private readonly source: SourceDocument;
  private readonly own = new Set<JsonValue>();
  /** By JSON pointer of the changed document. */
  private readonly written = new Map<string, WrittenAt>();
  /** Lists from which something was removed: the places of their items are not known any more. */
  private readonly shortened = new Set<string>();

  constructor(source: SourceDocument) {
    this.source = source;
    this.root = source.root;
  }

  /** Can an update be merged into what stands at a place? */
  takes(location: Location, update: JsonValue): boolean {
    const value = valueAlong(this.root, location);
    return Array.isArray(value) || (isJsonObject(value) && isJsonObject(update));
  }

  update(location: Location, update: JsonValue, written: WrittenAt): void {
    this.merge(this.ownAlong(location), pointerTo(location), update, written);
  }

  remove(location: Location): void {
    const name = location.at(-1);
    const holder = this.ownAlong(location.slice(0, -1));
    if (Array.isArray(holder)) {
      holder.splice(Number(name), 1);
      this.shortened.add(pointerTo(location.slice(0, -1)));
    } else Reflect.deleteProperty(holder, String(name));
  }

  asSource(): SourceDocument {
    const { source, root } = this;
    const written = (pointer: string): WrittenAt => this.writtenAt(pointer);
    return {
      ...source,
      root,
      isPlain: undefined,
      locationOf(pointer) {
        const { document, pointer: there } = written(pointer);
        return document.locationOf(there);
      },
      originOf(pointer) {
        const { document, pointer: there } = written(pointer);
        return originAt(document, there);
      },
    };
  }

  private writtenAt(pointer: string): WrittenAt {
    for (let at: string | undefined = pointer; at !== undefined; at = parentPointer(at)) {
      const found = this.written.get(at);
      if (found !== undefined) return { ...found, pointer: `${found.pointer}${pointer.slice(at.length)}` };
      if (this.shortened.has(at)) return { document: this.source, pointer: at };
    }
    return { document: this.source, pointer };
  }

  private merge(target: Container, pointer: string, update: JsonValue, written: WrittenAt): void {
    if (Array.isArray(target)) {
      this.written.set(joinPointer(pointer, target.length), written);
      target.push(copyOf(update));
      return;
    }
    for (const [name, value] of Object.entries(isJsonObject(update) ? update : {})) {
      const at = joinPointer(pointer, name);
      const from = { ...written, pointer: joinPointer(written.pointer, name) };
      const before = Object.hasOwn(target, name) ? target[name] : undefined;
      if (isJsonObject(before) && isJsonObject(value)) this.merge(this.ownProperty(target, name), at, value, from);
      else if (Array.isArray(before) && Array.isArray(value)) {
        const list = this.ownProperty(target, name);
        for (const [index, item] of value.entries())
          this.merge(list, at, item, { ...from, pointer: joinPointer(from.pointer, index) });
      } else {
        defineProperty(target, name, copyOf(value));
        this.written.set(at, from);
      }
    }
  }

  /** What stands at a place, to be changed, with all that holds it. */
  private ownAlong(location: Location): Container {
    let at = (this.root = this.owned(this.root));
    for (const name of location) at = this.ownProperty(at as Container, name);
    return at as Container;
  }

  private ownProperty(holder: Container, name: string | number): Container {
    const properties = holder as Record<string | number, JsonValue>;
    const own = this.owned(properties[name] ?? null);
    defineProperty(holder, name, own);
    return own as Container;
  }

  private owned(value: JsonValue): JsonValue {
    if (this.own.has(value)) return value;
    const copy = Array.isArray(value) ? [...value] : isJsonObject(value) ? { ...value } : value;
    this.own.add(copy);
    return copy;
  }
}

function valueAlong(root: JsonValue, location: Location): JsonValue | undefined {
  let at: JsonValue | undefined = root;
  for (const name of location) at = (at as unknown as Record<string | number, JsonValue> | undefined)?.[name];
  return at;
}

function pointerTo(location: Location): string {
  return location.reduce<string>((pointer, name) => joinPointer(pointer, name), '');
}

/** It may be called `__proto__`. */
function defineProperty(holder: Container, name: string | number, value: JsonValue): void {
  Object.defineProperty(holder, name, { value, enumerable: true, configurable: true, writable: true });
}

/** Later steps change documents in place: no two places may share a value. */
function copyOf(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isJsonObject(value)) return value;
  const copy: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(value)) defineProperty(copy, name, copyOf(property));
  return copy;
}
