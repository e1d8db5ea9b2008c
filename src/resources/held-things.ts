import type { Operation, Property, Schema } from '../openapi/model';
import { requestSchema, successSchema } from './bodies';
import { toUse } from './collections';
import { schemaName, type Inference, type ResourceDraft, type Use } from './draft';
import { foldedName, singular } from './inflection';
import { isScalar } from './key-elsewhere';
import { lastLiteral } from './path-template';
import type { HeldThings } from './resource-model';
import { typesOf, type SchemaReader } from './schema-reader';

/**
 * Binds the writes of collections whose items say that another thing is there, `{ added_at, track: Track }` at
 * `/me/tracks`, where they name things by a list of a member of theirs: `ids` of their `id`, `uris` of their `uri`, in the
 * query or in the body. PUT and POST put them there, DELETE takes them away, and a GET below it that answers a truth value
 * for each tells which are there.
 */
export function bindHeldThings(inference: Inference, drafts: ReadonlyMap<string, ResourceDraft>): void {
  for (const draft of drafts.values()) {
    const isListed = draft.itemTemplate === undefined && draft.uses.some(({ behaviour }) => behaviour === 'list');
    const holder = isListed ? holderIn(inference.reader, draft) : undefined;
    if (holder === undefined) continue;
    const uses = usesOfHolder(inference, draft, holder);
    if (!uses.some(({ held }) => held?.does === 'add')) continue;
    const bound = new Set(uses.map(({ operation }) => operation));
    const kept = draft.uses.filter(({ operation }) => !bound.has(operation));
    draft.uses.splice(0, draft.uses.length, ...kept, ...uses);
  }
}

interface Holder {
  readonly member: string;
  readonly thing: Schema;
}

/** The member that is the thing: called as the path calls it, else the only object among the members. */
function holderIn(reader: SchemaReader, { schema, template }: ResourceDraft): Holder | undefined {
  const members = [...reader.members(schema).values()];
  if (members.some(({ name }) => name === 'id')) return undefined;
  const objects = members.flatMap((property): Holder[] => {
    const thing = reader.member(property);
    const isThing = thing !== undefined && reader.members(thing).size > 2 && reader.members(thing).has('id');
    return isThing ? [{ member: property.name, thing }] : [];
  });
  const called = singular(foldedName(lastLiteral(template.segments)));
  return objects.find(({ member }) => foldedName(member) === called) ?? (objects.length === 1 ? objects[0] : undefined);
}

const DOES: Readonly<Partial<Record<string, HeldThings['does']>>> = { PUT: 'add', POST: 'add', DELETE: 'remove' };

function usesOfHolder(inference: Inference, draft: ResourceDraft, { member, thing }: Holder): Use[] {
  const { index, reader } = inference;
  const { shape, segments } = draft.template;
  const operations = index.nodes.get(shape)?.operations ?? [];
  const hasPost = operations.some((each) => index.methodOf(each) === 'POST');
  const use = (operation: Operation, does: HeldThings['does'] | undefined, text: string): Use[] => {
    const named = does === undefined ? undefined : namesIn(reader, operation, thing);
    if (does === undefined || named === undefined) return [];
    const held: HeldThings = { ...named, member, does };
    const parts = { depth: segments.length, isOnItem: false, request: undefined, response: undefined } as const;
    return [toUse(inference, operation, 'hold', { ...parts, held, confidence: 'medium', text })];
  };
  const checks = [...index.nodes.values()]
    .filter(
      ({ template }) => template.segments.length === segments.length + 1 && template.shape.startsWith(`${shape}/`),
    )
    .flatMap((node) => node.operations.filter((each) => index.methodOf(each) === 'GET' && answersFlags(reader, each)));
  const name = schemaName(thing);
  return [
    ...operations.flatMap((each) => {
      const method = index.methodOf(each);
      const does = method === 'PUT' && hasPost ? 'replace' : DOES[method];
      return use(
        each,
        does,
        does === 'remove' ? `takes each ${name} away that it names` : `puts each ${name} there that it names`,
      );
    }),
    ...checks.flatMap((each) => use(each, 'check', `tells of each ${name} that it names whether it is there`)),
  ];
}

function answersFlags(reader: SchemaReader, operation: Operation): boolean {
  const body = reader.unwrap(successSchema(operation));
  const items = body === undefined ? undefined : reader.items(body);
  return items !== undefined && typesOf(items.value).includes('boolean');
}

/** By which member of theirs an operation names things, and where. */
function namesIn(
  reader: SchemaReader,
  operation: Operation,
  thing: Schema,
): Pick<HeldThings, 'by' | 'query' | 'body'> | undefined {
  const members = reader.members(thing);
  const memberOf = (name: string): string | undefined => {
    const property = name.endsWith('s') ? members.get(name.slice(0, -1)) : undefined;
    return property !== undefined && isScalar(property) ? property.name : undefined;
  };
  const inQuery = operation.parameters.find(({ in: place, name }) => place === 'query' && memberOf(name) !== undefined);
  const inBody = memberTaken(reader, requestSchema(operation), memberOf, members);
  const by = inQuery === undefined ? inBody?.by : memberOf(inQuery.name);
  if (by === undefined) return undefined;
  return { by, query: inQuery?.name, body: inBody?.by === by ? inBody.name : undefined };
}

/** `ids: [text]`, or `tracks: [{ uri }]`. */
function memberTaken(
  reader: SchemaReader,
  schema: Schema | undefined,
  memberOf: (name: string) => string | undefined,
  members: ReadonlyMap<string, Property>,
): { readonly by: string; readonly name: string } | undefined {
  const body = reader.unwrap(schema);
  for (const property of body === undefined ? [] : reader.members(body).values()) {
    const list = reader.member(property);
    const items = list === undefined ? undefined : reader.items(list);
    if (items === undefined) continue;
    const inRows = [...reader.members(items).values()].filter((each) => isScalar(each) && members.has(each.name));
    const by =
      reader.members(items).size === 0 ? memberOf(property.name) : inRows.length === 1 ? inRows[0]?.name : undefined;
    if (by !== undefined) return { by, name: property.name };
  }
  return undefined;
}
