import { once } from '../../core/text/memoize';
import { bestMediaType } from '../../core/http/accept';
import { isJsonMediaType } from '../../core/http/media-type';
import { getAtPointer, joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, pickProperties } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import { examplesOf } from '../../payload/content-choice';
import { NO_VIOLATIONS } from '../../schema/validator';
import type { MediaTypeEntry, ResponseSpec, Schema } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { type BodyShape, itemShape } from '../../lists/body-shape';
import { isKeyNameInResponse } from '../../openapi/naming/property-names';
import type { Binding } from '../../resources/model/binding';
import type { PagePropertyRole } from '../../lists/conventions/list-convention';
import { fixedBody, planFrame, type Fill } from '../fitting/body-frame';
import { namesKind } from '../fitting/new-item-hints';
import type { Item } from '../state/item';
import { planOneTimeSecrets, planOutcomeProperties, planShape, type Shape, type ShapeContext } from './item-shape';
import { keyOf, type Resource } from '../state/prepared-resource';
import { typesOf, viewOf } from '../../openapi/view/schema-view';
import { jsonEntry } from '../../openapi/view/operation-bodies';

/** How the body of a success is written. Worked out once for each operation. */
export interface BodyPlan {
  readonly isEmpty: boolean;
  readonly contentType: string;
  /** Does one item go out exactly as it is stored, so that its text and length are known already? */
  readonly isPlainItem: boolean;
  item(item: Item, fields?: readonly string[]): string;
  /** Body around a list. @param fields - properties that each item is cut down to, beside those that it must have */
  list(items: readonly Item[], fill: Fill, fields?: readonly string[]): string;
  /** Body around a value that is not an item, such as counts. */
  value(value: JsonValue): string;
}

interface BodyInput extends ShapeContext {
  readonly binding: Binding;
  readonly success: ResponseSpec | undefined;
}

export function planBody(input: BodyInput): BodyPlan {
  const { binding, success, sample, api } = input;
  const entry = jsonEntry(success?.content ?? []) ?? success?.content[0];
  const { response } = binding;
  const shape = once(() =>
    planShape(input, response?.item, planOutcomeProperties(binding) ?? planOneTimeSecrets(binding, api, sample)),
  );
  const told = once(() => (response === undefined ? outcomeShape(input, entry) : undefined));
  const frame = once(() => (response === undefined ? undefined : planFrame(api, response, sample)));
  const standIn = once(() => standInBody(api, entry, sample));
  const areRelative = once(() => response !== undefined && showsPaths(response, entry));
  const around = (inner: string, fill: Fill): string =>
    frame()?.write(inner, fill, areRelative() ? withoutOrigin : undefined) ?? inner;
  const cut = ({ item }: BodyShape, fields: readonly string[] | undefined): ReturnType<typeof cutter> | undefined =>
    fields === undefined ? undefined : cutter(shape(), item, fields, input.resource);
  const isPlain = response?.path.length === 0 && response.pageProperties.length === 0;
  return {
    isEmpty: entry === undefined,
    contentType: contentTypeOf(entry),
    isPlainItem: isPlain && response.form === 'item' && shape().isStored,
    item(item, fields) {
      if (response === undefined) return told()?.text(item) ?? standIn();
      const text = cut(response, fields)?.(item) ?? shape().text(item);
      return around(response.form === 'item' ? text : wrapped(response, input, [item], [text]), NOTHING);
    },
    list(items, fill, fields) {
      if (response === undefined || response.form === 'item') return standIn();
      if (response.form === 'keys') return around(keysText(response, input, items), fill);
      const cutItem = cut(response, fields);
      const texts = items.map((item) => cutItem?.(item) ?? shape().text(item));
      return isPlain && response.form === 'list'
        ? `[${texts.join(',')}]`
        : around(wrapped(response, input, items, texts), fill);
    },
    value: (value) => around(stringifyJson(value), NOTHING),
  };
}

/** Do examples of a page show its links as paths, `/things?page=2`, that a client puts behind the origin it knows? */
function showsPaths({ pageProperties }: BodyShape, entry: MediaTypeEntry | undefined): boolean {
  const bodies = [...(entry?.examples ?? []).map(({ value }) => value), entry?.schema?.value['example']];
  return pageProperties.some(({ path, role }) => {
    const pointer = path.reduce(joinPointer, '');
    const values = bodies.map((body) => (body === undefined ? undefined : getAtPointer(body, pointer)));
    return role.endsWith('-link') && values.some((value) => typeof value === 'string' && /^\/(?!\/)/.test(value));
  });
}

