import { isJsonObject, type JsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { singularOf, wordsOf } from '../../core/text/inflection';
import { getOrCreate } from '../../core/text/memoize';
import type { Key } from '../../lists/sort-values';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Property, Schema } from '../../openapi/model/operation';
import { isKeyName, isKeyNameInResponse, isSchemaMetadata, kindOfSchema } from '../../openapi/naming/property-names';
import { isOpenSchema, undeclaredRequired } from '../../openapi/view/object-properties';
import { schemaOfItems } from '../../openapi/view/schema-shape';
import { typesOf } from '../../openapi/view/schema-view';
import { chanceOf } from '../../payload/sampler/chance';
import { effectOf } from '../../resources/actions/verb-effects';
import { isSameKeyName } from '../../resources/keys/choose-key';
import type { Binding } from '../../resources/model/binding';
import { isSecretName } from '../fitting/new-item-hints';
import { coerceToSchema, missingProperty, type SampleSchema } from '../fitting/schema-fitting';
import type { Item } from '../state/item';
import { represent, visible } from '../state/item-representation';
import { keyOf, type Resource } from '../state/prepared-resource';

/** What a response tells of what was done, where items have no such property: `{ id, deleted: true }`. */
type ResponseOnlyProperty = (property: Property, key: Key | undefined) => JsonValue | undefined;

const SUCCESS = /^(?:ok|success|succeeded|successful)$/i;
const GONE = /^(?:deleted|removed)$/;

/** @returns `undefined` where an operation does nothing that its response could tell */
export function planOutcomeProperties({ behaviour, action }: Binding): ResponseOnlyProperty | undefined {
  const verbs =
    behaviour === 'remove' ? ['delete', 'remove'] : behaviour === 'act' && action !== undefined ? [action.verb] : [];
  if (verbs.length === 0) return undefined;
  return (property, key) => {
    const { name, schema } = property;
    const types = typesOf(schema);
    if (types.includes('boolean')) {
      if (SUCCESS.test(name)) return true;
      const properties = new Map([[name, property]]);
      return verbs.map((verb) => effectOf(verb, properties)?.value).find((value) => value !== undefined);
    }
    const words = wordsOf(name);
    const areKeys = types.includes('array') && GONE.test(words[0] ?? '') && words.at(-1) === 'ids';
    return areKeys && behaviour === 'remove' && key !== undefined ? [String(key)] : undefined;
  };
}

/**
 * Secrets that items do not have and the response that makes one shows once, whether they must be there or not.
 *
 * @returns `undefined` where an operation makes nothing
 */
export function planOneTimeSecrets(
  { behaviour }: Binding,
  api: ApiModel,
  sample: SampleSchema,
): ResponseOnlyProperty | undefined {
  if (behaviour !== 'create') return undefined;
  return ({ name, schema, pointer, writeOnly }, key) => {
    const isText = typesOf(schema).includes('string') && schema['enum'] === undefined && schema['const'] === undefined;
    const place = isText && !writeOnly && isSecretName(name) ? api.schemaAt(pointer) : undefined;
    return place && sample(place, chanceOf(String(key ?? '')), name);
  };
}

/** How a stored item is shown where a description gives it another shape, such as a summary in a list. */
export interface Shape {
  /** Is it shown as it is stored? Then its text is the one that the entity tag was made of. */
  readonly isStored: boolean;
  value(item: Item): JsonValue;
  text(item: Item): string;
}

export interface ShapeContext {
  readonly api: ApiModel;
  readonly resource: Resource;
  readonly sample: SampleSchema;
}

/**
 * @param target - schema of the item as it is shown; `undefined` shows it as it is stored
 * @param told - gives properties that items do not have
 */
export function planShape(
  { api, resource, sample }: ShapeContext,
  target: Schema | undefined,
  told?: ResponseOnlyProperty,
): Shape {
  if (target === undefined || target.pointer === resource.schema.pointer) {
    return {
      isStored: true,
      value: (item) => visible(item, resource),
      text: (item) => represent(item, resource).text,
    };
  }
  const shaper = new Shaper(api, sample, resource, told);
  // Items are frozen: what was worked out for one stays true as long as it is stored.
  const values = new WeakMap<Item, JsonValue>();
  const texts = new WeakMap<Item, string>();
  const value = (item: Item): JsonValue => values.get(item) ?? kept(values, item, shaper.show(item, target));
  const text = (item: Item): string => texts.get(item) ?? kept(texts, item, stringifyJson(value(item)));
  return { isStored: false, value, text };
}

function kept<Value>(map: WeakMap<Item, Value>, item: Item, value: Value): Value {
  map.set(item, value);
  return value;
}

const MAX_DEPTH = 20;

class Shaper {
  private readonly api: ApiModel;
  private readonly sample: SampleSchema;
  private readonly resource: Resource;
  private readonly open = new Map<string, boolean>();
  private readonly bare = new Map<string, ReadonlySet<string>>();

  private readonly told: ResponseOnlyProperty | undefined;

  constructor(api: ApiModel, sample: SampleSchema, resource: Resource, told: ResponseOnlyProperty | undefined) {
    this.told = told;
    this.api = api;
    this.sample = sample;
    this.resource = resource;
  }

  /** What is not declared goes, what is required and missing is generated; deeper only where that is not enough. */
  show(item: Item, target: Schema): JsonValue {
    const value = this.withOtherForms(item, target);
    const flat = this.members(value, target, 0, false);
    return target.accepts(flat, 'response') ? flat : this.members(value, target, 0, true);
  }

