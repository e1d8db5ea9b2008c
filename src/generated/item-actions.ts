import { isRequired } from '../checks/request/parameters';
import { isJsonObject, type JsonObject, pickProperties } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import { samplerOf } from '../payload/sampler/sampler';
import type { PropertyNode, SchemaNode } from '../payload/sampler/schema-node';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { Binding } from '../resources/model/binding';
import type { ResourceDescription } from '../resources/model/resource';
import { amountBody, PLENTY } from './amounts';
import { reachesSomebody, requestOf, type Subject } from './subject';
import { opensWebSocket } from './uncalled';

/** More of them say nothing new of a kind. */
const MOST_ACTIONS = 8;

/** An operation below a thing, and its body where it needs one. */
export interface ItemAction {
  readonly operation: Operation;
  readonly body: JsonObject | undefined;
}

/** The end of its path: `cancel`. */
export const verbOf = ({ operation }: ItemAction): string => operation.path.split('/').at(-1) ?? '';

/** Statuses with which what a thing does not allow in its state is refused. */
export const NOT_NOW: number[] = [400, 403, 409, 410, 412, 422];

/**
 * Reads below the path of a thing, and what plainly changes that thing alone: a word of its state, or a time of it. Of
 * anything else nobody knows what comes of it: an invoice, a message to somebody, a row of others. What is listed below a
 * thing is a kind of its own.
 *
 * @param isFree - may the run also do what only its path says that it is about the thing, as long as it reaches nobody?
 */
export function actionsOf(api: ApiModel, { of, resource }: Subject, isFree: boolean): ItemAction[] {
  const item = (of('read') ?? of('remove'))?.operation.path.replace(/\/$/, '');
  if (item === undefined) return [];
  const { bindings } = inferResourceModel(api);
  const isAsked = (operation: Operation): boolean => {
    const binding = bindings.get(operation);
    if (!isBelow(item, operation) || !needsNoMore(operation) || opensWebSocket(operation)) return false;
    if (operation.method === 'GET') return isNoDeeper(binding, resource);
    if (binding?.resource !== resource || !changesItem(binding)) return false;
    return mayDo(operation, isPlainChange(binding), isFree, operation.path.slice(item.length));
  };
  return api.operations
    .filter(isAsked)
    .flatMap((operation) =>
      bodiesOf(api, operation).map((body) => ({
        operation,
        body: Object.keys(body).length === 0 ? undefined : body,
      })),
    )
    .slice(0, MOST_ACTIONS);
}

/** What reaches somebody needs both freedom and plain words: at a server of others a payment may be real. */
function mayDo(operation: Operation, isPlain: boolean, isFree: boolean, path: string): boolean {
  return reachesSomebody(operation, path) ? isPlain && isFree : isPlain || isFree;
}

function isNoDeeper(binding: Binding | undefined, { scope }: ResourceDescription): boolean {
  return (binding?.resource.scope.length ?? 0) <= scope.length;
}

/** Does a request need no parameters beside those of its path? */
function needsNoMore({ parameters }: Operation): boolean {
  return !parameters.some((each) => each.in !== 'path' && isRequired(each));
}

/** Does an action change the item itself, rather than make another one or a list of them? */
function changesItem({ behaviour, action, operation: { responses }, response }: Binding): boolean {
  const isOne = response === undefined || response.form === 'item';
  return behaviour === 'act' && action?.creates === undefined && !responses.has('201') && isOne;
}

function isPlainChange({ action }: Binding): boolean {
  return action !== undefined && action.assignments.length + action.timestamps.length > 0;
}

function isBelow(item: string, { path }: Operation): boolean {
  return path.startsWith(`${item}/`) && !path.slice(item.length).includes('{');
}

/** What people write, and a yes or no: neither names anything. */
const PROSE = /^(?:reason|note|notes|comment|comments|message|description|text|remark|remarks|title|summary)$/i;

/** What a number or a word is no measure of, but a name. */
const NAMING = /(?:id|ids|key|code|ref|number|no|uuid|slug|token)$/i;

/** More words of one property are not tried. */
const MOST_WORDS = 4;

/**
 * The bodies of an action, of words, numbers and times alone, and one for each word of what has to be one of a few; one that
 * is empty where it needs none, and none where it has to name something.
 */
function bodiesOf(api: ApiModel, operation: Operation): JsonObject[] {
  if (operation.requestBody?.required !== true) return [{}];
  const schema = requestOf({ operation });
  const made = schema && samplerOf(api).sample(schema, { seed: operation.id, direction: 'request' });
  if (schema === undefined || made?.kind !== 'made' || !isJsonObject(made.value)) return [];
  const { properties } = samplerOf(api).nodeOf(schema, 'request');
  const isWord = ({ name, isRequired, node }: PropertyNode): boolean =>
    node.types.includes('boolean') || PROSE.test(name) || (isRequired && namesNobody(name, node));
  const plain = new Set(properties.filter(isWord).map(({ name }) => name));
  const body = pickProperties(made.value, (name) => plain.has(name));
  const chosen = properties.find(({ name, node: { values = [] } }) => plain.has(name) && values.length > 1);
  const bodies = chosen?.node.values?.slice(0, MOST_WORDS).map((word) => ({ ...body, [chosen.name]: word })) ?? [body];
  return bodies.filter((each) => schema.accepts(each, 'request'));
}

function namesNobody(name: string, { values, types, flat }: SchemaNode): boolean {
  if (values !== undefined) return values.every((each) => typeof each === 'string' || typeof each === 'boolean');
  if ([...flat.formats].some((format) => /^date(?:-time)?$/.test(format))) return true;
  return !NAMING.test(name) && types.length > 0 && types.every((type) => type === 'integer' || type === 'number');
}

/** What can be sent below a thing that takes numbers alone, and gives it plenty of them: a delivery, a deposit. */
export function suppliesOf(api: ApiModel, { of }: Subject): ItemAction[] {
  const item = (of('read') ?? of('remove'))?.operation.path.replace(/\/$/, '');
  if (item === undefined) return [];
  return api.operations.flatMap((operation) => {
    const isAsked =
      /^(?:POST|PUT)$/.test(operation.method) &&
      isBelow(item, operation) &&
      !reachesSomebody(operation, operation.path.slice(item.length));
    const body = isAsked && needsNoMore(operation) ? amountBody(api, { operation }, PLENTY) : undefined;
    return body === undefined ? [] : [{ operation, body }];
  });
}
