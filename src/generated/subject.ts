import { createHash } from 'node:crypto';
import { singularOf, wordsOf } from '../core/text/inflection';
import { pointerTo } from '../core/json/json-pointer';
import type { BodyShape } from '../lists/body-shape';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, Schema } from '../openapi/model/operation';
import { drawKey, type KeySchema } from '../payload/sampler/drawn-key';
import { jsonEntry, successes, successSchema } from '../openapi/view/operation-bodies';
import { samplerOf } from '../payload/sampler/sampler';
import type { SchemaNode } from '../payload/sampler/schema-node';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { Behaviour, Binding } from '../resources/model/binding';
import type { ResourceDescription } from '../resources/model/resource';
import { UUID_OF_RUN } from '../runner/ownership/sent-content';
import { RUN_ID, runText } from './run-text';

/** A kind of thing that requests are made about, and what can be done with it. */
export interface Kind {
  readonly resource: ResourceDescription;
  readonly of: (behaviour: Behaviour) => Binding | undefined;
}

/** A kind of thing that a run can make, and remove again. */
export interface Subject extends Kind {
  /** Makes one; of what comes with something else it makes that. */
  readonly create: Binding;
  /** Where the response to {@link create} has the key of what was made: a runtime expression. */
  readonly shownKey: string;
  /** What it comes with, as stock comes with an article: {@link create} makes that. */
  readonly comesWith: Subject | undefined;
  /** Why what is made stays there, where nothing removes it. */
  readonly leaves: string | undefined;
  /** Is it made in something that stays? */
  readonly isInWhatStays: boolean;
}

export function isSubject(kind: Kind): kind is Subject {
  return 'create' in kind;
}

const FOUND = [
  new WeakMap<ApiModel, readonly (Kind | Subject)[]>(),
  new WeakMap<ApiModel, readonly (Kind | Subject)[]>(),
];

/**
 * The kinds of things of a description, in its order: those that a client can make one by one and remove again, those
 * that come with them, and those that can only be looked at.
 *
 * @param mayLeave - may the run make what nothing removes? Else that can only be looked at
 */
export function findKinds(api: ApiModel, mayLeave: boolean): readonly (Kind | Subject)[] {
  const found = FOUND[mayLeave ? 1 : 0];
  const known = found?.get(api) ?? kindsOf(api, mayLeave);
  found?.set(api, known);
  return known;
}

/** Why what is made stays. */
export const NOTHING_REMOVES = 'no operation of the description removes it';

function kindsOf(api: ApiModel, mayLeave: boolean): (Kind | Subject)[] {
  const { resources, bindings } = inferResourceModel(api);
  const all = resources.map((resource): Kind => {
    const plain = [...bindings.values()].filter((binding) => binding.resource === resource && isPlain(binding));
    const own = plain.filter((binding) => isBelowSame(binding, plain));
    return { resource, of: (behaviour) => own.find((binding) => binding.behaviour === behaviour) };
  });
  const removable = new Set(all.filter((kind) => isRemovable(kind, all)).map(({ resource }) => resource.path));
  const made = all.flatMap((kind): Subject[] => {
    const create = creationOf(kind);
    const leaves = removable.has(kind.resource.path) ? undefined : NOTHING_REMOVES;
    if (create === undefined || requestOf(create) === undefined) return [];
    if (leaves !== undefined && !(mayLeave && mayStay(kind) && !isOutward(api, create))) return [];
    const shown = keyShownBy(api, create);
    // 202 says that it will be made, not that it is.
    const isMade = successStatuses(create.operation, [201]).some((status) => status !== 202);
    return shown === undefined || !isMade
      ? []
      : [{ ...kind, create, shownKey: shown, comesWith: undefined, leaves, isInWhatStays: false }];
  });
  const staying = new Set(made.flatMap(({ leaves, resource }) => (leaves === undefined ? [] : [resource.path])));
  const isIn = ({ scope }: ResourceDescription): boolean => scope.some(({ parent = '' }) => staying.has(parent));
  const known = made.map((each) => ({ ...each, isInWhatStays: isIn(each.resource) }));
  return all.map((kind) => known.find(({ resource }) => resource === kind.resource) ?? companion(kind, known) ?? kind);
}

/** By a POST of one or of a list of one, else by a PUT to a key that the client chooses. */
function creationOf(kind: Pick<Kind, 'of'>): Binding | undefined {
  const create = kind.of('create') ?? kind.of('create-many');
  if (create !== undefined) return create;
  const upsert = kind.of('upsert');
  const isMade = upsert !== undefined && (ownKey(upsert, LONGEST_MARK, 99) !== undefined || mayDrawKey(kind, upsert));
  return isMade ? upsert : undefined;
}

