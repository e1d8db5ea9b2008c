import { isSchemaObject, type SchemaObject } from '../../json-schema/schema';
import { joinPointer } from '../../json/json-pointer';
import type { JsonValue } from '../../json/json-value';
import type { SchemaResource, SchemaResources } from '../../openapi/schema-resources';
import { NO_SCOPE, type DynamicScope } from '../../openapi/schema-use';
import { valueAt, type SourceDocument } from '../../openapi/source-document';

/** Members that no value is judged by unless something refers to them, and those that hold data. */
const NOT_ENTERED: ReadonlySet<string> = new Set([
  ...['$defs', 'definitions', 'example', 'examples', 'default', 'enum', 'const'],
]);

/** Does anything in a document refer by where the judging began? Most documents are spared all that follows. */
export function hasDynamicReferences(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.some(hasDynamicReferences);
  if (!isSchemaObject(value)) return false;
  return (
    typeof value['$dynamicRef'] === 'string' || Object.values(value).some((each) => hasDynamicReferences(each ?? null))
  );
}

/**
 * Where the dynamic references lead that are met from a schema on: to the first dynamic anchor of their name on the way
 * (JSON Schema Core §8.2.3.2). Where several ways lead to one reference, the shortest counts for all.
 */
export function dynamicScopeFrom(document: SourceDocument, resources: SchemaResources, start: string): DynamicScope {
  const scope = new Map<string, string>();
  // What is added while the set is walked is walked too, once: circles end where they began.
  const reached = new Set([start]);
  const enter = (resource: SchemaResource): void => {
    for (const [name, pointer] of resources.dynamicAnchors(resource)) if (!scope.has(name)) scope.set(name, pointer);
  };
  const look = (value: JsonValue, pointer: string, around: SchemaResource): void => {
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) look(item, joinPointer(pointer, index), around);
    }
    if (!isSchemaObject(value)) return;
    const resource = resources.within(around, value, pointer);
    if (resource !== around) enter(resource);
    for (const target of targetsOf(value, resource, resources, scope)) reached.add(target);
    for (const [name, child] of Object.entries(value)) {
      if (!NOT_ENTERED.has(name)) look(child, joinPointer(pointer, name), resource);
    }
  };
  for (const pointer of reached) {
    const resource = resources.around(pointer);
    enter(resource);
    look(valueAt(document, pointer) ?? null, pointer, resource);
  }
  return scope.size === 0 ? NO_SCOPE : scope;
}

function targetsOf(
  { $ref, $dynamicRef }: SchemaObject,
  resource: SchemaResource,
  resources: SchemaResources,
  scope: DynamicScope,
): string[] {
  const plain = typeof $ref === 'string' ? resources.find($ref, resource) : undefined;
  const dynamic = typeof $dynamicRef === 'string' ? dynamicTarget($dynamicRef, resource, resources, scope) : undefined;
  return [plain, dynamic].filter((target) => target !== undefined);
}

/** Only a dynamic anchor is looked up again; any other target makes a dynamic reference an ordinary one. */
export function dynamicTarget(
  reference: string,
  resource: SchemaResource,
  resources: SchemaResources,
  scope: DynamicScope,
): string | undefined {
  const target = resources.find(reference, resource);
  if (target === undefined) return undefined;
  const name = reference.slice(reference.indexOf('#') + 1);
  const isDynamic = resources.dynamicAnchors(resources.around(target)).get(name) === target;
  return isDynamic ? (scope.get(name) ?? target) : target;
}
