import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  pickProperties,
  valueAlong,
  withValueAlong,
} from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import type { Property, Schema } from '../openapi/model/operation';
import { viewOf } from '../openapi/view/schema-view';
import { isStateName } from '../openapi/naming/states';
import { chanceOf, integerBelow } from '../payload/sampler/chance';
import { IMAGES } from '../payload/sampler/plausible-values';
import { samplerOf } from '../payload/sampler/sampler';
import type { SchemaNode } from '../payload/sampler/schema-node';
import type { Binding } from '../resources/model/binding';
import type { ResourceDescription } from '../resources/model/resource';
import type { SchemaObject } from '../schema/schema-object';
import { nameByRun } from '../traffic/contract/run-names';
import { echoed, mapped, nodeAt, type Substitution, toldValue, written } from './bodies';
import { type BodyLessons, leastOf, NO_LESSONS, withLessons } from './lessons';
import type { OwnKeys } from './own-keys';
import { namedLike } from './remedy';
import { RUN_ID, runText } from './run-text';
import { requestOf } from './subject';

/** Which of the bodies that may be sent. */
export interface Choice {
  readonly seed: string;
  readonly ordinal: number;
  /** Of the contract, for names. */
  readonly mark: string;
  readonly learnt: BodyLessons;
  /** Names of what no two things have. */
  readonly unique?: readonly string[] | undefined;
  /** For keys that the usual texts of a run do not fit. */
  readonly keys?: OwnKeys | undefined;
}

/** A body for an operation, valid by its schema; names of new things have what stands for the id of the run. */
export function sampleBody(api: ApiModel, binding: Binding, choice: Choice): JsonObject | undefined {
  const schema = requestOf(binding);
  if (schema === undefined) return undefined;
  const plain = plainBody(api, schema, binding, choice);
  const { learnt } = choice;
  if (plain === undefined || learnt === NO_LESSONS) return plain;
  const node = samplerOf(api).nodeOf(schema, 'request');
  const root = binding.request?.path ?? [];
  const least = learnt.extent === 'least' ? leastOf(plain, node, root, learnt) : plain;
  const body = schema.accepts(least, 'request') ? least : plain;
  return withLessons(body, learnt, { ...choice, schema, node, root });
}

function plainBody(api: ApiModel, schema: Schema, binding: Binding, choice: Choice): JsonObject | undefined {
  const { seed, ordinal, learnt } = choice;
  const name = binding.resource.name;
  const made = samplerOf(api).sample(schema, { seed, direction: 'request', ordinal, name });
  const sampled = learnt.example ?? (made.kind === 'failed' ? undefined : made.value);
  const value = sampled === undefined ? undefined : mapped(sampled, withoutPlaceholder);
  if (!isJsonObject(value)) return undefined;
  const path = binding.request?.path ?? [];
  const sent = valueAlong(value, path);
  if (!isJsonObject(sent)) return value;
  const item = withoutOwn(api, schema, binding, { value, sent, isWhole: learnt.extent === 'all' });
  const whole = withTold(api, schema, path, withValueAlong(value, path, item));
  const named = [path, pathOfKey(binding)].reduce((body, at) => withNameAt(schema, at, body, choice), whole);
  const addressed = withOwnNumbers(api, schema, binding, withOwnAddresses(schema, binding, named, choice), choice);
  return withKeyOfRun(schema, binding, addressed, choice);
}

/** The same with the only value of each text whose description has one in words alone. */
function withTold(api: ApiModel, schema: Schema, path: readonly string[], body: JsonObject): JsonObject {
  const item = valueAlong(body, path);
  const nodes = nodeAt(api, schema, path)?.properties ?? [];
  if (!isJsonObject(item)) return body;
  const told = nodes.flatMap(({ name, node }): [string, JsonValue][] => {
    const only = toldValue(node);
    return only === undefined || typeof item[name] !== 'string' ? [] : [[name, only]];
  });
  const after = withValueAlong(body, path, { ...item, ...Object.fromEntries(told) });
  return schema.accepts(after, 'request') ? after : body;
}

/** What people sign in with and are written to at, and what addresses a thing, can be there but once. */
const ADDRESSES =
  /(?:^|[_-]|(?<=[a-z])(?=[A-Z]))(?:e-?mail(?:_?address)?|login|user_?name|handle|slug|sku|domain|host_?name)$/i;

export function isAddress(name: string, value: JsonValue | undefined): boolean {
  return ADDRESSES.test(name) || (typeof value === 'string' && /^[\w.+-]+@[\w.-]+$/.test(value));
}

/** A text of words, and no code of a currency or a name of a time zone. */
function isWord(value: JsonValue): boolean {
  return typeof value === 'string' && /^\p{L}\p{Ll}+(?:\s.*)?$/u.test(value) && !/^\p{Ll}{2,3}$/u.test(value);
}