/** Of so many keys one that was drawn is probably nobody's; a look, and the response that it was made, have to show it. */
const MANY = 100_000;

/**
 * May a key be drawn by its schema, where none that the run alone has fits? There have to be many, a look has to show that
 * nobody has it, and the response that it was made.
 */
function mayDrawKey({ of }: Pick<Kind, 'of'>, upsert: Binding): boolean {
  const schema = keySchemaOf(upsert);
  const drawn = schema && drawKey(schema, RUN_ID, '');
  const isWide = drawn !== undefined && (drawn.isOfRun || drawn.space >= MANY);
  const isSeen = of('read') !== undefined && of('list') !== undefined && of('remove') !== undefined;
  return isWide && isSeen && upsert.operation.responses.has('201');
}

/** What the key in the path of a PUT has to fit. */
export function keySchemaOf({ operation, keyParameter }: Binding): KeySchema | undefined {
  const schema = operation.parameters.find((each) => each.in === 'path' && each.name === keyParameter)?.schema;
  return schema && { value: schema.value, accepts: (key) => schema.accepts(key, 'request') };
}

/** Longer than any mark of a contract. */
const LONGEST_MARK = 'a999x9';

/** A key of the run in the path of a PUT, as a contract writes it; `undefined` where no such key is valid. */
export function ownKey(binding: Binding, mark: string, ordinal = 0): string | undefined {
  const { resource } = binding;
  const schema = keySchemaOf(binding);
  const text = runText(mark, ordinal);
  const digits = createHash('sha256').update(text).digest('hex').slice(0, 12);
  const uuid = `${RUN_ID}${UUID_OF_RUN}${digits}`;
  const [name = '', ...inner] = keyPathOf(resource);
  const isUuid = inner.length === 0 && resource.properties.get(name)?.schema['format'] === 'uuid';
  const keys = isUuid ? [uuid] : [`standin-${text}`, `k${text}`, text, text.replaceAll('-', ''), uuid];
  return keys.find((key) => schema?.accepts(key) === true)?.replaceAll(RUN_ID, '${runId}');
}

/** Is what is made of it gone in the end: removed itself, or with what it is in? */
function isRemovable({ resource, of }: Kind, all: readonly Kind[]): boolean {
  if (of('remove') !== undefined) return true;
  return resource.scope.some(({ parent }) =>
    all.some((each) => each.resource.path === parent && isRemovable(each, all)),
  );
}

function companion(kind: Kind, made: readonly Subject[]): Subject | undefined {
  const { resource } = kind;
  if (resource.scope.length > 0) return undefined;
  const to = resource.references.find(({ property, form }) => property === resource.key.name && form === 'key')?.to;
  const comesWith = made.find((each) => each.resource.path === to && each.resource.scope.length === 0);
  return comesWith === undefined
    ? undefined
    : {
        ...kind,
        create: comesWith.create,
        shownKey: comesWith.shownKey,
        comesWith,
        leaves: comesWith.leaves,
        isInWhatStays: false,
      };
}

/** Where the key of what was made is shown, or would be: by its name in the response, or by that of the resource. */
function keyShownBy(api: ApiModel, binding: Binding): string | undefined {
  const { operation, resource, response, keyParameter = '' } = binding;
  if (operation.method === 'PUT') return `$request.path.${keyParameter}`;
  const schema = successSchema(operation);
  const shown = schema === undefined ? undefined : samplerOf(api).nodeOf(schema, 'response');
  if (takesList(binding) && isListOfKeys(shown)) return '$response.body#/0';
  const root = pathToOne(response);
  const key = keyAmong(namesAt(shown, root), resource);
  if (key !== undefined) return `$response.body#${pointerTo([...root, ...key])}`;
  // A response without the key: the run finds by its Location or in the list what was made.
  const isFound = operation.method === 'POST' && !resource.key.isHidden;
  const [first = resource.key.name, ...inner] = keyPathOf(resource);
  return isFound ? `$response.body#${pointerTo([...root, first, ...inner])}` : undefined;
}

/** Properties that lead to the item in a response, or to the first of a list. */
function pathToOne(shape: BodyShape | undefined): string[] {
  return [...(shape?.path ?? []), ...(shape?.form === 'list' ? ['0'] : [])];
}

