import type { SourceFinding } from '../../../core/errors/standin-error';
import { getAtPointer, joinPointer, parsePointer } from '../../../core/json/json-pointer';
import type { JsonValue } from '../../../core/json/json-value';
import { isSchemaObject } from '../../../schema/schema-object';
import type { SourceDocument } from '../source-document';

/** What reading a file gave. */
export type Reading =
  /** `uri`: where it was found, when that is elsewhere; what it refers to is relative to that (RFC 3986 §5.1.3). */
  | { readonly kind: 'read'; readonly document: SourceDocument; readonly uri?: string }
  | { readonly kind: 'failed'; readonly reason: Reason; readonly findings?: readonly SourceFinding[] }
  /** It is to be fetched first; the whole is then put together once more. */
  | { readonly kind: 'pending' };

/** Why a reference leads nowhere. */
type Reason = Pick<SourceFinding, 'message' | 'expected' | 'hint'>;

/** Reads what stands at an absolute URI. */
export type ReadUri = (uri: string) => Reading;

/**
 * Why a file may not be read, without a look at it; `undefined` where it may.
 *
 * @param isAbsolute - was it referred to by a path from the root of the machine, or as `file:`?
 */
export type MayRead = (uri: string, isAbsolute: boolean) => Reason | undefined;

/** One file and where it was read. */
export interface SourceFile {
  readonly uri: string;
  readonly document: SourceDocument;
}

/** Where a reference leads. */
export interface Target {
  readonly file: SourceFile;
  readonly pointer: string;
  readonly value: JsonValue;
}

type Resolved = Target | { readonly reason: Reason } | 'pending';

/** The files of one description, each read once, and what references between them lead to. */
export class SourceFiles {
  readonly findings: SourceFinding[] = [];
  readonly pending = new Set<string>();
  private readonly readings = new Map<string, SourceFile | Exclude<Reading, { kind: 'read' }>>();
  private readonly indexes = new Map<SourceFile, IdentifierIndex>();
  private readonly root: SourceFile;
  private readonly read: ReadUri;
  private readonly mayRead: MayRead;
  /** The URI that the description gives itself (OAS 3.2.0 §4.1 `$self`). */
  private readonly self: string | undefined;

  constructor(root: SourceFile, read: ReadUri, mayRead: MayRead) {
    this.root = root;
    this.read = read;
    this.mayRead = mayRead;
    this.readings.set(root.uri, root);
    const self = isSchemaObject(root.document.root) ? root.document.root['$self'] : undefined;
    this.self = typeof self === 'string' && URL.canParse(self, root.uri) ? new URL(self, root.uri).href : undefined;
  }

  /**
   * @param base - what the reference is relative to: an `$id` around it, else the URI of its file
   * @param knowsNames - do fragments and URIs name schemas by `$anchor` and `$id`?
   */
  resolve(reference: string, from: SourceFile, base: string, knowsNames: boolean): Resolved {
    if (!URL.canParse(reference, base)) return { reason: { message: `${reference} is not a URI` } };
    const named = this.resourceAt(reference, from, base, knowsNames);
    if (!('file' in named)) return named.kind === 'pending' ? 'pending' : { reason: named.reason };
    const { file, pointer: resource } = named;
    const fragment = decoded(new URL(reference, base).hash.slice(1));
    const pointers =
      fragment === undefined ? [] : this.pointersOf(fragment, file, resource, knowsNames ? base : undefined);
    for (const pointer of pointers) {
      const value = valueIn(file, pointer);
      if (value !== undefined) return { file, pointer, value };
    }
    return { reason: missing(reference, file) };
  }

  /**
   * What a fragment can mean, the likeliest first.
   *
   * @param resource - pointer of the schema that the URI names
   * @param base - `undefined` where nothing has an anchor
   */
  private pointersOf(fragment: string, file: SourceFile, resource: string, base: string | undefined): string[] {
    // A pointer from the root of the file is what most people mean in a schema with an `$id` too.
    if (fragment === '' || fragment.startsWith('/')) return [`${resource}${fragment}`, fragment];
    if (base === undefined) return [];
    const index = this.indexOf(file);
    const exact = index.get(`${resource === '' ? file.uri : base}#${fragment}`);
    const anywhere = [...index].filter(([uri]) => uri.endsWith(`#${fragment}`)).map(([, pointer]) => pointer);
    return exact === undefined ? anywhere : [exact];
  }

  /** The base URI of what stands at a pointer of a file: the innermost `$id` around it. */
  baseAt({ uri, document }: SourceFile, pointer: string): string {
    let base = baseOf(document.root, uri);
    let value: JsonValue | undefined = document.root;
    for (const segment of parsePointer(pointer)) {
      value = Array.isArray(value) ? value[Number(segment)] : isSchemaObject(value) ? value[segment] : undefined;
      if (value !== undefined) base = baseOf(value, base);
    }
    return base;
  }

