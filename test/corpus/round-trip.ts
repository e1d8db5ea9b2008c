import type { HttpResponse, Transport } from '../../src/core/http/message';
import { isJsonObject, type JsonValue } from '../../src/core/json/json-value';
import type { ApiModel } from '../../src/openapi/model/api-model';
import type { ResourceDescription } from '../../src/resources/model/resource';
import type { Behaviour, Binding, ResourceModel } from '../../src/resources/model/binding';
import { bodyText, call, isLawful, nameOf } from './call-operations';
import { differs, sameKey } from './compare-item';
import { dig, itemOf, itemsOf, keyIn, keyOf } from './read-answer';
import { requestFor, type MakeValue } from './request-for';
import type { Complaint } from './trial';

export interface RoundTrips {
  /** Resources that can be created and read, and so were tried. */
  readonly tried: number;
  readonly held: number;
  readonly broken: readonly Complaint[];
}

interface Track {
  readonly api: ApiModel;
  readonly model: ResourceModel;
  readonly base: string;
  readonly transport: Transport;
  readonly makeValue: MakeValue;
}

/** Creates, reads, lists, changes and removes an item of every resource that has an operation to create and one to read. */
export async function tryRoundTrips(track: Track): Promise<RoundTrips> {
  const broken: Complaint[] = [];
  let tried = 0;
  for (const resource of track.model.resources) {
    const create = bindingOf(track, resource, 'create');
    const read = bindingOf(track, resource, 'read');
    if (create === undefined || read === undefined || resource.kind !== 'collection') continue;
    const outcome = await roundTrip(track, resource, create, read);
    if (outcome === 'not-tried') continue;
    tried += 1;
    if (outcome !== undefined) broken.push(outcome);
  }
  return { tried, held: tried - broken.length, broken };
}

function bindingOf({ model }: Track, resource: ResourceDescription, behaviour: Behaviour): Binding | undefined {
  const all = [...model.bindings.values()].filter(
    (binding) => binding.resource === resource && binding.behaviour === behaviour && binding.restrictions.length === 0,
  );
  // A change of many at once stands beside that of one.
  return all.find(({ keyParameter }) => keyParameter !== undefined) ?? all[0];
}

/** @returns the first step that did not hold */
async function roundTrip(
  track: Track,
  resource: ResourceDescription,
  create: Binding,
  read: Binding,
): Promise<Complaint | 'not-tried' | undefined> {
  const scope = await scopeValues(track, resource);
  if (scope === undefined) return 'not-tried';
  const created = await createOne(track, create, scope);
  if (created === undefined || isRuled(create, created.response)) return 'not-tried';
  const fault = (binding: Binding, what: string, response?: HttpResponse): Complaint => ({
    operation: nameOf(binding.operation),
    kind: `round trip: ${what}`,
    detail: response === undefined ? '' : `${response.status} ${bodyText(response)}`,
  });
  if (created.response.status >= 300) return fault(create, 'not created', created.response);
  const key = keyOf(resource, create, created.response);
  // Nothing says which item it became: it cannot be followed.
  if (key === undefined) return 'not-tried';

  const first = await send(track, read, scope, key);
  if (first === undefined) return 'not-tried';
  if (first.response.status !== 200) return fault(read, 'created, and not read', first.response);
  const difference = differs(created.sent, itemOf(read.response, first.response), resource, create);
  if (difference !== undefined) return fault(read, `reads another ${difference}`, first.response);

  return (
    (await tryList(track, resource, scope, key, fault)) ??
    (await tryChange(track, resource, read, scope, key, fault)) ??
    (await tryRemoval(track, resource, read, scope, key, fault))
  );
}

const ATTEMPTS = ['a new one', 'another new one', 'a third'];

/** A name that was made up may be taken, as one from an example is always: another one is tried. */
async function createOne(track: Track, create: Binding, scope: readonly JsonValue[]): Promise<Sent | undefined> {
  let created: Sent | undefined;
  let key: JsonValue | undefined;
  for (const seed of ATTEMPTS) {
    created = await send(track, create, scope, key, seed);
    if (created === undefined || created.response.status < 400) break;
    key = anotherKey(track, create, created.sent);
  }
  return created;
}