/** Names of the properties at the end of a path; 0 stands for an item of a list. */
function namesAt(shown: SchemaNode | undefined, path: readonly string[]): string[] {
  const node = path.reduce<SchemaNode | undefined>(
    (at, name) => (name === '0' ? at?.itemNode(0) : at?.properties.find((each) => each.name === name)?.node),
    shown,
  );
  return (node?.properties ?? []).map(({ name }) => name);
}

/** The properties that lead to the key, or the one that is named after the resource: `bookId` of books. */
function keyAmong(names: readonly string[], resource: ResourceDescription): readonly string[] | undefined {
  const path = keyPathOf(resource);
  if (names.includes(path[0] ?? '')) return path;
  const letters = (name: string): string => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase();
  const own = names.find((name) => letters(name) === `${letters(singularOf(resource.name))}id`);
  return own === undefined ? undefined : [own];
}

/** Does a response list plain keys, such as `["17"]`, in place of items? */
function isListOfKeys(node: SchemaNode | undefined): boolean {
  if (node === undefined || node.types.join() !== 'array') return false;
  return node.itemNode(0).types.every((type) => type === 'string' || type === 'integer');
}

type RequestOf = Pick<Binding, 'operation'> & Partial<Pick<Binding, 'request' | 'behaviour'>>;

/** Does a creation take a list, in which a run sends one item? */
export function takesList({ behaviour, request }: Binding): boolean {
  return behaviour === 'create-many' && request?.path.length === 0;
}

export function findSubjects(api: ApiModel, mayLeave: boolean): Subject[] {
  return findKinds(api, mayLeave).filter(isSubject);
}

/** Does the run leave something where it makes such a thing: that itself, or what it is in? */
export function leavesSomething({ leaves, isInWhatStays }: Subject): boolean {
  return leaves !== undefined || isInWhatStays;
}

/** Things that are sent to people, or that money goes for: nobody wants them of a run that cannot take them back. */
const OUTWARD = /mail|message|sms|notif|invit|remind|payment|charge|refund|payout|transfer|deploy|webhook/i;

/** Where events are sent to: a subscription with such a property is one of messages. */
const RECEIVER = /url|uri|callback|hook|endpoint|mail|phone|channel|topic|device|push|recipient/i;

/** What sends something to people, or costs money, by one of its words: more than a run may do with a thing of its own. */
const REACHING =
  /^(?:send|resend|forward|share|broadcast|announce|tweet|call|dial|fax|print|pay|buy|purchase|checkout|withdraw)$/;

/** Does something that is done with a thing reach somebody? @param path - below that of the thing */
export function reachesSomebody({ id }: Operation, path: string): boolean {
  return OUTWARD.test(`${path} ${id}`) || wordsOf(path).some((word) => REACHING.test(word));
}

/** May a run make a thing that stays: one that can be read again? */
function mayStay({ of }: Kind): boolean {
  return creationOf({ of })?.operation.method === 'POST' && of('read') !== undefined;
}

/** Does what is made reach somebody else, or cost money? */
export function isOutward(api: ApiModel, create: Binding): boolean {
  const { operation, resource } = create;
  const said = [resource.path, operation.id, operation.path].join(' ');
  const schema = requestOf(create);
  const names =
    schema === undefined
      ? []
      : samplerOf(api)
          .nodeOf(schema, 'request')
          .properties.map(({ name }) => name);
  return OUTWARD.test(said) || (/subscription/i.test(said) && names.some((name) => RECEIVER.test(name)));
}

/** Is it about the collection as a whole or what lies in it below an item of another one, or about one item by its key? */
function isPlain(binding: Binding): boolean {
  const { isAcross, itemChoice, restrictions, outsidePath } = binding;
  const isBelow = restrictions.every(({ parent, relationship }) => parent !== undefined && relationship === undefined);
  return !isAcross && itemChoice === undefined && isBelow && outsidePath.size === 0 && !isBulk(binding);
}

/**
 * What is made below an item, `POST /shelves/{shelf}/books`, may be listed there as well: where it is not listed by itself.
 * What is made by itself is neither made nor listed elsewhere.
 */
function isBelowSame(binding: Binding, plain: readonly Binding[]): boolean {
  if (binding.restrictions.length === 0) return true;
  const same = plain.filter(({ behaviour }) => behaviour === binding.behaviour);
  if (same.some(({ restrictions }) => restrictions.length === 0)) return false;
  const around = (plain.find(({ behaviour }) => behaviour === 'create')?.restrictions ?? []).map(
    ({ parent }) => parent,
  );
  return (
    ['create', 'list'].includes(binding.behaviour) &&
    binding.restrictions.every(({ parent }) => around.includes(parent))
  );
}

/** A variable of a path before what it is about, and the path of the collection whose items it names. */
export interface PathPlace {
  readonly name: string;
  readonly parent: string | undefined;
}

