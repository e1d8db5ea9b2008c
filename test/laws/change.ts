import { asList, asObject, isObject, isScalar, type JsonObject, type Verdict, wordsOf } from './checks';
import { type Collection, itemIn, itemSchema, keyProperty, propertiesOf } from './collections';
import { goodSchema, isJson, nameOf, type Operation } from './description';
import { addressOf, isSameKind, isSameValue, type Place, type Thing } from './place';
import { makeValue, NoValueError } from './make-value';
import { chooseBody } from './request';
import { typeOf } from './schemas';
import type { Exchange } from './session';

/** The part of a body that holds the item, and how it is sent. */
export interface Sending {
  readonly properties: ReadonlyMap<string, JsonObject>;
  readonly required: readonly string[];
  readonly wrap: (item: JsonObject) => JsonObject;
  readonly isValid: (body: JsonObject) => boolean;
}

/** What a change does not mean, and what may follow from it. */
const UNSUITABLE = new Set([
  ...[
    'id',
    'ids',
    'uuid',
    'guid',
    'key',
    'status',
    'state',
    'type',
    'kind',
    'version',
    'revision',
    'etag',
    'action',
    'password',
  ],
  ...['operation', 'op', 'method', 'token', 'secret', 'href', 'object', 'default'],
]);

/** Change: one scalar is changed by PATCH, or by PUT with all that GET returned, and nothing else. */
export async function judgeChange(place: Place, operation: Operation, thing: Thing): Promise<void> {
  const sending = describeSending(place, operation);
  if (sending === undefined) return;
  const before = await readItem(place, thing);
  if (before === undefined) return;
  const told = toldBy(place);
  const chosen = chooseChange(place, sending, told, before.item);
  if (chosen === undefined) throw new NoValueError('no property to change');
  const isPut = operation.method === 'PUT';
  const kept = isPut ? keptOf(sending, before.item) : {};
  const body = complete(place, sending, { ...kept, [chosen.name]: chosen.value }, before.item);
  const { session, collection } = place;
  const changed = await session.ask(operation, { keys: addressOf(place, thing), body }, collection);
  const about = { operation: nameOf(operation), collection, shown: [before.exchange, changed] };
  const verdict = judgeAcceptance(place, changed.answer.status);
  if (verdict !== 'holds') {
    session.tell('change', verdict, about, 'a valid change is accepted');
    return;
  }
  const after = await readItem(place, thing);
  const sent = Object.keys(itemIn({ ...collection, keyName: '' }, body)?.value ?? {});
  const unsaid = (name: string): boolean => isPut && !sending.properties.has(name);
  const wrong = wrongAfter({ before: before.item, after: after?.item ?? {}, ...chosen, sent, told, unsaid });
  const shown = [...about.shown, after?.exchange].filter((exchange) => exchange !== undefined);
  session.tell('change', wrong.length === 0 ? 'holds' : 'violated', { ...about, shown }, wrong.join('; '));
}

/** A change may be refused for what the description does not tell, or take time. */
export function judgeAcceptance({ isReal }: Place, status: number): Verdict {
  if ([202, 409, 412, 428].includes(status) || (!isReal && status === 404)) return 'not applicable';
  return status >= 200 && status < 400 ? 'holds' : 'violated';
}

/** Replace: PUT with little loses nothing that it cannot express. */
export async function judgeReplace(place: Place, operation: Operation, thing: Thing): Promise<void> {
  const { session, collection } = place;
  const before = await readItem(place, thing);
  const sending = before === undefined ? undefined : describeSending(place, operation);
  if (before === undefined || sending === undefined || sending.required.length > 2) return;
  const usual = Object.entries(keptOf(sending, before.item)).filter(([, value]) => isScalar(value));
  const few = Object.fromEntries(
    usual.filter(([name]) => !sending.required.includes(name)).slice(0, 2 - sending.required.length),
  );
  const body = complete(place, sending, few, before.item);
  const replaced = await session.ask(operation, { keys: addressOf(place, thing), body }, collection);
  if (replaced.answer.status < 200 || replaced.answer.status >= 300 || replaced.answer.status === 202) return;
  const after = await readItem(place, thing);
  const lost = Object.keys(before.item).filter((name) => {
    return !sending.properties.has(name) && before.item[name] !== null && after?.item[name] === undefined;
  });
  const shown = [before.exchange, replaced, ...(after === undefined ? [] : [after.exchange])];
  const expected = `${lost.join(', ')} as before: the request cannot say it`;
  session.tell(
    'replace keeps',
    lost.length === 0 ? 'holds' : 'violated',
    { operation: nameOf(operation), collection, shown },
    expected,
  );
}

export async function readItem(
  place: Place,
  thing: Thing,
): Promise<{ item: JsonObject; exchange: Exchange } | undefined> {
  const { session, collection } = place;
  if (collection.read === undefined) return undefined;
  const exchange = await session.ask(collection.read, { keys: addressOf(place, thing) }, collection);
  const item = exchange.answer.status === 200 ? itemIn(collection, exchange.answer.json) : undefined;
  return item === undefined ? undefined : { item: item.value, exchange };
}

function describeSending({ session, collection }: Place, operation: Operation): Sending | undefined {
  const { schemas } = session;
  const body = chooseBody(operation);
  if (body === undefined || !isJson(body.mediaType)) return undefined;
  const { schema, wrapper } = itemSchema(collection, schemas, body.schema);
  const judge = schemas.judge(body.schema, 'request');
  const properties = propertiesOf(schemas, schema);
  if (judge === undefined || properties.size === 0) return undefined;
  const writable = [...properties].filter(([, property]) => property['readOnly'] !== true);
  return {
    properties: new Map(writable),
    required: asList(schema['required'])
      .map(String)
      .filter((name) => properties.get(name)?.['readOnly'] !== true),
    wrap: (item) => (wrapper === undefined ? item : { [wrapper]: item }),
    isValid: (value) => judge(value) === undefined,
  };
}

