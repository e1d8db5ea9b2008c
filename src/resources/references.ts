import type { Property } from '../openapi/model';
import { foldedName, singular, wordsOf } from './inflection';
import type { MemberReference, ResourceDescription } from './resource-model';
import { typesOf, type SchemaReader } from './schema-reader';
import type { ResourceStatement } from './statements';

/** Endings that say that a member holds the key of something else. */
const KEY_ENDINGS = new Set(['id', 'uuid', 'guid', 'key', 'code', 'slug', 'number', 'ref']);

/** The collections that members can refer to, by the folded names of their items. */
export class ReferenceTargets {
  private readonly byName = new Map<string, ResourceDescription[]>();
  private readonly bySchema = new Map<string, ResourceDescription[]>();

  constructor(resources: readonly ResourceDescription[]) {
    for (const resource of resources) {
      if (resource.kind === 'singleton') continue;
      push(this.byName, foldedName(resource.name), resource);
      push(this.bySchema, resource.schema.pointer, resource);
    }
  }

  /** What a name means, seen from a resource: one that is kept under the same scope, else one without a scope. */
  named(name: string, from: ResourceDescription): ResourceDescription | undefined {
    return choose(this.byName.get(name), from);
  }

  ofSchema(pointer: string, from: ResourceDescription): ResourceDescription | undefined {
    return choose(this.bySchema.get(pointer), from);
  }
}

function push(map: Map<string, ResourceDescription[]>, name: string, resource: ResourceDescription): void {
  const known = map.get(name);
  if (known === undefined) map.set(name, [resource]);
  else known.push(resource);
}

function choose(all: readonly ResourceDescription[] = [], from: ResourceDescription): ResourceDescription | undefined {
  const near = all.filter(
    ({ scope }) => scope.length > 0 && scope.every(({ name }, index) => from.scope[index]?.name === name),
  );
  const open = all.filter(({ scope }) => scope.length === 0);
  if (near.length === 1) return near[0];
  return open.length === 1 ? open[0] : undefined;
}

/**
 * The members of a resource that refer to others: `bookId`, `book_ids`, an object or a list of objects of the schema that
 * another resource keeps. All resources are known by now, so that their order means nothing.
 */
export function referencesOf(
  resource: ResourceDescription,
  targets: ReferenceTargets,
  reader: SchemaReader,
  stated: ResourceStatement | undefined,
): MemberReference[] {
  return [...resource.properties.values()].flatMap((property): MemberReference[] => {
    const said = stated?.references.get(property.name);
    if (said === false) return [];
    if (said !== undefined && stated !== undefined) {
      const form = typesOf(property.schema).includes('array') ? 'keys' : 'key';
      return [{ member: property.name, to: said, form, evidence: stated.evidence }];
    }
    const found = byKeyName(resource, property, targets) ?? embedded(resource, property, targets, reader);
    return found === undefined ? [] : [found];
  });
}

function byKeyName(
  from: ResourceDescription,
  property: Property,
  targets: ReferenceTargets,
): MemberReference | undefined {
  const { name: member, schema, pointer } = property;
  const words = wordsOf(member);
  const ending = words.at(-1) ?? '';
  const isList = typesOf(schema).includes('array');
  const key = singular(ending);
  if (words.length < 2 || !KEY_ENDINGS.has(key) || typesOf(schema).includes('object')) return undefined;
  const noun = words.slice(0, -1);
  // `billingAddressId` is the id of an address.
  for (let start = 0; start < noun.length; start++) {
    const target = targets.named(foldedName(noun.slice(start).join('_')), from);
    if (target === undefined) continue;
    // The own key is no reference, even where its name has the noun in it.
    if (target === from && member === from.key.member) return undefined;
    if (!fits(key, target)) continue;
    const text = `"${member}" holds ${isList ? 'keys' : 'the key'} of ${target.path}, by its name`;
    return { member, to: target.path, form: isList ? 'keys' : 'key', evidence: { text, pointer } };
  }
  return undefined;
}

/** `bookCode` refers to a book only where books are found by their code. */
function fits(ending: string, { key }: ResourceDescription): boolean {
  return ending === 'id' || ending === 'ref' || wordsOf(key.member).at(-1) === ending;
}

function embedded(
  from: ResourceDescription,
  property: Property,
  targets: ReferenceTargets,
  reader: SchemaReader,
): MemberReference | undefined {
  const schema = reader.member(property);
  const items = schema === undefined ? undefined : reader.items(schema);
  const inner = items ?? schema;
  if (inner === undefined || reader.members(inner).size === 0) return undefined;
  const bySchema = targets.ofSchema(inner.pointer, from);
  const target = bySchema ?? namedAlike(from, property.name, reader.members(inner), targets);
  if (target === undefined || !reader.members(inner).has(target.key.member)) return undefined;
  const { name: member, pointer } = property;
  const why = bySchema === undefined ? 'name and members' : 'schema';
  const text = `"${member}" shows ${items === undefined ? 'an item' : 'items'} of ${target.path}, by its ${why}`;
  return {
    member,
    to: target.path,
    form: items === undefined ? 'embedded' : 'embedded-list',
    evidence: { text, pointer },
  };
}

/** By its name alone only when what is embedded has nothing that the other lacks. */
function namedAlike(
  from: ResourceDescription,
  name: string,
  members: ReadonlyMap<string, Property>,
  targets: ReferenceTargets,
): ResourceDescription | undefined {
  const target = targets.named(foldedName(name), from);
  return target !== undefined && [...members.keys()].every((member) => target.properties.has(member))
    ? target
    : undefined;
}
