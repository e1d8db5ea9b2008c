import { joinPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { isSchemaObject, type SchemaObject } from '../../schema/schema-object';
import { referenceOf } from '../read/references';
import { type SourceDocument, valueAt } from '../read/source-document';
import type { SchemaResource, SchemaResources } from './schema-resources';

/** What there is in a schema and in everything that it leads to, so that the rest need not be paid for. */
interface SchemaFacts {
  /** Something is `readOnly` or `writeOnly`, so that the direction matters. */
  readonly dependsOnDirection: boolean;
  /** Something is demanded of what no other keyword has looked at. */
  readonly hasUnevaluated: boolean;
  /** Something refers by where the judging began. */
  readonly hasDynamic: boolean;
}

const REFERENCES = ['$ref', '$recursiveRef', '$dynamicRef'] as const;

interface Node {
  dependsOnDirection: boolean;
  hasUnevaluated: boolean;
  hasDynamic: boolean;
  /** Pointers that it refers to. */
  readonly targets: Set<string>;
}

/**
 * Looks through schemas and what they refer to. It does not tell schemas from examples, so that it may see something
 * where there is nothing: then more is done than had to be.
 */
export class SchemaClosure {
  private readonly document: SourceDocument;
  private readonly resources: SchemaResources;
  private readonly nodes = new Map<string, Node>();
  private readonly facts = new Map<string, SchemaFacts>();

  constructor(document: SourceDocument, resources: SchemaResources) {
    this.document = document;
    this.resources = resources;
  }

  factsOf(pointer: string): SchemaFacts {
    const known = this.facts.get(pointer);
    if (known !== undefined) return known;
    const facts = { dependsOnDirection: false, hasUnevaluated: false, hasDynamic: false };
    // What is added while the set is walked is walked too, once: circles end where they began.
    const reached = new Set([pointer]);
    for (const next of reached) {
      const node = this.nodeOf(next);
      facts.dependsOnDirection ||= node.dependsOnDirection;
      facts.hasUnevaluated ||= node.hasUnevaluated;
      facts.hasDynamic ||= node.hasDynamic;
      for (const target of node.targets) reached.add(target);
    }
    this.facts.set(pointer, facts);
    return facts;
  }

  private nodeOf(pointer: string): Node {
    let node = this.nodes.get(pointer);
    if (node === undefined) {
      this.nodes.set(
        pointer,
        (node = { dependsOnDirection: false, hasUnevaluated: false, hasDynamic: false, targets: new Set() }),
      );
      this.look(valueAt(this.document, pointer) ?? null, pointer, this.resources.around(pointer), node);
    }
    return node;
  }

  private look(value: JsonValue, pointer: string, around: SchemaResource, node: Node): void {
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        this.look(item, joinPointer(pointer, index), around, node);
      });
      return;
    }
    if (!isSchemaObject(value)) return;
    const resource = this.resources.within(around, value, pointer);
    noteKeywords(value, node);
    for (const target of this.targetsOf(value, resource)) node.targets.add(target);
    for (const [name, child] of Object.entries(value)) {
      if (typeof child === 'object') this.look(child, joinPointer(pointer, name), resource, node);
    }
  }

  private targetsOf(schema: SchemaObject, resource: SchemaResource): string[] {
    const { resources } = this;
    const references = REFERENCES.map((keyword) => schema[keyword]).filter((value) => typeof value === 'string');
    const name = typeof schema['$dynamicRef'] === 'string' ? schema['$dynamicRef'].replace(/^.*#/, '') : '';
    return [
      ...references.flatMap((text) => resources.find(text, resource) ?? []),
      ...(name === '' ? [] : resources.everyDynamicAnchor(name)),
    ];
  }
}

function noteKeywords(schema: SchemaObject, node: Node): void {
  node.dependsOnDirection ||= schema['readOnly'] === true || schema['writeOnly'] === true;
  node.hasUnevaluated ||= schema['unevaluatedProperties'] !== undefined || schema['unevaluatedItems'] !== undefined;
  node.hasDynamic ||= typeof schema['$dynamicRef'] === 'string';
}

/** Keywords whose schemas judge the same value, one, a list or an object of them. */
const IN_PLACE = ['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas'] as const;
const IN_PLACE_30 = ['allOf', 'anyOf', 'oneOf', 'not'] as const;

/**
 * Finds schemas that would judge a value by themselves without end: they lead back to themselves through references,
 * `allOf`, `anyOf`, `oneOf`, `not` and the like without going down into the value, which JSON Schema forbids (Core,
 * "Schema References With "$ref""). A circle through `properties` or `items` ends with the value.
 *
 * Each schema is looked at once, whatever refers to it: a chain of a thousand costs a thousand looks.
 */
export class CircularSchemas {
  private readonly document: SourceDocument;
  private readonly resources: SchemaResources;
  /** By pointer: the schema on a circle that it leads to, or `undefined` for one that comes to an end. */
  private readonly known = new Map<string, string | undefined>();

  constructor(document: SourceDocument, resources: SchemaResources) {
    this.document = document;
    this.resources = resources;
  }

  /** @returns the pointer of the first such schema that the one at `pointer` applies to the same value, if any */
  find(pointer: string): string | undefined {
    if (this.known.has(pointer)) return this.known.get(pointer);
    // A stack of our own: a chain may be longer than the one of the engine.
    const path = [this.enter(pointer)];
    const open = new Map([[pointer, 0]]);
    for (let last = path.at(-1); last !== undefined; last = path.at(-1)) {
      const next = last.left.pop();
      if (next === undefined) {
        this.known.set(last.pointer, undefined);
        open.delete(last.pointer);
        path.pop();
        continue;
      }
      const found = open.has(next) ? next : this.known.get(next);
      if (found !== undefined) {
        const start = open.get(found) ?? path.length;
        // What stands on the circle is met again itself; what leads to it meets its first schema.
        path.forEach((entry, index) => this.known.set(entry.pointer, index >= start ? entry.pointer : found));
        return this.known.get(pointer);
      }
      if (this.known.has(next)) continue;
      open.set(next, path.length);
      path.push(this.enter(next));
    }
    return undefined;
  }

  private enter(pointer: string): { readonly pointer: string; readonly left: string[] } {
    return { pointer, left: appliedInPlace(this.document, pointer, this.resources).reverse() };
  }
}

/** Pointers of the schemas that a schema applies to the very value that it checks. */
function appliedInPlace(document: SourceDocument, pointer: string, resources: SchemaResources): string[] {
  const schema = valueAt(document, pointer);
  const reference = referenceOf(schema);
  if (!isSchemaObject(schema)) return [];
  const isAlone = resources.isOpenApi30 && reference !== undefined;
  const keywords = resources.isOpenApi30 ? IN_PLACE_30 : IN_PLACE;
  const applied = (isAlone ? [] : keywords).flatMap((keyword) => {
    const operand = schema[keyword];
    const at = joinPointer(pointer, keyword);
    if (Array.isArray(operand)) return operand.map((_, index) => joinPointer(at, index));
    if (keyword !== 'dependentSchemas') return operand === undefined ? [] : [at];
    return isSchemaObject(operand) ? Object.keys(operand).map((name) => joinPointer(at, name)) : [];
  });
  for (const each of [reference, schema['$dynamicRef']]) {
    const target = typeof each === 'string' ? resources.find(each, resources.around(pointer)) : undefined;
    if (target !== undefined) applied.push(target);
  }
  return applied;
}