  private resourceAt(
    reference: string,
    from: SourceFile,
    base: string,
    knowsNames: boolean,
  ): { readonly file: SourceFile; readonly pointer: string } | Exclude<Reading, { kind: 'read' }> {
    const uri = withoutFragment(reference, base);
    if (uri === from.uri) return { file: from, pointer: '' };
    if (uri === this.self) return { file: this.root, pointer: '' };
    if (knowsNames) {
      for (const file of this.filesRead()) {
        const pointer = this.indexOf(file).get(uri);
        if (pointer !== undefined) return { file, pointer };
      }
    }
    const beside = withoutFragment(reference, from.uri);
    // An `$id` often names no place that can be read: the file beside this one comes first.
    const first = beside === uri ? undefined : this.open(beside, from, reference);
    const opened = first !== undefined && 'uri' in first ? first : this.open(uri, from, reference);
    return 'uri' in opened ? { file: opened, pointer: '' } : opened;
  }

  private open(uri: string, from: SourceFile, reference: string): SourceFile | Exclude<Reading, { kind: 'read' }> {
    if (uri.startsWith('file:')) {
      if (!from.uri.startsWith('file:'))
        return { kind: 'failed', reason: { message: 'A remote document cannot lead to a file of this machine' } };
      const reason = uri === this.root.uri ? undefined : this.mayRead(uri, /^(?:file:|[/\\])/i.test(reference.trim()));
      if (reason !== undefined) return { kind: 'failed', reason };
    }
    let known = this.readings.get(uri);
    if (known === undefined) {
      const reading = this.read(uri);
      known = reading.kind === 'read' ? this.fileAt(reading.uri ?? uri, reading.document) : reading;
      if (reading.kind === 'failed') this.findings.push(...(reading.findings ?? []));
      if (reading.kind === 'pending') this.pending.add(uri);
      this.readings.set(uri, known);
    }
    return known;
  }

  /** The same file by another URI is the one that is known. */
  private fileAt(uri: string, document: SourceDocument): SourceFile {
    const known = this.readings.get(uri);
    if (known !== undefined && 'uri' in known) return known;
    const file = { uri, document };
    this.readings.set(uri, file);
    this.findings.push(...(document.findings ?? []));
    return file;
  }

  private *filesRead(): Iterable<SourceFile> {
    for (const file of this.readings.values()) if ('uri' in file) yield file;
  }

  private indexOf(file: SourceFile): IdentifierIndex {
    let index = this.indexes.get(file);
    if (index === undefined) this.indexes.set(file, (index = indexIdentifiers(file.document.root, file.uri)));
    return index;
  }
}

function withoutFragment(reference: string, base: string): string {
  const url = new URL(reference, base);
  url.hash = '';
  return url.href;
}

function decoded(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

function valueIn({ document }: SourceFile, pointer: string): JsonValue | undefined {
  try {
    return getAtPointer(document.root, pointer);
  } catch {
    return undefined;
  }
}

function missing(reference: string, { document }: SourceFile): Reason {
  return { message: `${reference} does not exist`, expected: `a part of ${document.file}` };
}

/**
 * The names that schemas of a file give themselves (JSON Schema 2020-12 Core §8.2): by absolute URI, the JSON pointer of
 * each `$id`, and with a fragment that of each `$anchor`.
 */
type IdentifierIndex = ReadonlyMap<string, string>;

/** @param uri - where the file was read */
function indexIdentifiers(root: JsonValue, uri: string): IdentifierIndex {
  const index = new Map<string, string>();
  const enter = (value: JsonValue, pointer: string, around: string): void => {
    if (Array.isArray(value)) {
      for (const [position, item] of value.entries()) enter(item, joinPointer(pointer, position), around);
      return;
    }
    if (!isSchemaObject(value)) return;
    const base = baseOf(value, around);
    if (base !== around) index.set(base, pointer);
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const name = value[keyword];
      // The first of two that have one name: a document may hold examples of itself.
      if (typeof name === 'string' && !index.has(`${base}#${name}`)) index.set(`${base}#${name}`, pointer);
    }
    for (const [name, property] of Object.entries(value)) enter(property, joinPointer(pointer, name), base);
  };
  enter(root, '', uri);
  return index;
}

/** The URI that references in a schema are relative to: its `$id`, else that of what is around it. */
export function baseOf(schema: JsonValue, around: string): string {
  const id = isSchemaObject(schema) ? schema['$id'] : undefined;
  if (typeof id !== 'string' || !URL.canParse(id, around)) return around;
  const url = new URL(id, around);
  url.hash = '';
  return url.href;
}
