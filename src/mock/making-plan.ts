import { memberOf, setMember } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import { chanceOf } from '../payload/sampler/chance';
import type { ApiModel, Property, Schema } from '../openapi/model';
import { heldForm } from './held-form';
import { heldPage } from './held-page';
import { once } from '../http/memo';
import type { Item, ItemDraft } from './item';
import { createKeyMaker, type KeyMaker } from './key-maker';
import { fillMissingParts } from './missing-parts';
import type { Resource } from './resource';
import type { Creation } from './new-item/creation';
import { nameInAddress } from './new-item/name-in-address';
import { makerOf, type Make } from './new-item/first-value';
import { isSecretName } from './new-item/member-meaning';
import { clockOf, type Clock } from './new-item/times';
import { tellsChange, tellsMaking } from '../resources/time-names';
import { readerOf } from '../resources/schema-reader';
import { completeBesideKey } from './shown-key';
import type { SampleSchema } from './sample-schema';

/** What a service adds to what a client sends. Worked out once for each resource. */
export interface MakingPlan {
  readonly keys: KeyMaker;
  /** Sets the members with a `default` that are missing (JSON Schema Validation §9.2). */
  addDefaults(item: ItemDraft): void;
  /**
   * Sets the members that only the service can set, and the required ones that nobody has set.
   *
   * @param nowMs - epoch milliseconds; `undefined` for a record that nobody has made
   * @returns the names of the members that were set
   */
  complete(item: ItemDraft, nowMs: number | undefined): string[];
  /** The value of a member in the form in which items hold it; see {@link heldForm}. */
  held(member: string, value: JsonValue, key: string | undefined): JsonValue;
  /** Does the service set this member itself: a time of making or change, a secret? */
  isOwn(member: string): boolean;
  /** Can items hold a value under this name? */
  takes(member: string, value: JsonValue): boolean;
  /** The same item with what the parts of its members lack; see {@link fillMissingParts}. */
  fillParts(item: ItemDraft): ItemDraft;
  /**
   * An object of another schema with what it must have and lacks.
   *
   * @param name - by which it is known: another object for each
   */
  filled(schema: Schema, name: string, value: Item): JsonValue;
  /** The members that tell when an item was changed. */
  readonly touched: readonly string[];
  /** Sets those members. */
  touch(item: ItemDraft, nowMs: number): void;
  /** Sets one member to the time, in the way in which it holds times; one that holds none is left alone. */
  stamp(item: ItemDraft, member: string, nowMs: number): void;
}