/** The properties that GET tells. */
export function toldBy({ session, collection }: Place): ReadonlyMap<string, JsonObject> {
  const shown = goodSchema(collection.read!);
  return shown === undefined
    ? new Map()
    : propertiesOf(session.schemas, itemSchema(collection, session.schemas, shown.schema).schema);
}

interface Chosen {
  readonly name: string;
  readonly value: unknown;
}

/** A scalar that both sides know, with another value than it has. */
export function chooseChange(
  place: Place,
  { properties }: Sending,
  told: ReadonlyMap<string, JsonObject>,
  item: JsonObject,
): Chosen | undefined {
  const keyName = keyProperty(place.collection, [...told.keys()]);
  for (const [name, schema] of properties) {
    const to = told.get(name);
    const isSuitable = isScalar(item[name]) && name !== keyName && isOrdinary(place.collection, name);
    if (to === undefined || !isSuitable || !['string', 'integer', 'number', 'boolean'].includes(typeOf(schema) ?? ''))
      continue;
    const value = otherValue(place, schema, name, item[name]);
    if (value !== undefined && isSameKind(schema, to, value)) return { name, value };
  }
  return undefined;
}

/** Whether a property is neither in the address nor one that means more than data. */
function isOrdinary({ path }: Collection, name: string): boolean {
  return !path.includes(`{${name}}`) && !UNSUITABLE.has(wordsOf(name).at(-1) ?? '');
}

function otherValue({ session: { schemas } }: Place, schema: JsonObject, name: string, now: unknown): unknown {
  for (const variant of [4, 5, 6, 7]) {
    try {
      const value = makeValue({ schemas, variant, takesExamples: false }, schema, name);
      if (!isSameValue(value, now)) return value;
    } catch (error) {
      if (!(error instanceof NoValueError)) throw error;
      return undefined;
    }
  }
  return undefined;
}

/** What of an item can be sent back. */
export function keptOf({ properties }: Sending, item: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([name, value]) => properties.has(name) && value !== null));
}

/** The body with what is required as well; throws when it does not fit. */
function complete(
  place: Place,
  { properties, required, wrap, isValid }: Sending,
  wanted: JsonObject,
  item: JsonObject,
): JsonObject {
  const { schemas } = place.session;
  const made = { ...wanted };
  for (const name of required) {
    made[name] ??=
      item[name] ?? makeValue({ schemas, variant: 0, takesExamples: true }, properties.get(name) ?? {}, name);
  }
  const body = wrap(made);
  if (!isValid(body)) throw new NoValueError('the changed item does not fit the request');
  return body;
}

export interface Comparison extends Chosen {
  readonly before: JsonObject;
  readonly after: JsonObject;
  readonly sent: readonly string[];
  readonly told: ReadonlyMap<string, JsonObject>;
  /** What PUT cannot say: that it is kept is a law of its own. */
  readonly unsaid: (name: string) => boolean;
}

/** What differs from the item with the one change. */
export function wrongAfter(comparison: Comparison): string[] {
  const { before, after, name, value } = comparison;
  const others = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter((other) => other !== name);
  const wrong = others.filter((other) => !isSameValue(before[other], after[other]) && !mayDiffer(comparison, other));
  return [
    ...(isSameValue(after[name], value) ? [] : [`${name} is ${JSON.stringify(value)}`]),
    ...wrong.map((other) => `${other} is ${JSON.stringify(before[other])} as before`),
  ];
}

/** Times, and what the server computes, follow from a change; what was missing may have been sent. */
function mayDiffer({ before, after, name, sent, told, unsaid }: Comparison, other: string): boolean {
  const old = String(before[name]).toLowerCase();
  const text = before[other];
  const follows = typeof text === 'string' && old.length > 2 && text.toLowerCase().includes(old);
  const isComputed = told.get(other)?.['readOnly'] === true && text !== undefined && after[other] !== undefined;
  const isUnsaid = unsaid(other) && after[other] === undefined;
  return isUnsaid || isVolatile(other) || follows || isComputed || (sent.includes(other) && text === undefined);
}

export function isVolatile(name: string): boolean {
  return wordsOf(name).some((word) =>
    /^(?:updated?|modifi\w+|changed?|version|revision|rev|etag|last|at|by|timestamp|time|date|sha|hash|generation)$/.test(
      word,
    ),
  );
}

/** Whether an item says that it is gone. */
export function isMarkedDeleted(collection: Collection, json: unknown): boolean {
  const item = itemIn(collection, json)?.value;
  return Object.entries(asObject(item)).some(([name, value]) => {
    if (/^(?:is_?)?(?:deleted|removed|archived|trashed)$/i.test(name)) return value === true;
    if (/^(?:is_?)?(?:active|enabled)$/i.test(name)) return value === false;
    if (/(?:deleted|removed|archived|cancell?ed)_?(?:at|on|date|time)$/i.test(name)) return value !== null;
    return (
      /stat(?:us|e)$/i.test(name) &&
      /delet|remov|archiv|inactiv|cancel|disabl|terminat|clos|trash|revok/i.test(isObject(value) ? '' : String(value))
    );
  });
}