function withoutOrigin(role: PagePropertyRole, value: JsonValue): JsonValue {
  return role.endsWith('-link') && typeof value === 'string' ? value.replace(/^https?:\/\/[^/]+/, '') : value;
}

const NOTHING: Fill = () => undefined;

/** JSON of the keys of items, in the type of the list; behind a path where examples of the list show paths. */
function keysText({ item, body, path }: BodyShape, { api, resource }: BodyInput, items: readonly Item[]): string {
  const list = viewOf(api).along(body, path)?.value['example'] ?? body.value['example'];
  const first = Array.isArray(list) ? list[0] : item?.value['example'];
  const before = typeof first === 'string' ? (/^\/(?:.*\/)?/.exec(first)?.[0] ?? '') : '';
  const isText = item !== undefined && typesOf(item.value).includes('string');
  return stringifyJson(
    items.map((each) => {
      const key = keyOf(resource, each) ?? null;
      return isText ? `${before}${key ?? ''}` : key;
    }),
  );
}

function wrapped(
  { form }: BodyShape,
  { resource }: BodyInput,
  items: readonly Item[],
  texts: readonly string[],
): string {
  if (form !== 'map') return `[${texts.join(',')}]`;
  const properties = items.map(
    (item, index) => `${JSON.stringify(String(keyOf(resource, item)))}:${texts[index] ?? ''}`,
  );
  return `{${properties.join(',')}}`;
}

/** An item cut down to some of its properties and those that it must have; as a whole where the schema asks for more. */
function cutter(
  shape: Shape,
  schema: Schema | undefined,
  fields: readonly string[],
  { attributes }: Resource,
): (item: Item) => string | undefined {
  const wanted = new Set(fields);
  const validate = schema?.validate('response');
  return (item) => {
    const shown = shape.value(item) as Item;
    for (;;) {
      const cut =
        attributes.size > 0 ? cutResourceObject(shown, wanted) : pickProperties(shown, (name) => wanted.has(name));
      const violations = validate?.(cut) ?? NO_VIOLATIONS;
      if (violations.length === 0) return stringifyJson(cut);
      // What one item must have, all must: the next one is cut right at once.
      const { size } = wanted;
      for (const { keyword, property } of violations)
        if (keyword === 'required' && property !== undefined) wanted.add(property);
      if (wanted.size === size) return undefined;
    }
  };
}

/** Fields are those of `attributes` and `relationships`; what identifies the item stays (JSON:API 1.1 §6.3). */
function cutResourceObject(item: Item, wanted: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) => {
      const hasFields = (name === 'attributes' || name === 'relationships') && isJsonObject(value);
      return [name, hasFields ? pickProperties(value, (field) => wanted.has(field)) : value];
    }),
  );
}

/**
 * How a body is written that is not an item, and tells of one all the same: it has properties of the item, such as the key of
 * what was accepted.
 */
function outcomeShape(input: BodyInput, entry: MediaTypeEntry | undefined): Shape | undefined {
  const { api, resource, binding } = input;
  const told = planOutcomeProperties(binding) ?? planOneTimeSecrets(binding, api, input.sample);
  if (entry?.schema === undefined || !isJsonMediaType(contentTypeOf(entry))) return undefined;
  const schema = leastOf(api, entry.schema);
  const tellsOfItem = [...api.propertiesOf(schema).values()].some(
    (property) =>
      resource.properties.has(property.name) ||
      isKeyNameInResponse(property.name, resource.name) ||
      told?.(property, '') !== undefined,
  );
  if (!tellsOfItem && !isFreeAnswer(input, entry, schema)) return enveloped(input, entry, schema);
  const shape = planShape(input, schema, told);
  const successes = successFlags(api, schema);
  const literals = removalLiterals(input.binding, entry);
  if (successes.length === 0 && Object.keys(literals).length === 0) return shape;
  const value = (item: Item): JsonValue => {
    const body = withSuccess(shape.value(item), successes);
    const told = isJsonObject(body) ? { ...body, ...literals } : body;
    return schema.accepts(told, 'response') ? told : body;
  };
  return { isStored: false, value, text: (item) => stringifyJson(value(item)) };
}

/** Is the answer of a write an object whose schema declares nothing? Then the answer is what was written. */
function isFreeAnswer({ api, binding }: BodyInput, entry: MediaTypeEntry, schema: Schema): boolean {
  const isWrite = ['create', 'update', 'replace', 'upsert'].includes(binding.behaviour);
  const isEmpty = /\bempty\b/i.test(`${schema.pointer} ${stringifyJson(schema.value['description'] ?? '')}`);
  return isWrite && !isEmpty && examplesOf(entry).length === 0 && viewOf(api).acceptsAnyObject(schema);
}

