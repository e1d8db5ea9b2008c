import { isJsonMediaType } from '../http/media-type';
import type { ApiModel, Property, ResponseSpec, Schema } from '../openapi/model';
import { foldedName } from '../resources/inflection';
import type { Behaviour, Binding, ResourceModel } from '../resources/resource-model';
import { readerOf } from '../resources/schema-reader';
import { isWork, workState, type WorkState } from '../resources/work-state';
import type { Resource } from './resource';

/** A resource whose items tell how work goes that other operations were asked for: tasks, actions, operations. */
export interface TaskKind extends WorkState {
  readonly resource: Resource;
  /** One that finds its items by their keys. */
  readonly read: Binding;
  readonly bindings: readonly Binding[];
}

/** Where an answer has a task, or a list of them; the way is empty for the answer itself. */
export interface TaskPlace {
  readonly kind: TaskKind;
  readonly member: string | undefined;
  readonly isList: boolean;
  /** What a task is there: as it is read, or a part of it. */
  readonly members: ReadonlyMap<string, Property>;
}

/** What clients do themselves with things that are no tasks. */
const BY_CLIENTS: ReadonlySet<Behaviour> = new Set(['create-many', 'replace', 'update', 'upsert']);

/**
 * The tasks among resources: their states lead to success or to failure, or operations tell whether they are done; no
 * operation changes them, and none makes them in their own collection, unless that is one of actions below an item.
 */
export function taskKinds(api: ApiModel, model: ResourceModel, resources: readonly Resource[]): TaskKind[] {
  return resources.flatMap((resource) => {
    const bindings = [...model.bindings.values()].filter(({ resource: { path } }) => path === resource.path);
    const isTask = resource.kind === 'collection' && !bindings.some((each) => isByClients(each, resource));
    const read = bindings.find(({ behaviour, keyParameter }) => behaviour === 'read' && keyParameter !== undefined);
    const state =
      isTask && read !== undefined ? workState(readerOf(api), resource.properties, resource.name) : undefined;
    return read === undefined || state === undefined ? [] : [{ resource, read, bindings, ...state }];
  });
}

function isByClients({ behaviour, restrictions }: Binding, { scope, name }: Resource): boolean {
  const isAskedBelow = restrictions.length > 0 || (scope.length > 0 && isWork(name));
  return BY_CLIENTS.has(behaviour) || (behaviour === 'create' && !isAskedBelow);
}

/** Does a member of an answer hold the key of a task: under its own name, or with the noun before it, `taskUid`? */
export function holdsKey({ resource }: TaskKind, name: string): boolean {
  const { keyMember } = resource;
  return name === keyMember || foldedName(name) === `${foldedName(resource.name)}${foldedName(keyMember)}`;
}

/** Where the answer of a write has tasks that are kept elsewhere. */
export function taskPlaces(api: ApiModel, kinds: readonly TaskKind[], success: ResponseSpec | undefined): TaskPlace[] {
  const reader = readerOf(api);
  const schema = success?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
  const body = reader.unwrap(schema);
  if (body === undefined || kinds.length === 0) return [];
  const placed = (member: string | undefined, at: Schema | undefined): TaskPlace[] => {
    const items = at === undefined ? undefined : reader.items(at);
    const each = items ?? at;
    const members = each === undefined ? undefined : reader.members(each);
    const kind =
      kinds.find(({ resource }) => each !== undefined && resource.schema.pointer === each.pointer) ??
      kinds.find((one) => members !== undefined && isPartOf(one, members));
    if (kind === undefined || members === undefined) return [];
    return [{ kind, member, isList: items !== undefined, members }];
  };
  const whole = placed(undefined, body);
  if (whole.length > 0) return whole;
  return [...reader.members(body).values()].flatMap((property) => placed(property.name, reader.member(property)));
}

/** Are these the key and the state of such a task, and little that it has not? */
function isPartOf(kind: TaskKind, members: ReadonlyMap<string, Property>): boolean {
  const names = [...members.keys()];
  const shared = names.filter((name) => kind.resource.properties.has(name) || holdsKey(kind, name));
  return members.has(kind.state) && names.some((name) => holdsKey(kind, name)) && shared.length >= names.length * 0.8;
}
