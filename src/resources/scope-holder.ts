import type { Property, Schema } from '../openapi/model';
import type { ResourceDraft } from './draft';
import { foldedName } from './inflection';
import { chooseKey } from './key';
import type { Segment } from './path-template';
import type { ResourceDescription, ScopeHolder, ScopeVariable } from './resource-model';
import { typesOf, type SchemaReader } from './schema-reader';
import { memberForVariable, thingsOf } from './scope';

/** Of a resource, what is known before it is seen beside the others. */
type Known = Pick<ResourceDescription, 'path' | 'scope' | 'key' | 'properties'>;

/**
 * The variables of a resource's path, together with the members that show what they name. All resources are known by
 * now: where one of them keeps what a variable names, its key is looked for.
 */
export function withHolders(
  { scope, properties, key: ownKey }: Known,
  { template, uses }: ResourceDraft,
  resources: ReadonlyMap<string, Known>,
  reader: SchemaReader,
): ScopeVariable[] {
  const places = template.segments.flatMap(({ kind }, index) => (kind === 'variable' ? [index] : []));
  return scope.map((variable, position) => {
    const place = places[position] ?? 0;
    const found = embeddedThing(template.segments, place, properties, reader, variable.parent);
    if (found === undefined) {
      const holder = besideKey(template.segments, place, properties, reader, ownKey);
      return variable.member === undefined && holder !== undefined ? { ...variable, holder } : variable;
    }
    const parent = variable.parent === undefined ? undefined : resources.get(variable.parent);
    const key =
      parent === undefined
        ? keyByName(found, variable, uses, reader)
        : reader.members(found.schema).has(parent.key.member)
          ? parent.key.member
          : undefined;
    const holder: ScopeHolder | undefined =
      key === undefined ? undefined : { member: found.property.name, key, isThing: true };
    return { ...variable, holder };
  });
}

/** Where items show their key in a member of a member, they show there as well where they lie: `metadata: { namespace, name }`. */
function besideKey(
  segments: readonly Segment[],
  index: number,
  properties: ReadonlyMap<string, Property>,
  reader: SchemaReader,
  { shownAt }: Known['key'],
): ScopeHolder | undefined {
  const [member, name] = shownAt;
  const property = member === undefined ? undefined : properties.get(member);
  const schema = property === undefined ? undefined : reader.member(property);
  if (member === undefined || name === undefined || shownAt.length !== 2 || schema === undefined) return undefined;
  const key = memberForVariable(segments, index, reader.members(schema), name);
  return key === undefined ? undefined : { member, key, isThing: false };
}

/** A member of an item that is an object, and its schema. */
interface Embedded {
  readonly property: Property;
  readonly schema: Schema;
}

/**
 * The member that shows what a variable names, by its own name: `owner` for `{owner}` and for `{ownerId}`.
 *
 * @param parent - path of the collection whose items the variable names, where there is one
 */
export function embeddedThing(
  segments: readonly Segment[],
  index: number,
  members: ReadonlyMap<string, Property>,
  reader: SchemaReader,
  parent: string | undefined,
): Embedded | undefined {
  for (const name of thingsOf(segments, index, parent !== undefined)) {
    for (const property of members.values()) {
      if (foldedName(property.name) !== name) continue;
      const schema = reader.member(property);
      if (schema !== undefined && reader.items(schema) === undefined && reader.members(schema).size > 0)
        return { property, schema };
    }
  }
  return undefined;
}

/** As the key of items is chosen, but never a number for a text: `{owner}` is no `owner.id`. */
function keyByName(
  { property, schema }: Embedded,
  { name }: ScopeVariable,
  uses: ResourceDraft['uses'],
  reader: SchemaReader,
): string | undefined {
  const parameters = uses.flatMap(({ operation }) => operation.parameters);
  const parameter = parameters.find((each) => each.in === 'path' && each.name === name);
  const members = reader.members(schema);
  const { member, confidence } = chooseKey(members, [name], parameter, property.name, reader);
  const chosen = members.get(member);
  if (chosen === undefined || confidence === 'high') return chosen?.name;
  const [wanted, own] = [typesOf(parameter?.schema?.value ?? {}), typesOf(chosen.schema)];
  return wanted.some((type) => own.includes(type)) ? member : undefined;
}