/** The key that was sent, a little changed. */
function anotherKey({ api }: Track, { resource, request }: Binding, sent: JsonValue | undefined): typeof sent {
  const input = dig(sent, request?.path ?? []);
  const key = isJsonObject(input) ? input[resource.key.name] : undefined;
  const pointer = resource.properties.get(resource.key.name)?.pointer;
  const schema = pointer === undefined ? undefined : api.schemaAt(pointer);
  const text = typeof key === 'string' ? key : undefined;
  const others =
    text === undefined ? [Number(key) + 1] : [`${text}2`, text.replace(/.$/, '2'), text.replace(/^./, '2')];
  return others.find((other) => other !== key && schema?.validate('request')(other).length === 0);
}

/** A rule of the service may refuse what the description allows; it documents a status for that. */
function isRuled({ operation }: Binding, { status }: HttpResponse): boolean {
  return status !== 404 && isLawful(operation, status);
}

type Fault = (binding: Binding, what: string, response?: HttpResponse) => Complaint;

async function tryList(
  track: Track,
  resource: ResourceDescription,
  scope: readonly JsonValue[],
  key: JsonValue,
  fault: Fault,
): Promise<Complaint | undefined> {
  const list = bindingOf(track, resource, 'list');
  if (list === undefined || resource.key.isHidden) return undefined;
  // A list that asks for something shows what fits it.
  if (list.operation.parameters.some((parameter) => parameter.required && parameter.in === 'query')) return undefined;
  const listed = await send(track, list, scope, undefined);
  if (listed === undefined) return undefined;
  if (listed.response.status !== 200) return fault(list, 'not listed', listed.response);
  const items = itemsOf(list.response, listed.response);
  if (items === undefined) return fault(list, 'lists no items', listed.response);
  const isThere = items.some((item) => sameKey(keyIn(item, resource), key));
  // A page need not show the latest.
  const isWhole = list.parameters.limit === undefined && list.parameters.page === undefined;
  const showsKey = items.some((item) => keyIn(item, resource) !== undefined);
  return isThere || !isWhole || !showsKey ? undefined : fault(list, 'created, and not listed', listed.response);
}

async function tryChange(
  track: Track,
  resource: ResourceDescription,
  read: Binding,
  scope: readonly JsonValue[],
  key: JsonValue,
  fault: Fault,
): Promise<Complaint | undefined> {
  const change = bindingOf(track, resource, 'replace') ?? bindingOf(track, resource, 'update');
  if (change === undefined) return undefined;
  const changed = await send(track, change, scope, key, 'another');
  if (changed === undefined) return undefined;
  if (changed.response.status >= 300) return fault(change, 'not changed', changed.response);
  const again = await send(track, read, scope, key);
  if (again?.response.status !== 200) return fault(read, 'changed, and not read', again?.response);
  const difference = differs(changed.sent, itemOf(read.response, again.response), resource, change);
  return difference === undefined
    ? undefined
    : fault(change, `changed, and reads another ${difference}`, again.response);
}

async function tryRemoval(
  track: Track,
  resource: ResourceDescription,
  read: Binding,
  scope: readonly JsonValue[],
  key: JsonValue,
  fault: Fault,
): Promise<Complaint | undefined> {
  const remove = bindingOf(track, resource, 'remove');
  if (remove === undefined) return undefined;
  const removed = await send(track, remove, scope, key);
  if (removed === undefined) return undefined;
  if (removed.response.status >= 300) return fault(remove, 'not removed', removed.response);
  const gone = await send(track, read, scope, key);
  return gone !== undefined && gone.response.status < 400 ? fault(read, 'removed, and read', gone.response) : undefined;
}

interface Sent {
  readonly response: HttpResponse;
  readonly sent: JsonValue | undefined;
}