/** The same with the id of the run in each of those, where the schema lets it, and in what words say is unique. */
function withOwnAddresses(
  schema: Schema,
  { request, resource }: Binding,
  body: JsonObject,
  choice: Choice,
): JsonObject {
  const path = request?.path ?? [];
  const item = valueAlong(body, path);
  if (!isJsonObject(item)) return body;
  const own = runText(choice.mark, choice.ordinal);
  const references = new Set(resource.references.map(({ property }) => property));
  const owned = Object.entries(item).reduce<JsonObject>((before, [name, value]) => {
    const isOne = isAddress(name, value) || (isWord(value) && choice.unique?.includes(name) === true);
    if (!isOne || typeof value !== 'string' || value.includes(RUN_ID) || references.has(name)) return before;
    const after = { ...before, [name]: namedLike(value, own) };
    return schema.accepts(withValueAlong(body, path, after), 'request') ? after : before;
  }, item);
  return withValueAlong(body, path, owned);
}

/** How the names of numbers of one thing end, and words in the names of those that many things share. */
const NUMBERS = /(?:number|code|tag|serial|plate|reference)$/i;
const SHARED =
  /country|currency|lang|locale|region|area|dial|post|zip|phone|mobile|fax|status|state|error|reason|type|kind|tax|vat|zone|colou?r|bank|branch|room|house|street|discount|promo|coupon|auth|verif|otp|pin|access|security|source/i;

/** Is a text the number of one thing, in a form of its own: `lotNumber`? */
export function isNumberOfThing(name: string, { pattern, enum: words }: SchemaObject): boolean {
  return typeof pattern === 'string' && words === undefined && NUMBERS.test(name) && !SHARED.test(name);
}

/** Gives a thing numbers of its own, drawn by their schemas, and other unique texts in which the id of the run has no room. */
function withOwnNumbers(
  api: ApiModel,
  schema: Schema,
  { request, resource }: Binding,
  body: JsonObject,
  { mark, seed, ordinal, keys, unique = [], learnt }: Choice,
): JsonObject {
  const path = request?.path ?? [];
  const item = valueAlong(body, path);
  if (!isJsonObject(item) || learnt.example !== undefined) return body;
  const references = new Set(resource.references.map(({ property }) => property));
  const view = viewOf(api);
  const place = view.along(schema, path);
  const properties = place === undefined ? [] : [...view.properties(place).values()];
  const owned = properties.reduce<JsonObject>((before, { name, schema: own }) => {
    const value = item[name];
    const isOwn = unique.includes(name) || isNumberOfThing(name, own);
    if (typeof value !== 'string' || value.includes(RUN_ID) || !isOwn || references.has(name)) return before;
    if (name === resource.key.name || own['enum'] !== undefined || own['format'] !== undefined) return before;
    const accepts = (text: JsonValue): boolean =>
      schema.accepts(withValueAlong(body, path, { ...before, [name]: text }), 'request');
    const drawn = keys?.keyOf({ value: own, accepts }, [resource.path, name, mark, seed, ordinal].join(' '))?.value;
    return drawn === undefined ? before : { ...before, [name]: drawn };
  }, item);
  return withValueAlong(body, path, owned);
}

/**
 * The same with the id of the run in the key that the client chooses, where the schema lets it: with the key of an
 * example it might be a change of somebody else's thing. A number is another one for each thing.
 */
function withKeyOfRun(
  schema: Schema,
  { request, resource: { key, properties, path: collection } }: Binding,
  body: JsonObject,
  choice: Choice,
): JsonObject {
  const path = [...(request?.path ?? []), ...key.propertyPath.slice(0, -1)];
  const name = key.propertyPath.at(-1) ?? key.name;
  const item = valueAlong(body, path);
  const recorded = isJsonObject(item) ? item[name] : undefined;
  if (!key.isClientChosen || key.isHidden || !isJsonObject(item)) return body;
  const withKey = (own: JsonValue): JsonObject => withValueAlong(body, path, { ...item, [name]: own });
  const accepts = (own: JsonValue): boolean => schema.accepts(withKey(own), 'request');
  const property = key.propertyPath.length > 1 ? undefined : properties.get(name);
  const own =
    ownKeys(recorded, choice).find(accepts) ?? drawnKey(property, recorded, accepts, { ...choice, collection });
  return own === undefined ? body : withKey(own);
}

/** In the place of a text of the schema, which is the same in each run. */
function drawnKey(
  property: Property | undefined,
  recorded: JsonValue | undefined,
  accepts: (own: JsonValue) => boolean,
  { mark, seed, ordinal, keys, collection }: Choice & { readonly collection: string },
): JsonValue | undefined {
  if (property === undefined || typeof recorded !== 'string' || recorded.includes(RUN_ID)) return undefined;
  const thing = [collection, mark, seed, ordinal].join(' ');
  return keys?.keyOf({ value: property.schema, accepts }, thing)?.value;
}

