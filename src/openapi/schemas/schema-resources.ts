import { getAtPointer, joinPointer, parsePointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { dialectOf, type JsonSchemaDialect } from '../../schema/dialects/schema-context';
import {
  EXAMPLES,
  InvalidSchemaError,
  isSchemaObject,
  SCHEMA_MAPS,
  type SchemaObject,
} from '../../schema/schema-object';
import { localPointer } from '../read/references';
import { oasVersionOf, type SourceDocument, valueAt } from '../read/source-document';

/** What references are read against: the document, or a schema with a `$id` (JSON Schema Core §4.3.5). */
export interface SchemaResource {
  /** `''` for the document. */
  readonly pointer: string;
  /** Absolute, without a fragment. */
  readonly uri: string;
  readonly dialect: JsonSchemaDialect;
}

interface Anchors {
  /** Pointers by the names of anchors, dynamic ones included. */
  readonly all: Map<string, string>;
  readonly dynamic: Map<string, string>;
}

interface Index {
  readonly resources: ReadonlyMap<string, SchemaResource>;
  /** By the pointer of the resource. */
  readonly anchors: ReadonlyMap<string, Anchors>;
}

/** The base of a document that does not say where it is; a reference to anything beside it leads out of the document. */
const SOMEWHERE = 'standin://description/';

const NO_ANCHORS: Anchors = { all: new Map(), dynamic: new Map() };

/** Properties that hold data, and no schemas. */
const DATA: ReadonlySet<string> = new Set([...EXAMPLES, 'enum', 'const', 'value', 'dataValue']);

/** Properties whose own properties are named by the author. */
const NAMED: ReadonlySet<string> = new Set([...SCHEMA_MAPS, 'schemas']);

/** Where the references of schemas lead in a document. */
export class SchemaResources {
  readonly root: SchemaResource;
  private readonly document: SourceDocument;
  // Most documents have neither ids nor anchors, and are not searched for them.
  private searched: Index | undefined;

  constructor(document: SourceDocument) {
    this.document = document;
    const root = isSchemaObject(document.root) ? document.root : {};
    if (oasVersionOf(document) === '3.0') {
      this.root = { pointer: '', uri: SOMEWHERE, dialect: 'openapi-3.0' };
      return;
    }
    const declared = root['jsonSchemaDialect'];
    this.root = {
      pointer: '',
      uri: resolveUri(textOf(root['$self']), SOMEWHERE),
      dialect: typeof declared === 'string' ? requireDialect(declared, '/jsonSchemaDialect') : '2020-12',
    };
  }

  /** OpenAPI 3.0 has neither ids nor anchors. */
  get isOpenApi30(): boolean {
    return this.root.dialect === 'openapi-3.0';
  }

  /** The resource that the schema at a pointer belongs to. */
  around(pointer: string): SchemaResource {
    if (this.isOpenApi30) return this.root;
    let resource = this.root;
    let at = '';
    let value: JsonValue | undefined = this.document.root;
    for (const segment of parsePointer(pointer)) {
      at = joinPointer(at, segment);
      value = value === undefined ? undefined : getAtPointer(value, joinPointer('', segment));
      if (isSchemaObject(value)) resource = this.within(resource, value, at);
    }
    return resource;
  }

  /** The resource inside of a schema: the one around it, unless it has an id or a dialect of its own. */
  within(around: SchemaResource, schema: SchemaObject, pointer: string): SchemaResource {
    if (this.isOpenApi30) return around;
    const declared = schema['$schema'];
    const dialect = typeof declared === 'string' ? requireDialect(declared, pointer) : around.dialect;
    const id = schema[dialect === 'draft-04' ? 'id' : '$id'];
    if (typeof id !== 'string' || id.startsWith('#')) {
      return dialect === around.dialect ? around : { ...around, dialect };
    }
    return { pointer, uri: resolveUri(id, around.uri), dialect };
  }

  /**
   * The pointer that a reference leads to (JSON Schema Core §8.2.3, RFC 3986 §5).
   *
   * @param from - the resource that the reference stands in
   * @returns `undefined` when it leads nowhere in this document
   */
  find(reference: string, from: SchemaResource): string | undefined {
    if (this.isOpenApi30) return localPointer(reference);
    const [address = '', fragment = ''] = reference.split('#', 2);
    const resource = address === '' ? from : this.byUri(resolveUri(address, from.uri));
    if (resource === undefined) return undefined;
    if (fragment !== '' && !fragment.startsWith('/')) {
      return this.anchorsOf(resource).all.get(fragment);
    }
    const relative = localPointer(`#${fragment}`);
    if (relative === undefined) return undefined;
    if (valueAt(this.document, resource.pointer + relative) !== undefined) return resource.pointer + relative;
    // Many write "#/components/…" in a schema with an id, where it strictly leads nowhere.
    return address === '' && valueAt(this.document, relative) !== undefined ? relative : undefined;
  }

  /** Pointers by name of the dynamic anchors of a resource. */
  dynamicAnchors(resource: SchemaResource): ReadonlyMap<string, string> {
    return this.anchorsOf(resource).dynamic;
  }

  /**
   * The pointer that a dynamic reference leads to: only a dynamic anchor is looked up again in the scope; any other target
   * makes it an ordinary reference (JSON Schema Core §8.2.3.2).
   */
  findDynamic(reference: string, from: SchemaResource, scope: ReadonlyMap<string, string>): string | undefined {
    const target = this.find(reference, from);
    if (target === undefined) return undefined;
    const name = reference.slice(reference.indexOf('#') + 1);
    const isDynamic = this.dynamicAnchors(this.around(target)).get(name) === target;
    return isDynamic ? (scope.get(name) ?? target) : target;
  }

  /** The pointers of every dynamic anchor of a name. */
  everyDynamicAnchor(name: string): string[] {
    return [...this.index.anchors.values()].flatMap(({ dynamic }) => dynamic.get(name) ?? []);
  }

  private byUri(uri: string): SchemaResource | undefined {
    return uri === this.root.uri ? this.root : this.index.resources.get(uri);
  }

  private anchorsOf({ pointer }: SchemaResource): Anchors {
    return this.index.anchors.get(pointer) ?? NO_ANCHORS;
  }

  private get index(): Index {
    return (this.searched ??= this.search());
  }

  private search(): Index {
    const resources = new Map<string, SchemaResource>();
    const anchors = new Map<string, Anchors>();
    const enter = (value: JsonValue, pointer: string, around: SchemaResource, isNamed: boolean): void => {
      if (Array.isArray(value)) {
        value.forEach((item, index) => {
          enter(item, joinPointer(pointer, index), around, false);
        });
        return;
      }
      if (!isSchemaObject(value)) return;
      const resource = pointer === '' || isNamed ? around : this.within(around, value, pointer);
      if (resource.pointer === pointer) resources.set(resource.uri, resource);
      if (!isNamed) addAnchors(value, pointer, resource, anchors);
      for (const [name, child] of Object.entries(value)) {
        if (!isNamed && (DATA.has(name) || name.startsWith('x-'))) continue;
        enter(child, joinPointer(pointer, name), resource, !isNamed && NAMED.has(name));
      }
    };
    enter(this.document.root, '', this.root, false);
    return { resources, anchors };
  }
}

function addAnchors(
  schema: SchemaObject,
  pointer: string,
  resource: SchemaResource,
  anchors: Map<string, Anchors>,
): void {
  const { $anchor, $dynamicAnchor, $id } = schema;
  // Before 2019-09 an id that is only a fragment was an anchor.
  const fragment = textOf($id).startsWith('#') ? textOf($id).slice(1) : '';
  const names = [textOf($anchor), textOf($dynamicAnchor), fragment].filter((name) => name !== '');
  if (names.length === 0) return;
  const known = anchors.get(resource.pointer) ?? { all: new Map<string, string>(), dynamic: new Map<string, string>() };
  anchors.set(resource.pointer, known);
  for (const name of names) if (!known.all.has(name)) known.all.set(name, pointer);
  if (typeof $dynamicAnchor === 'string' && !known.dynamic.has($dynamicAnchor)) {
    known.dynamic.set($dynamicAnchor, pointer);
  }
}

/** @throws SchemaFault for a dialect that is not known: by it, nothing could be checked */
function requireDialect(uri: string, pointer: string): JsonSchemaDialect {
  const dialect = dialectOf(uri);
  if (dialect === undefined)
    throw new InvalidSchemaError(pointer, `it is written in the dialect ${uri}, which is not known`);
  return dialect;
}

function resolveUri(reference: string, base: string): string {
  try {
    return new URL(reference, base).href.replace(/#.*$/, '');
  } catch {
    return reference.replace(/#.*$/, '');
  }
}

function textOf(value: JsonValue | undefined): string {
  return typeof value === 'string' ? value : '';
}