/** The variables before what is made: those of the path of the collection, and those of the path at which it is made. */
export function placesAround({ resource, of }: Kind): readonly PathPlace[] {
  const made = of('create')?.restrictions ?? [];
  return [...resource.scope, ...made.map(({ parameter, parent }) => ({ name: parameter, parent }))];
}

/** Changes of one item. */
const CHANGES: ReadonlySet<Behaviour> = new Set(['replace', 'update', 'upsert', 'remove']);

/** A change whose path names no item may change all of them, also where its body has the key of one. */
export function isBulk({ behaviour, keyParameter, operation }: Binding): boolean {
  return CHANGES.has(behaviour) && (keyParameter === undefined || !operation.path.includes(`{${keyParameter}}`));
}

/** Schema of the JSON body that an operation takes; where it takes a list of items, that of one. */
export function requestOf({ operation, request, behaviour }: RequestOf): Schema | undefined {
  if (behaviour === 'create-many')
    return request?.form === 'list' && request.path.length === 0 ? request.item : undefined;
  return jsonEntry(operation.requestBody?.content ?? [])?.schema;
}

/** What `2XX` stands for, and a `default` where no other success is documented (OAS 3.0.3 §4.7.16.2). */
const ANY_SUCCESS = [200, 201, 202, 203, 204, 205, 206];

/** Statuses of the documented successes; where none is, what is usual. */
export function successStatuses(operation: Operation, usual: readonly number[]): number[] {
  const documented = successes(operation).map(({ status }) => status);
  const statuses = documented.map(Number).filter(Number.isInteger);
  const hasDefault = statuses.length === 0 && operation.responses.has('default');
  if (documented.includes('2XX') || hasDefault) return [...new Set([...statuses, ...usual, ...ANY_SUCCESS])];
  if (statuses.length > 0) return statuses;
  // A service may send its clients on to what it made (RFC 9110 §15.4.4).
  const redirects = [...operation.responses.keys()].map(Number).filter((status) => status >= 300 && status < 400);
  return redirects.length > 0 && operation.method === 'POST' ? redirects : [...usual];
}

const USUAL: Partial<Record<Behaviour, readonly number[]>> = { read: [200], list: [200], remove: [204, 200] };

/** Statuses with which something is done at what is there. */
export function doneStatuses({ operation, behaviour }: Binding): number[] {
  return successStatuses(operation, USUAL[behaviour] ?? [200, 204]);
}

/** Statuses of what is not there any more. */
export const GONE: number[] = [404, 410];

/** Names of properties that lead from an item to its key; empty where the item does not show it. */
export function keyPathOf({ key }: ResourceDescription): readonly string[] {
  if (key.propertyPath.length > 0) return key.propertyPath;
  return key.isHidden ? [] : [key.name];
}

/** Statuses with which a service may refuse to make what the description allows: for what is there already, or sold out. */
export function reasonsOfState(operation: Operation): number[] {
  return [404, ...reasonsToKeep(operation)];
}

/** The same for changes and removals of what is known to be there. */
export function reasonsToKeep({ responses }: Operation): number[] {
  const both = responses.has('400') && responses.has('422');
  return [402, 403, 409, 412, 423, ...(both ? [422] : [])];
}

/** With which a service may reject a request where the description says only that it may. */
const REJECTIONS = [400, 404, 409, 413, 414, 415, 422];

/** Statuses of a request that breaks the description; none where the description knows no rejection. */
export function refusals({ responses }: Pick<Operation, 'responses'>): number[] {
  const documented = [400, 422].filter((status) => responses.has(String(status)));
  const isOpen = responses.has('4XX') || responses.has('default');
  if (documented.length === 0) return isOpen ? REJECTIONS : [];
  return isOpen ? [400, 422] : documented;
}

/** Successes, and redirects that are documented: each alone, as a range, or by a `default` without any of them. */
export function availableStatuses(operation: Operation): number[] {
  const all = [...operation.responses.keys()];
  const redirects = all.map(Number).filter((status) => status >= 300 && status < 400);
  const isAnyRedirect = all.includes('3XX') || (all.includes('default') && !all.some((each) => /^[23]/.test(each)));
  const isRedirectAlone = redirects.length > 0 && !all.some((each) => each.startsWith('2'));
  const more = isAnyRedirect ? ANY_REDIRECT : redirects;
  return isRedirectAlone ? more : [...new Set([...successStatuses(operation, [200]), ...more])];
}

const ANY_REDIRECT = [301, 302, 303, 304, 307, 308];