function ownKeys(recorded: JsonValue | undefined, { seed, mark, ordinal, keys }: Choice): JsonValue[] {
  if (typeof recorded === 'number') {
    const chance = chanceOf([keys?.runId ?? '', seed, mark, ordinal, 'key'].join('\n'));
    return LARGE_NUMBERS.map((large) => large - integerBelow(chance, large / 2));
  }
  if (typeof recorded !== 'string' || recorded.includes(RUN_ID)) return [];
  const own = [runText(mark, ordinal), runText('', ordinal)];
  return own.flatMap((each) => [`${recorded}-${each}`, `run-${each}`, each]);
}

/** Services count from 1: what is large is probably nobody's. */
const LARGE_NUMBERS = [2 ** 31 - 2, 1_000_000, 10_000];

/** Where in a body the key of a new thing stands that the client chooses: `metadata`, beside other properties of its. */
function pathOfKey({ request, resource: { key } }: Binding): readonly string[] {
  return [...(request?.path ?? []), ...(key.isClientChosen ? key.propertyPath.slice(0, -1) : [])];
}

/** The same with a name of the run in the object at the end of a path, where the schema lets it have one. */
function withNameAt(schema: Schema, path: readonly string[], body: JsonObject, { mark, ordinal }: Choice): JsonObject {
  const item = valueAlong(body, path);
  const named = isJsonObject(item) ? nameByRun(schema, path, item, body) : undefined;
  if (!isJsonObject(item) || named === undefined || named.recorded.includes(RUN_ID)) return body;
  for (const own of [runText(mark, ordinal), runText('', ordinal)]) {
    const text = named.text.replace('${runId}', own);
    const renamed = withValueAlong(body, path, { ...item, [named.property]: text });
    if (schema.accepts(renamed, 'request')) return renamed;
  }
  return body;
}

/** The host of made-up images stands for the address of a mock; what is sent has one of its own (RFC 2606 §3). */
function withoutPlaceholder(value: JsonValue): JsonValue {
  return typeof value === 'string' ? value.replaceAll(IMAGES, 'https://images.example.com') : value;
}

/**
 * A new thing has the state and the key that the service gives it: another state may keep it from being changed or
 * removed, and a key may ask for another thing to be changed. Where everything is sent, it is without such a key.
 */
function withoutOwn(
  api: ApiModel,
  schema: Schema,
  { request, resource }: Binding,
  { value, sent: item, isWhole }: Sampled,
): JsonObject {
  const isOwnKey = resource.key.isClientChosen && typeof item[resource.key.name] === 'string';
  const isGiven = (name: string, { flat }: SchemaNode): boolean =>
    name === resource.key.name
      ? !isWhole || !isOwnKey
      : !isWhole && (isStateName(name) || flat.types?.has('boolean') === true);
  const path = request?.path ?? [];
  const properties = nodeAt(api, schema, path)?.properties ?? [];
  const states = properties.filter(({ name, isRequired, node }) => !isRequired && isGiven(name, node));
  const isBroken = !schema.accepts(value, 'request');
  // One after the other: a body of one form or another may need what alone is called optional.
  return states.reduce((left, { name }) => {
    const rest = pickProperties(left, (each) => each !== name);
    return isBroken || schema.accepts(withValueAlong(value, path, rest), 'request') ? rest : left;
  }, item);
}

interface Sampled {
  readonly value: JsonObject;
  /** The item in it. */
  readonly sent: JsonObject;
  readonly isWhole: boolean;
}

/** A body that changes a thing, and what a response shows of it then. */
export interface ChangedBody {
  /** With values that stand for the placeholders. */
  readonly plain: JsonObject;
  readonly substitutions: readonly Substitution[];
  readonly sent: JsonObject;
  readonly shown: JsonObject;
}

/** Another body for a thing, with the same references, and what of it is shown. */
export function changedBody(
  api: ApiModel,
  {
    resource,
    substitutions,
    ...choice
  }: Choice & { readonly resource: ResourceDescription; readonly substitutions: readonly Substitution[] },
  binding: Binding,
): ChangedBody | undefined {
  if (requestOf(binding) === undefined) return undefined;
  const plain = sampleBody(api, binding, choice);
  if (plain === undefined) return undefined;
  const own = substitutions.flatMap((each) => {
    const value = valueAlong(plain, each.path);
    return value === undefined ? [] : [{ ...each, value }];
  });
  const sent = written(plain, own);
  const root = binding.request?.path ?? [];
  const [item, text] = [valueAlong(plain, root), valueAlong(sent, root)];
  if (!isJsonObject(sent) || !isJsonObject(item) || !isJsonObject(text)) return undefined;
  return { plain, substitutions: own, sent, shown: echoed(api, resource, item, text) };
}
