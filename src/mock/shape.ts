import { memberOf, setMember } from '../json/member';
import { isJsonObject, type JsonObject, type JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import type { ApiModel, Property, Schema } from '../openapi/model';
import { singularOf, wordsOf } from '../resources/inflection';
import { meansKey, showsKey } from '../resources/key-elsewhere';
import { kindNamed, tellsOfSchema } from '../resources/kind-name';
import { typesOf } from '../resources/schema-reader';
import { bareMembers } from './bare-members';
import type { Item } from './item';
import { missingMember } from './missing-parts';
import { isOpenSchema } from './open-schema';
import { represent, visible } from './representation';
import { keyOf, type Resource } from './resource';
import type { SampleSchema } from './sample-schema';
import type { ToldByAnswer } from './told-by-answer';

/** How a stored item is shown where a description gives it another shape, such as a summary in a list. */
export interface Shape {
  /** Is it shown as it is stored? Then its text is the one that the entity tag was made of. */
  readonly isStored: boolean;
  value(item: Item): JsonValue;
  /** JSON of {@link value}. */
  text(item: Item): string;
}

/** What shapes are made with. */
export interface ShapeContext {
  readonly api: ApiModel;
  readonly resource: Resource;
  readonly sample: SampleSchema;
}

/**
 * @param target - schema of the item as it is shown; `undefined` shows it as it is stored
 * @param told - gives members that items do not have
 */
export function planShape(
  { api, resource, sample }: ShapeContext,
  target: Schema | undefined,
  told?: ToldByAnswer,
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
  const value = (item: Item): JsonValue => {
    let shown = values.get(item);
    if (shown === undefined) values.set(item, (shown = shaper.show(item, target)));
    return shown;
  };
  return {
    isStored: false,
    value,
    text(item) {
      let text = texts.get(item);
      if (text === undefined) texts.set(item, (text = stringifyJson(value(item))));
      return text;
    },
  };
}

const MAX_DEPTH = 20;

class Shaper {
  private readonly api: ApiModel;
  private readonly sample: SampleSchema;
  private readonly resource: Resource;
  private readonly open = new Map<string, boolean>();
  private readonly bare = new Map<string, ReadonlySet<string>>();

  private readonly told: ToldByAnswer | undefined;

  constructor(api: ApiModel, sample: SampleSchema, resource: Resource, told: ToldByAnswer | undefined) {
    this.told = told;
    this.api = api;
    this.sample = sample;
    this.resource = resource;
  }

  /** What is not declared goes, what is required and missing is made up; deeper only where that is not enough. */
  show(item: Item, target: Schema): JsonValue {
    const value = this.withOtherForms(item, target);
    const flat = this.members(value, target, 0, false);
    return isValid(target, flat) ? flat : this.members(value, target, 0, true);
  }

  /**
   * What is sent of an item, with the members of the shape that have another name or form there: one that means the key,
   * `thingId`, and a list of the one text that items have, `names` of `name`.
   */
  private withOtherForms(item: Item, target: Schema): JsonObject {
    const shown = visible(item, this.resource);
    const others: Record<string, JsonValue> = {};
    for (const property of this.api.propertiesOf(target).values()) {
      const other = memberOf(shown, property.name) === undefined ? this.otherForm(item, shown, property) : undefined;
      if (other !== undefined) setMember(others, property.name, other);
    }
    return Object.keys(others).length === 0 ? shown : { ...shown, ...others };
  }

  /** @param shown - what is sent of the item: nothing else may get out in another form either */
  private otherForm(item: Item, shown: JsonObject, property: Property): JsonValue | undefined {
    const { name, schema } = property;
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
      const value = one === undefined || one.name === name ? undefined : memberOf(shown, one.name);
      return typeof value === 'string' ? [value] : undefined;
    }
    if (types.includes('object') || types.includes('boolean')) return undefined;
    if (!this.isKey(name)) return undefined;
    const key = this.resource.kind === 'singleton' ? undefined : keyOf(this.resource, item);
    return key !== undefined && types.includes('string') ? String(key) : key;
  }

  private isKey(name: string): boolean {
    const { properties, name: thing } = this.resource;
    return (properties.has(name) ? meansKey : showsKey)(name, thing) || this.isUnseenKey(name);
  }

  /** `name` for `/things/{thing_name}`, where items themselves do not show what they are found by. */
  private isUnseenKey(name: string): boolean {
    const { key, itemPath } = this.resource;
    if (!key.isHidden || key.shownAt.length > 0) return false;
    const variable = /\{([^{}]*)\}[^{}]*$/.exec(itemPath ?? '')?.[1] ?? '';
    return wordsOf(variable).at(-1) === wordsOf(name).join('');
  }

  private members(value: JsonObject, target: Schema, depth: number, isDeep: boolean): JsonObject {
    const properties = this.api.propertiesOf(target);
    const shown: Record<string, JsonValue> = {};
    const keepsAll = this.isOpen(target);
    for (const property of properties.values()) {
      const kind = depth === 0 ? kindNamed(property, target.pointer) : undefined;
      // What an item says of its own schema is not true of another.
      const isStrange = depth === 0 && kind === undefined && tellsOfSchema(property, target.pointer);
      const member = kind ?? (isStrange ? undefined : memberOf(value, property.name));
      const made = member === undefined ? this.missing(property) : this.member(member, property, depth, isDeep);
      if (made !== undefined) setMember(shown, property.name, made);
    }
    this.addBare(value, target, shown);
    if (!keepsAll) return shown;
    for (const [name, member] of Object.entries(value)) if (!properties.has(name)) setMember(shown, name, member);
    return shown;
  }

  /** What is required and declared nowhere: as it is stored, else as a sample of the whole has it. */
  private addBare(value: JsonObject, target: Schema, shown: Record<string, JsonValue>): void {
    const names = this.bareOf(target);
    if (names.size === 0) return;
    const whole = this.sample(target);
    for (const name of names) {
      const member = memberOf(value, name) ?? (isJsonObject(whole) ? memberOf(whole, name) : undefined);
      if (member !== undefined) setMember(shown, name, member);
    }
  }

  private bareOf(schema: Schema): ReadonlySet<string> {
    let names = this.bare.get(schema.pointer);
    if (names === undefined) this.bare.set(schema.pointer, (names = bareMembers(this.api, schema)));
    return names;
  }

  private missing(property: Property): JsonValue | undefined {
    return missingMember(this.api, this.sample, property);
  }

  private member(value: JsonValue, property: Property, depth: number, isDeep: boolean): JsonValue | undefined {
    if (property.writeOnly) return undefined;
    const place = isDeep && depth < MAX_DEPTH ? this.api.schemaAt(property.pointer) : undefined;
    if (place === undefined || isValid(place, value)) return value;
    const inner = this.inner(value, place, depth);
    if (isValid(place, inner)) return inner;
    return property.required ? (this.missing(property) ?? inner) : undefined;
  }

  private inner(value: JsonValue, place: Schema, depth: number): JsonValue {
    if (isJsonObject(value)) return this.members(value, place, depth + 1, true);
    if (!Array.isArray(value)) return value;
    const items = this.api.schemaAt(`${place.pointer}/items`);
    return items === undefined ? value : value.map((item) => this.inner(item, items, depth + 1));
  }

  private isOpen(schema: Schema): boolean {
    let isOpen = this.open.get(schema.pointer);
    if (isOpen === undefined) this.open.set(schema.pointer, (isOpen = isOpenSchema(this.api, schema)));
    return isOpen;
  }
}

function isValid(schema: Schema, value: JsonValue): boolean {
  return schema.validate('response')(value).length === 0;
}
