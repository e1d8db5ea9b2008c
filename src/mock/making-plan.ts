import { memberOf, setMember } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import type { ApiModel, Property } from '../openapi/model';
import { heldForm } from './held-form';
import { once } from '../http/memo';
import type { ItemDraft } from './item';
import { createKeyMaker, type KeyMaker } from './key-maker';
import { fillMissingParts } from './missing-parts';
import type { Resource } from './resource';
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
  /** The same item with what the parts of its members lack; see {@link fillMissingParts}. */
  fillParts(item: ItemDraft): ItemDraft;
  /** The members that tell when an item was changed. */
  readonly touched: readonly string[];
  /** Sets those members. */
  touch(item: ItemDraft, nowMs: number): void;
  /** Sets one member to the time, in the way in which it holds times; one that holds none is left alone. */
  stamp(item: ItemDraft, member: string, nowMs: number): void;
}

/** The time at which an item was made, and at which it was changed last. */
const MADE_AT =
  /^(?:date_?)?(?:created|inserted|registered|added)(?:_?(?:at|on|date|time|timestamp))?$|^creation_?(?:date|time)$/i;
const CHANGED_AT =
  /^(?:date_?)?(?:(?:last_?)?(?:updated|modified|changed))(?:_?(?:at|on|date|time|timestamp))?$|^last_?(?:update|modification|change)(?:_?(?:date|time))?$/i;
const COUNTER = /(?:count|counter|total|views|likes|stars|forks|size|number_of)$/i;

type Make = (nowMs: number | undefined) => JsonValue | undefined;

export function planMaking(api: ApiModel, resource: Resource, sample: SampleSchema): MakingPlan {
  const defaulted: Property[] = [];
  const makers: (readonly [string, Make])[] = [];
  const touched: (readonly [string, Make])[] = [];
  for (const property of resource.properties.values()) {
    const { name, schema } = property;
    if (name === resource.keyMember) continue;
    const clock = CHANGED_AT.test(name) ? clockFor(property) : undefined;
    if (clock !== undefined) touched.push([name, clock]);
    if (schema['default'] !== undefined) defaulted.push(property);
    const maker = makerFor(api, property, sample);
    if (maker !== undefined) makers.push([name, maker]);
  }
  const defaults = once(() => defaulted.flatMap((property) => defaultOf(api, property)));
  return {
    keys: createKeyMaker(api, resource, sample),
    touched: touched.map(([name]) => name),
    addDefaults(item) {
      for (const [name, value] of defaults()) if (memberOf(item, name) === undefined) setMember(item, name, value);
    },
    complete(item, nowMs) {
      const made: string[] = [];
      for (const [name, make] of makers) {
        const value = memberOf(item, name) === undefined ? make(nowMs) : undefined;
        if (value === undefined) continue;
        setMember(item, name, value);
        made.push(name);
      }
      addBare(resource, item, sample);
      return made;
    },
    held(member, value, key) {
      const pointer = resource.properties.get(member)?.pointer;
      const place = pointer === undefined ? undefined : api.schemaAt(pointer);
      return place === undefined ? value : heldForm(api, place, value, key);
    },
    fillParts(item) {
      const filled: ItemDraft = { ...item };
      for (const { name, pointer } of resource.properties.values()) {
        const value = item[name];
        const place = typeof value === 'object' ? api.schemaAt(pointer) : undefined;
        if (place !== undefined && value !== undefined) filled[name] = fillMissingParts(api, sample, place, value);
      }
      return filled;
    },
    stamp(item, member, nowMs) {
      const property = resource.properties.get(member);
      const clock = property === undefined ? undefined : clockFor(property);
      if (clock !== undefined) setMember(item, member, clock(nowMs));
    },
    touch(item, nowMs) {
      for (const [name, make] of touched) setMember(item, name, make(nowMs));
    },
  };
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

/** What is required must be there; of what only the service sets, times and counters are known without asking. */
function makerFor(api: ApiModel, property: Property, sample: SampleSchema): Make | undefined {
  const { name, schema, required, readOnly, writeOnly, pointer } = property;
  if (writeOnly) return undefined;
  const clock = MADE_AT.test(name) || CHANGED_AT.test(name) ? clockFor(property) : undefined;
  const counts = (required || readOnly) && isInteger(schema['type']) && COUNTER.test(name);
  if (!required && clock === undefined && !counts) return undefined;
  let made: JsonValue | undefined;
  const fallback = (): JsonValue | undefined => {
    if (made !== undefined) return made;
    const place = api.schemaAt(pointer);
    if (place === undefined) return undefined;
    const isGood = (value: JsonValue): boolean => place.validate('response')(value).length === 0;
    const plain = firstChoices(property, counts).find(isGood);
    return (made = plain === undefined ? sample(place) : plain);
  };
  return (nowMs) => (nowMs === undefined ? undefined : clock?.(nowMs)) ?? fallback();
}

/** Values that say that nothing has happened yet, before one is made up. */
function firstChoices({ schema }: Property, counts: boolean): JsonValue[] {
  const words = Array.isArray(schema['enum']) ? schema['enum'].slice(0, 1) : [];
  const constant = schema['const'] === undefined ? [] : [schema['const']];
  const zero: JsonValue[] = counts ? [0] : [];
  const off: JsonValue[] = schema['type'] === 'boolean' ? [false] : [];
  const none: JsonValue[] = schema['type'] === 'array' ? [[]] : [];
  const nothing: JsonValue[] = isNullable(schema) ? [null] : [];
  return [...constant, ...words, ...zero, ...off, ...none, ...nothing];
}

function isNullable(schema: Property['schema']): boolean {
  const { type } = schema;
  return schema['nullable'] === true || type === 'null' || (Array.isArray(type) && type.includes('null'));
}

function isInteger(type: JsonValue | undefined): boolean {
  return type === 'integer' || (Array.isArray(type) && type.includes('integer'));
}

/** Times as RFC 3339, as a date, or as seconds or milliseconds since 1970. */
function clockFor({ schema }: Property): Make | undefined {
  const { type, format } = schema;
  if (isInteger(type)) {
    const { description } = schema;
    const isMs = typeof description === 'string' && description.includes('millisecond');
    return (nowMs = 0) => (isMs ? nowMs : Math.floor(nowMs / 1000));
  }
  if (format === 'date-time') return (nowMs = 0) => new Date(nowMs).toISOString();
  if (format === 'date') return (nowMs = 0) => new Date(nowMs).toISOString().slice(0, 10);
  return undefined;
}
