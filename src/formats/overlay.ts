import type * as JsonP3 from 'json-p3';
import { messageOf, type SourceFinding } from '../core/errors/standin-error';
import { joinPointer, parentPointer } from '../core/json/json-pointer';
import { copyJson, isJsonObject, type JsonValue, setProperty } from '../core/json/json-value';
import { findingAt, originAt, type SourceDocument } from '../openapi/read/source-document';
import { decode } from './decode';

/** On every finding about an overlay. */
const OVERLAY_RULE = 'overlay-format';

/** A change of every location of a description that a query finds: https://spec.openapis.org/overlay/v1.0.0.html */
interface OverlayAction {
  /** A query of JSONPath (RFC 9535), as it is written. */
  readonly target: string;
  /** JSON pointer of the action in its file. */
  readonly pointer: string;
  /** What is merged into an object, or added to an array; `undefined` for none. */
  readonly update: JsonValue | undefined;
  readonly removes: boolean;
  /** Finds the locations, each as the property names and indexes that lead to it. */
  find(root: JsonValue): readonly (readonly (string | number)[])[];
}

/** What is changed in a description before it is validated. */
export interface Overlay {
  readonly document: SourceDocument;
  readonly actions: readonly OverlayAction[];
}

/**
 * Reads an overlay of version 1.0 of the Overlay Specification.
 *
 * @param findings - gets what does not fit the format; with any of them the overlay is not to be used
 */
export function readOverlay(document: SourceDocument, findings: SourceFinding[]): Overlay {
  const errors = decode(document, 'overlay');
  findings.push(...errors);
  if (errors.length > 0) return { document, actions: [] };
  const { actions } = document.root as unknown as { readonly actions: readonly JsonValue[] };
  return { document, actions: actions.flatMap((action, index) => toAction(action, index, document, findings) ?? []) };
}

function toAction(
  action: JsonValue,
  index: number,
  document: SourceDocument,
  findings: SourceFinding[],
): OverlayAction | undefined {
  const { target, update, remove } = action as Pick<OverlayAction, 'target'> & Readonly<Record<string, JsonValue>>;
  const pointer = `/actions/${index}`;
  const query = compile(target);
  if (typeof query === 'string') {
    const message = `"target" must be a JSONPath query (RFC 9535), got "${target}": ${query}`;
    findings.push(findingAt(document, `${pointer}/target`, { rule: OVERLAY_RULE, message }));
    return undefined;
  }
  const find: OverlayAction['find'] = (root) => query.query(root as never).nodes.map(({ location }) => location);
  return { target, pointer, update, removes: remove === true, find };
}

/** @returns a query, or why the text is none */
function compile(target: string): JsonP3.JSONPathQuery | string {
  // oxlint-disable-next-line typescript/no-require-imports -- loaded only with overlays
  const { jsonpath } = require('#vendor/json-p3') as typeof JsonP3;
  try {
    return jsonpath.compile(target);
  } catch (error) {
    return messageOf(error);
  }
}

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
      target.push(copyJson(update));
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
        setProperty(target, name, copyJson(value));
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
    const properties = holder as Record<string, JsonValue>;
    const own = this.owned(properties[name] ?? null);
    setProperty(properties, String(name), own);
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
