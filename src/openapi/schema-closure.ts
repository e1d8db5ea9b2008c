import { joinPointer } from '../json/json-pointer';
import type { JsonValue } from '../json/json-value';
import { isSchemaObject, type SchemaObject } from '../json-schema/schema';
import { localPointer } from './references';
import type { SchemaResource, SchemaResources } from './schema-resources';
import { valueAt, type SourceDocument } from './source-document';

/** What there is in a schema and in everything that it leads to, so that the rest need not be paid for. */
export interface SchemaFacts {
  /** Something is `readOnly` or `writeOnly`, so that the direction matters. */
  readonly isOneWay: boolean;
  /** Something is demanded of what no other keyword has looked at. */
  readonly hasUnevaluated: boolean;
  /** Something refers by where the judging began. */
  readonly hasDynamic: boolean;
}

const REFERENCES = ['$ref', '$recursiveRef', '$dynamicRef'] as const;

interface Node {
  isOneWay: boolean;
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
  private readonly resources: SchemaResources | undefined;
  private readonly nodes = new Map<string, Node>();
  private readonly facts = new Map<string, SchemaFacts>();

  /** @param resources - `undefined` for OpenAPI 3.0, where schemas have neither ids nor anchors */
  constructor(document: SourceDocument, resources: SchemaResources | undefined) {
    this.document = document;
    this.resources = resources;
  }

  factsOf(pointer: string): SchemaFacts {
    const known = this.facts.get(pointer);
    if (known !== undefined) return known;
    const facts = { isOneWay: false, hasUnevaluated: false, hasDynamic: false };
    // What is added while the set is walked is walked too, once: circles end where they began.
    const reached = new Set([pointer]);
    for (const next of reached) {
      const node = this.nodeOf(next);
      facts.isOneWay ||= node.isOneWay;
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
        (node = { isOneWay: false, hasUnevaluated: false, hasDynamic: false, targets: new Set() }),
      );
      this.look(valueAt(this.document, pointer) ?? null, pointer, this.resources?.around(pointer), node);
    }
    return node;
  }

  private look(value: JsonValue, pointer: string, around: SchemaResource | undefined, node: Node): void {
    if (Array.isArray(value)) {
      value.forEach((item, index) => {
        this.look(item, joinPointer(pointer, index), around, node);
      });
      return;
    }
    if (!isSchemaObject(value)) return;
    const resource = around === undefined ? undefined : this.resources?.within(around, value, pointer);
    noteKeywords(value, node);
    for (const target of this.targetsOf(value, resource)) node.targets.add(target);
    for (const [name, child] of Object.entries(value)) {
      if (typeof child === 'object') this.look(child, joinPointer(pointer, name), resource, node);
    }
  }

  private targetsOf(schema: SchemaObject, resource: SchemaResource | undefined): string[] {
    const { resources } = this;
    const references = REFERENCES.map((keyword) => schema[keyword]).filter((value) => typeof value === 'string');
    if (resource === undefined || resources === undefined)
      return references.flatMap((text) => localPointer(text) ?? []);
    const name = typeof schema['$dynamicRef'] === 'string' ? schema['$dynamicRef'].replace(/^.*#/, '') : '';
    return [
      ...references.flatMap((text) => resources.find(text, resource) ?? []),
      ...(name === '' ? [] : resources.everyDynamicAnchor(name)),
    ];
  }
}

function noteKeywords(schema: SchemaObject, node: Node): void {
  node.isOneWay ||= schema['readOnly'] === true || schema['writeOnly'] === true;
  node.hasUnevaluated ||= schema['unevaluatedProperties'] !== undefined || schema['unevaluatedItems'] !== undefined;
  node.hasDynamic ||= typeof schema['$dynamicRef'] === 'string';
}
