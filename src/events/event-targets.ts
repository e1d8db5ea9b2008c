import { isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../core/json/json-value';
import { foldedName, wordsOf } from '../core/text/inflection';
import { scalarText } from '../core/json/stringify-json';
import {
  evaluateExpression,
  type ObservedValues,
  parseRuntimeExpression,
} from '../formats/contract/runtime-expression';
import type { Property } from '../openapi/model/operation';
import { deliveryUrlAmong, isSubscriptionName } from '../openapi/naming/subscriptions';
import type { SchemaView } from '../openapi/view/schema-view';
import type { ResourceDescription } from '../resources/model/resource';

/** Where an event is sent. */
export interface EventTarget {
  readonly url: string;
  /** It is signed with that; `undefined` for none. */
  readonly secret: string | undefined;
}

/**
 * Where a callback is sent: runtime expressions in braces, or one that is all (OAS 3.0.3 §4.7.18).
 *
 * @returns `undefined` where an expression leads nowhere, or the whole is no address
 */
export function callbackUrl(address: string, observed: ObservedValues): string | undefined {
  const parts = address.startsWith('$') ? ['', address, ''] : address.split(/\{(\$[^{}]*)\}/);
  const texts = parts.map((part, index) => (index % 2 === 0 ? part : textOfExpression(part, observed)));
  if (texts.includes(undefined)) return undefined;
  const url = texts.join('');
  return isAddress(url) ? url : undefined;
}

function textOfExpression(text: string, observed: ObservedValues): string | undefined {
  const expression = parseRuntimeExpression(text);
  const value = expression && evaluateExpression(expression, observed);
  return value === undefined || value === null || isJsonObject(value) || Array.isArray(value)
    ? undefined
    : scalarText(value);
}

export function isAddress(url: string): boolean {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

/** Where the items of a resource say what is sent to whom. */
export interface SubscriptionShape {
  readonly resource: ResourceDescription;
  /** Property that holds the others: `config`; `undefined` where the item itself has them. */
  readonly within: string | undefined;
  readonly url: string;
  readonly events: string | undefined;
  readonly secret: string | undefined;
  readonly active: string | undefined;
}

const EVENTS = /^(?:event|eventtype|enabledevent|topic|type|trigger|subscribedevent|eventname|action)$/;
const SECRETS = /^(?:secret|signingsecret|webhooksecret|sharedsecret|signingkey|secretkey|token)$/;
const ACTIVE = /^(?:active|enabled|isactive|isenabled|disabled|isdisabled)$/;

/** The resources whose items are subscriptions: their paths say so, and they have an address. */
export function subscriptionShapes(resources: readonly ResourceDescription[], view: SchemaView): SubscriptionShape[] {
  return resources.flatMap((resource): SubscriptionShape[] => {
    const last = resource.path.split('/').findLast((segment) => segment !== '' && !segment.startsWith('{')) ?? '';
    if (resource.kind !== 'collection' || !isSubscriptionName(last)) return [];
    const own = shapeAmong(resource.properties);
    if (own !== undefined) return [{ resource, within: undefined, ...own }];
    const config = resource.properties.get('config');
    const schema = config && view.schemaOf(config);
    const inner = schema && shapeAmong(view.properties(schema));
    if (inner === undefined) return [];
    const events = nameAmong(resource.properties, EVENTS);
    return [{ resource, within: 'config', ...inner, events, active: nameAmong(resource.properties, ACTIVE) }];
  });
}

type Names = Omit<SubscriptionShape, 'resource' | 'within'>;

function shapeAmong(properties: ReadonlyMap<string, Property>): Names | undefined {
  const url = deliveryUrlAmong(properties);
  if (url === undefined) return undefined;
  const named = (pattern: RegExp): string | undefined => nameAmong(properties, pattern);
  return { url: url.name, events: named(EVENTS), secret: named(SECRETS), active: named(ACTIVE) };
}

function nameAmong(properties: ReadonlyMap<string, Property>, pattern: RegExp): string | undefined {
  return [...properties.keys()].find((name) => pattern.test(foldedName(name)));
}

/** @returns `undefined` where a subscription does not want the event */
export function targetOf(
  shape: SubscriptionShape,
  item: JsonObject,
  names: readonly string[],
): EventTarget | undefined {
  const held = shape.within === undefined ? item : ownProperty(item, shape.within);
  if (!isJsonObject(held)) return undefined;
  const textOf = (name: string | undefined): string | undefined => {
    const value = name === undefined ? undefined : ownProperty(held, name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const url = textOf(shape.url);
  if (url === undefined || !isAddress(url) || !isActive(shape, item)) return undefined;
  const wanted = shape.events === undefined ? undefined : ownProperty(item, shape.events);
  return wants(wanted, names) ? { url, secret: textOf(shape.secret) } : undefined;
}

function isActive({ active }: SubscriptionShape, item: JsonObject): boolean {
  const value = active === undefined ? undefined : ownProperty(item, active);
  return typeof value !== 'boolean' || active === undefined || value !== /disabled/i.test(active);
}

/** A list that is empty, or not there, wants all. One text may have several names. */
function wants(wanted: JsonValue | undefined, names: readonly string[]): boolean {
  const all = (Array.isArray(wanted) ? wanted : [wanted]).flatMap((each) =>
    typeof each === 'string' ? each.split(/[,\s]+/).filter((name) => name !== '') : [],
  );
  return all.length === 0 || all.some((each) => names.some((name) => isNamed(each, name)));
}

/** `*`, the name, or the family that it begins with: `order`, `order.*` and `issue_comment` for those of `order.` and `issue-comment-`. */
export function isNamed(wanted: string, name: string): boolean {
  if (/^(?:\*|all)$/i.test(wanted) || foldedName(wanted) === foldedName(name)) return true;
  const family = wanted.replace(/[.:/_-]?\*$/, '');
  if (family === wanted && /[.:/]/.test(wanted)) return false;
  const [start, words] = [wordsOf(family), wordsOf(name)];
  return start.length > 0 && start.length < words.length && start.every((word, index) => word === words[index]);
}