  /**
   * What is sent of an item, with the properties of the shape that have another name or form there: one that means the key,
   * `thingId`, and a list of the one text that items have, `names` of `name`.
   */
  private withOtherForms(item: Item, target: Schema): JsonObject {
    const shown = visible(item, this.resource);
    const others: Record<string, JsonValue> = {};
    for (const property of this.api.propertiesOf(target).values()) {
      const other = ownProperty(shown, property.name) === undefined ? this.otherForm(item, shown, property) : undefined;
      if (other !== undefined) setProperty(others, property.name, other);
    }
    return Object.keys(others).length === 0 ? shown : { ...shown, ...others };
  }

  /** @param shown - what is sent of the item: nothing else may get out in another form either */
  private otherForm(item: Item, shown: JsonObject, property: Property): JsonValue | undefined {
    const { name, schema } = property;
    if (this.resource.shownBeside.has(name)) return ownProperty(item, name);
    const told = this.resource.properties.has(name) ? undefined : this.told?.(property, keyOf(this.resource, item));
    return told ?? this.sameInOtherForm(item, shown, name, typesOf(schema));
  }

  private sameInOtherForm(
    item: Item,
    shown: JsonObject,
    name: string,
    types: readonly string[],
  ): JsonValue | undefined {
    if (types.includes('array')) {
      const one = this.resource.properties.get(singularOf(name));
      const value = one === undefined || one.name === name ? undefined : ownProperty(shown, one.name);
      return typeof value === 'string' ? [value] : undefined;
    }
    if (types.includes('object') || types.includes('boolean')) return undefined;
    if (!this.isKey(name)) return undefined;
    const key = this.resource.kind === 'singleton' ? undefined : keyOf(this.resource, item);
    return key !== undefined && types.includes('string') ? String(key) : key;
  }

  private isKey(name: string): boolean {
    const { properties, name: thing, key } = this.resource;
    if (properties.has(name)) return isKeyName(name, thing);
    return isKeyNameInResponse(name, thing) || isSameKeyName(name, key.name, thing) || this.isUnseenKey(name);
  }

  /** `name` for `/things/{thing_name}`, where items themselves do not show what they are found by. */
  private isUnseenKey(name: string): boolean {
    const { key, itemPath } = this.resource;
    if (!key.isHidden || key.propertyPath.length > 0) return false;
    const variable = /\{([^{}]*)\}[^{}]*$/.exec(itemPath ?? '')?.[1] ?? '';
    return wordsOf(variable).at(-1) === wordsOf(name).join('');
  }

  private members(value: JsonObject, target: Schema, depth: number, isDeep: boolean): JsonObject {
    const properties = this.api.propertiesOf(target);
    const shown: Record<string, JsonValue> = {};
    const keepsAll = this.isOpen(target);
    for (const property of properties.values()) {
      const kind = depth === 0 ? kindOfSchema(property, target.pointer) : undefined;
      // What an item says of its own schema is not true of another.
      const isStrange = depth === 0 && kind === undefined && isSchemaMetadata(property, target.pointer);
      const member = kind ?? (isStrange ? undefined : ownProperty(value, property.name));
      const made = member === undefined ? this.missing(property) : this.member(member, property, depth, isDeep);
      if (made !== undefined) setProperty(shown, property.name, made);
    }
    this.addBare(value, target, shown);
    if (!keepsAll) return shown;
    for (const [name, member] of Object.entries(value)) if (!properties.has(name)) setProperty(shown, name, member);
    return shown;
  }

  /** What is required and declared nowhere: as it is stored, else as a sample of the whole has it. */
  private addBare(value: JsonObject, target: Schema, shown: Record<string, JsonValue>): void {
    const names = this.bareOf(target);
    if (names.size === 0) return;
    const whole = this.sample(target);
    for (const name of names) {
      const property = ownProperty(value, name) ?? (isJsonObject(whole) ? ownProperty(whole, name) : undefined);
      if (property !== undefined) setProperty(shown, name, property);
    }
  }

  private bareOf(schema: Schema): ReadonlySet<string> {
    return getOrCreate(this.bare, schema.pointer, () => undeclaredRequired(this.api, schema));
  }

  private missing(property: Property): JsonValue | undefined {
    return missingProperty(this.api, this.sample, property);
  }

  private member(value: JsonValue, property: Property, depth: number, isDeep: boolean): JsonValue | undefined {
    if (property.writeOnly) return undefined;
    const place = isDeep && depth < MAX_DEPTH ? this.api.schemaAt(property.pointer) : undefined;
    if (place === undefined || place.accepts(value, 'response')) return value;
    const inner = this.inner(value, place, depth);
    if (place.accepts(inner, 'response')) return inner;
    return property.required ? (this.missing(property) ?? inner) : undefined;
  }

  private inner(value: JsonValue, place: Schema, depth: number): JsonValue {
    if (isJsonObject(value)) return this.members(value, place, depth + 1, true);
    if (!Array.isArray(value)) return coerceToSchema(this.api, place, value);
    const items = schemaOfItems(this.api, place);
    return items === undefined ? value : value.map((item) => this.inner(item, items, depth + 1));
  }

  private isOpen(schema: Schema): boolean {
    return getOrCreate(this.open, schema.pointer, () => isOpenSchema(this.api, schema));
  }
}