async function send(
  track: Track,
  binding: Binding,
  scope: readonly JsonValue[],
  key: JsonValue | undefined,
  seed?: string,
): Promise<Sent | undefined> {
  const { api, base, transport, makeValue } = track;
  const path: Record<string, JsonValue> = {};
  binding.scopeParameters.forEach((name, index) => {
    const value = scope[index];
    if (value !== undefined) path[name] = value;
  });
  if (binding.keyParameter !== undefined && key !== undefined) path[binding.keyParameter] = key;
  const wanted = { path, ...(seed === undefined ? {} : { seed }) };
  let made = requestFor(api, binding.operation, base, makeValue, wanted);
  if (made.kind === 'not-made') return undefined;
  const body = withKey(track, binding, key, await withReferences(track, binding, made.body));
  if (body !== made.body) made = requestFor(api, binding.operation, base, makeValue, { ...wanted, body });
  if (made.kind === 'not-made') return undefined;
  const { response } = await call(api, binding.operation, made.request, transport);
  return response === undefined ? undefined : { response, sent: made.body };
}

/** What names its key in the body as well has to name the one of the path. */
function withKey(
  { api }: Track,
  { resource, request }: Binding,
  key: JsonValue | undefined,
  body: JsonValue | undefined,
): typeof body {
  const { name, isHidden } = resource.key;
  if (key === undefined || isHidden || request?.form !== 'item') return body;
  const pointer = resource.properties.get(name)?.pointer;
  const schema = pointer === undefined ? undefined : api.schemaAt(pointer);
  // A key that was read from a Location is text.
  const isNumber = schema !== undefined && !schema.accepts(key, 'request') && Number.isFinite(Number(key));
  return setKey(body, request.path, name, isNumber ? Number(key) : key);
}

function setKey(body: JsonValue | undefined, path: readonly string[], name: string, key: JsonValue): typeof body {
  if (!isJsonObject(body)) return body;
  const [first, ...rest] = path;
  if (first === undefined) return body[name] === undefined ? body : { ...body, [name]: key };
  const inner = setKey(body[first], rest, name, key);
  return inner === undefined ? body : { ...body, [first]: inner };
}

/** A body whose members name items that exist: a service may refuse others. */
async function withReferences(
  track: Track,
  { resource, request }: Binding,
  body: JsonValue | undefined,
): Promise<JsonValue | undefined> {
  if (!isJsonObject(body) || request?.path.length !== 0) return body;
  const known: Record<string, JsonValue> = {};
  for (const { property: name, to, form } of resource.references) {
    if (form !== 'key' || body[name] === undefined) continue;
    const key = await someKey(track, to);
    if (key !== undefined) known[name] = key;
  }
  return Object.keys(known).length === 0 ? body : { ...body, ...known };
}

/** The key of the first item of a list that needs no parent. */
async function someKey(track: Track, path: string): Promise<JsonValue | undefined> {
  const owner = track.model.resources.find((resource) => resource.path === path);
  const list = owner === undefined ? undefined : bindingOf(track, owner, 'list');
  if (owner === undefined || list === undefined || owner.scope.length > 0) return undefined;
  const listed = await send(track, list, [], undefined);
  const [first] = (listed === undefined ? undefined : itemsOf(list.response, listed.response)) ?? [];
  return first === undefined ? undefined : keyIn(first, owner);
}

/** Keys of parents that exist, for the variables of a path; `undefined` when there are none to be had. */
async function scopeValues(track: Track, resource: ResourceDescription): Promise<JsonValue[] | undefined> {
  const values: JsonValue[] = [];
  for (const { parent } of resource.scope) {
    const owner = track.model.resources.find(({ path }) => path === parent);
    const list = owner === undefined ? undefined : bindingOf(track, owner, 'list');
    if (owner === undefined) {
      // No collection knows of it: any value is as good as another.
      values.push('1');
      continue;
    }
    const listed = list === undefined ? undefined : await send(track, list, values, undefined);
    const [first] = (listed === undefined ? undefined : itemsOf(list?.response, listed.response)) ?? [];
    const key = first === undefined ? undefined : keyIn(first, owner);
    if (key === undefined) return undefined;
    values.push(key);
  }
  return values;
}