/** @param creation - what is said of how items come to be */
export function planMaking(api: ApiModel, resource: Resource, sample: SampleSchema, creation: Creation): MakingPlan {
  const defaulted: Property[] = [];
  const makers: (readonly [string, Make])[] = [];
  const touched: (readonly [string, Clock])[] = [];
  for (const property of resource.properties.values()) {
    const { name, schema } = property;
    if (name === resource.keyMember) continue;
    const clock = tellsChange(name) ? clockOf(property) : undefined;
    if (clock !== undefined) touched.push([name, clock]);
    if (schema['default'] !== undefined) defaulted.push(property);
    const maker = makerOf(api, property, creation, sample);
    if (maker !== undefined) makers.push([name, maker]);
  }
  const isOneOfSeveral = once(() => readerOf(api).choices(resource.schema).length > 0);
  const besideKey = once(() => membersOf(api, resource.properties.get(resource.key.shownAt[0] ?? '')));
  const defaults = once(() => defaulted.flatMap((property) => defaultOf(api, property)));
  return {
    keys: createKeyMaker(api, resource, sample),
    touched: touched.map(([name]) => name),
    addDefaults(item) {
      for (const [name, value] of defaults()) if (memberOf(item, name) === undefined) setMember(item, name, value);
    },
    complete(item, nowMs) {
      const made: string[] = [];
      const ordinal = chanceOf(scalarText(memberOf(item, resource.keyMember) ?? ''));
      for (const [name, make] of makers) {
        const value =
          memberOf(item, name) === undefined ? (nameInAddress(name, item) ?? make(nowMs, ordinal)) : undefined;
        if (value === undefined) continue;
        setMember(item, name, value);
        made.push(name);
      }
      addBare(resource, item, sample);
      const key = resource.toKey(memberOf(item, resource.keyMember));
      if (key !== undefined && nowMs !== undefined) completeBesideKey(item, resource.key, besideKey(), key, nowMs);
      return made;
    },
    held(member, value, key) {
      const pointer = resource.properties.get(member)?.pointer;
      const place = pointer === undefined ? undefined : api.schemaAt(pointer);
      if (place === undefined) return value;
      const inner = (at: Schema, entry: JsonValue): JsonValue => heldForm(api, at, entry, key);
      const page = Array.isArray(value) ? heldPage(api, place, member, value, sample, inner) : undefined;
      return page ?? heldForm(api, place, value, key);
    },
    isOwn: (member) => tellsMaking(member) || tellsChange(member) || isSecretName(member),
    takes(member, value) {
      const pointer = resource.properties.get(member)?.pointer;
      const place = pointer === undefined ? undefined : api.schemaAt(pointer);
      return place === undefined || place.validate('response')(value).length === 0;
    },
    fillParts(item) {
      const filled: ItemDraft = { ...item };
      for (const { name, pointer } of resource.properties.values()) {
        const value = item[name];
        const place = typeof value === 'object' ? api.schemaAt(pointer) : undefined;
        if (place !== undefined && value !== undefined) filled[name] = fillMissingParts(api, sample, place, value);
      }
      return isOneOfSeveral() ? asOneOfSeveral(api, sample, resource, filled) : filled;
    },
    filled(schema, name, value) {
      if (schema.validate('response')(value).length === 0) return value;
      const whole = sample(schema, chanceOf(name));
      return fillMissingParts(api, sample, schema, isJsonObject(whole) ? { ...whole, ...value } : value);
    },
    stamp(item, member, nowMs) {
      const property = resource.properties.get(member);
      const clock = property === undefined ? undefined : clockOf(property);
      if (clock !== undefined) setMember(item, member, clock(nowMs));
    },
    touch(item, nowMs) {
      for (const [name, make] of touched) setMember(item, name, make(nowMs));
    },
  };
}

/** An item that is one of several kinds, with what the kind must have that its members tell. */
function asOneOfSeveral(api: ApiModel, sample: SampleSchema, resource: Resource, item: ItemDraft): ItemDraft {
  const own = Object.fromEntries(
    Object.entries(item).flatMap(([name, value]) =>
      value === undefined || resource.hidden.has(name) ? [] : [[name, value]],
    ),
  );
  const whole = fillMissingParts(api, sample, resource.schema, own);
  return isJsonObject(whole) ? { ...item, ...whole } : item;
}

function membersOf(api: ApiModel, property: Property | undefined): ReadonlyMap<string, Property> {
  const reader = readerOf(api);
  const schema = property === undefined ? undefined : reader.member(property);
  return schema === undefined ? new Map() : reader.members(schema);
}

/** What is required and declared nowhere has what a sample of the whole has there. */
function addBare({ bare, schema }: Resource, item: ItemDraft, sample: SampleSchema): void {
  const missing = [...bare()].filter((name) => memberOf(item, name) === undefined);
  const whole = missing.length === 0 ? undefined : sample(schema);
  if (isJsonObject(whole)) for (const name of missing) setMember(item, name, memberOf(whole, name));
}

/** The default of a member as items hold it: `'false'` is no truth value. One that says nothing they can hold is none. */
function defaultOf(api: ApiModel, { name, schema, pointer }: Property): (readonly [string, JsonValue])[] {
  const value = schema['default'];
  const place = api.schemaAt(pointer);
  if (value === undefined || place === undefined) return [];
  const held = heldForm(api, place, value);
  return place.validate('response')(held).length === 0 ? [[name, held]] : [];
}