/** The same in the object around it, `{ data: { id, secret } }`. */
function enveloped(input: BodyInput, entry: MediaTypeEntry, schema: Schema): Shape | undefined {
  const shape = itemShape(viewOf(input.api), schema, input.resource.name);
  const inner =
    shape === undefined || shape.path.length === 0 ? undefined : outcomeShape(input, { ...entry, schema: shape.item });
  if (shape === undefined || inner === undefined) return undefined;
  const frame = planFrame(input.api, shape, input.sample);
  const text = (item: Item): string => frame.write(inner.text(item), NOTHING);
  return { isStored: false, value: (item) => parseJson(text(item)), text };
}

/** What the example of a removal says of every removal: truth values, and the kind of what was removed. */
function removalLiterals({ behaviour }: Binding, entry: MediaTypeEntry): JsonObject {
  const example =
    behaviour === 'remove'
      ? examplesOf(entry)
          .map(({ value }) => value)
          .find(isJsonObject)
      : undefined;
  return pickProperties(example ?? {}, (name, value) => typeof value === 'boolean' || namesKind(name));
}

/** The branch of a choice in which least must be there: what has more fits several. */
function leastOf(api: ApiModel, schema: Schema): Schema {
  const branches = api.propertiesOf(schema).size === 0 ? viewOf(api).alternatives(schema) : [];
  const needs = (branch: Schema): number =>
    [...api.propertiesOf(branch).values()].filter(({ required }) => required).length;
  return branches.reduce((least, each) => (least === schema || needs(each) < needs(least) ? each : least), schema);
}

/** Truth values by which a response says that what was asked for is done. */
const SUCCESS = /^(?:is_?)?(?:result|success(?:ful)?|succeeded|ok|ack(?:nowledged)?|accepted|done)$/i;

function successFlags(api: ApiModel, schema: Schema): string[] {
  return [...api.propertiesOf(schema).values()].flatMap(({ name, schema: { type } }) =>
    type === 'boolean' && SUCCESS.test(name) ? [name] : [],
  );
}

/** A success says of itself that it is one. */
function withSuccess(body: JsonValue, flags: readonly string[]): JsonValue {
  if (!isJsonObject(body)) return body;
  return { ...body, ...Object.fromEntries(flags.map((name) => [name, true])) };
}

/** A body in which no item stands: an example, else one that is generated. */
function standInBody(api: ApiModel, entry: MediaTypeEntry | undefined, sample: SampleOf): string {
  const schema = entry?.schema;
  const examples = [...(entry?.examples ?? []).map(({ value }) => value), schema?.value['example']];
  const good = examples.find(
    (value) => value !== undefined && (schema === undefined || schema.accepts(value, 'response')),
  );
  const made = schema === undefined ? undefined : withEnvelope(api, schema, sample);
  const body =
    good ?? (made === undefined ? {} : withSuccess(made, schema === undefined ? [] : successFlags(api, schema)));
  const isText = typeof body === 'string' && entry !== undefined && !isJsonMediaType(entry.mediaType);
  return isText ? body : stringifyJson(body);
}

/** A client unwraps the one object that a body is about, although it may be left out: `{ data: {} }`. */
function withEnvelope(api: ApiModel, schema: Schema, sample: SampleOf): JsonValue | undefined {
  const made = withFixedValues(api, schema, sample);
  const properties = api.propertiesOf(schema);
  const [only, ...more] = properties.values();
  const wrapper = itemShape(viewOf(api), schema, '')?.path[0];
  const held = more.length === 0 ? only : properties.get(wrapper ?? '');
  const inner = held && viewOf(api).schemaOf(held);
  if (held === undefined || inner === undefined || !isJsonObject(made) || held.name in made) return made;
  const value = viewOf(api).isObject(inner) ? sample(inner) : undefined;
  return value === undefined ? made : { ...made, [held.name]: value };
}

/** A sample with the values that the description gives for what may be left out. */
function withFixedValues(api: ApiModel, schema: Schema, sample: SampleOf): JsonValue | undefined {
  const made = sample(schema);
  if (!isJsonObject(made)) return made;
  const full = { ...fixedBody(api, schema, sample), ...made };
  return schema.accepts(full, 'response') ? full : made;
}

type SampleOf = ShapeContext['sample'];

/** A range describes what may come and is not a Content-Type; nor is a key such as `error`. */
function contentTypeOf(entry: MediaTypeEntry | undefined): string {
  const mediaType = entry?.mediaType ?? 'application/json';
  if (!mediaType.includes('/')) return 'application/json';
  if (!mediaType.includes('*')) return mediaType;
  return bestMediaType('application/json', [mediaType]) === undefined ? 'text/plain' : 'application/json';
}
