import type { PlacedSchema, SchemaContext } from '../json-schema/schema-context';
import type { Direction } from '../json-schema/schema';
import { SchemaFault } from '../json-schema/schema-fault';
import type { SchemaResource, SchemaResources } from './schema-resources';
import { valueAt, type SourceDocument } from './source-document';

/** The dynamic anchors that were met first on the way from where the judging began, by name. */
export type DynamicScope = ReadonlyMap<string, string>;

export const NO_SCOPE: DynamicScope = new Map();

/**
 * A schema as it is compiled. One schema is compiled twice where the direction matters to it, or where dynamic
 * references lead somewhere else depending on where the judging began; those are followed once, here, and not again for
 * every value.
 */
export interface SchemaUse {
  readonly pointer: string;
  readonly direction: Direction;
  /** Does the direction matter? Then the schema is compiled for each. */
  readonly isOneWay: boolean;
  readonly scope: DynamicScope;
}

/** Two uses are the same exactly when they have the same key. */
export function keyOf({ pointer, direction, isOneWay, scope }: SchemaUse): string {
  const anchors = [...scope].map(([name, target]) => ` ${name}=${target}`).sort();
  return `${isOneWay ? direction : 'both'} ${pointer}${anchors.join('')}`;
}

/** What the contexts of one use share. */
interface Around {
  readonly document: SourceDocument;
  readonly resources: SchemaResources;
  readonly use: SchemaUse;
  /** Gives the id of another schema in the same direction, and sees to its registration. */
  readonly register: (pointer: string, scope: DynamicScope) => string;
  /** Does the scope matter? */
  readonly hasDynamic: boolean;
}

/** The context in which the schema of a use is translated. */
export function contextOf(around: Around): SchemaContext {
  const resource = around.resources.around(around.use.pointer);
  return contextIn(around, resource, scopeOn(around, around.use.scope, resource));
}

function contextIn(around: Around, resource: SchemaResource, scope: DynamicScope): SchemaContext {
  const { document, resources, use } = around;
  const find = (reference: string, pointer: string): string => {
    const target = resources.find(reference, resource);
    if (target === undefined || target === '') throw noSchema(pointer, reference);
    const schema = valueAt(document, target);
    if (typeof schema !== 'boolean' && (typeof schema !== 'object' || schema === null || Array.isArray(schema))) {
      throw noSchema(pointer, reference);
    }
    return target;
  };
  const idOf = (target: string): string => {
    return around.register(target, scopeOn(around, scope, resources.around(target)));
  };
  return {
    direction: use.direction,
    hasOneWayMembers: use.isOneWay,
    dialect: resource.dialect,
    register: idOf,
    refer: (reference, pointer) => idOf(find(reference, pointer)),
    referDynamically(reference, pointer) {
      const target = find(reference, pointer);
      const name = reference.slice(reference.indexOf('#') + 1);
      // Only a dynamic anchor is looked up again; any other target makes it an ordinary reference.
      const isDynamic = resources.dynamicAnchors(resources.around(target)).get(name) === target;
      return idOf(isDynamic ? (scope.get(name) ?? target) : target);
    },
    target(reference): PlacedSchema | undefined {
      const pointer = resources.find(reference, resource);
      const schema = pointer === undefined ? undefined : valueAt(document, pointer);
      if (pointer === undefined || schema === undefined) return undefined;
      const there = resources.around(pointer);
      return { schema, pointer, context: contextIn(around, there, scopeOn(around, scope, there)) };
    },
    within(schema, pointer) {
      const inner = resources.within(resource, schema, pointer);
      return inner === resource ? this : contextIn(around, inner, scopeOn(around, scope, inner));
    },
  };
}

/** The scope after a resource is entered: what was met before stays (JSON Schema Core §8.2.3.2). */
function scopeOn({ hasDynamic, resources }: Around, scope: DynamicScope, resource: SchemaResource): DynamicScope {
  if (!hasDynamic) return NO_SCOPE;
  const fresh = [...resources.dynamicAnchors(resource)].filter(([name]) => !scope.has(name));
  return fresh.length === 0 ? scope : new Map([...scope, ...fresh]);
}

/** @param pointer - the schema that refers */
export function noSchema(pointer: string, reference: string): SchemaFault {
  return new SchemaFault(pointer, `its reference ${reference} leads to no schema of this file`);
}
