import { headerValue } from '../../core/http/headers';
import { isJsonMediaType } from '../../core/http/media-type';
import type { HttpResponse } from '../../core/http/message';
import { parsePointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonValue } from '../../core/json/json-value';
import { parseJson } from '../../core/json/parse-json';
import { stringifyJson } from '../../core/json/stringify-json';
import type { MediaTypeEntry, Operation } from '../../openapi/model/operation';
import { findResponse } from '../../openapi/view/responses';
import type { Validator, Violation } from '../../schema/validator';
import { expected, type FaultKind, FaultSyntaxError, jsonTextOf, type Missed, NO_JSON, withBody } from './fault-kind';

/** In which way a response breaks the contract on purpose. */
export type Breach = 'missing' | 'type' | 'enum' | 'extra';

const BREACHES: readonly Breach[] = ['missing', 'type', 'enum', 'extra'];

/** `violate:/items/-/id:type`: the pointer may contain colons. */
export const violate: FaultKind<{
  readonly kind: 'violate';
  readonly pointer: string;
  readonly path: readonly string[];
  readonly breach: Breach;
}> = {
  kind: 'violate',
  syntax: `violate:POINTER:${BREACHES.join('|')}`,
  read(argument, text) {
    const at = (argument ?? '').lastIndexOf(':');
    const pointer = (argument ?? '').slice(0, at);
    const breach = BREACHES.find((known) => known === argument?.slice(at + 1));
    if (at === -1 || breach === undefined) throw expected(text, violate.syntax);
    try {
      return { kind: 'violate', pointer, path: parsePointer(pointer), breach };
    } catch (error) {
      throw new FaultSyntaxError(error instanceof Error ? error.message : String(error));
    }
  },
  deform(response, { path, breach }, operation) {
    const text = jsonTextOf(response);
    if (text === undefined) return NO_JSON;
    const schema = operation === undefined ? undefined : entryOf(operation, response)?.schema;
    if (schema === undefined) return { kind: 'missed', reason: 'the description has no schema for this response' };
    const violated = violateSchema(parseJson(text, { maxDepth: 500 }), path, breach, schema.validate('response'));
    return violated.kind === 'missed' ? violated : withBody(response, stringifyJson(violated.value));
  },
};

function entryOf(operation: Operation, { status, headers }: HttpResponse): MediaTypeEntry | undefined {
  const content = findResponse(operation, status)?.content ?? [];
  const type = headerValue(headers, 'content-type')?.split(';')[0]?.trim();
  return (
    content.find(({ mediaType }) => mediaType === type) ?? content.find(({ mediaType }) => isJsonMediaType(mediaType))
  );
}

type Violated = { readonly kind: 'violated'; readonly value: JsonValue } | Missed;

/** Which name a property gets that no schema declares. */
const EXTRA = 'standinExtra';

const OTHER_KINDS: readonly JsonValue[] = ['standin', 1.5, true, null, [], {}];

/**
 * Breaks the contract at one place of a body: nothing is claimed that the validator does not confirm.
 *
 * @param path - unescaped segments of a JSON pointer; `-` stands for every item of an array
 */
export function violateSchema(body: JsonValue, path: readonly string[], breach: Breach, validate: Validator): Violated {
  const place = path.length === 0 ? 'the whole body' : `/${path.join('/')}`;
  // What is broken already, by another fault or by what is stored, is not this one's doing.
  const before = new Set(validate(body).map(identityOf));
  let isThere = false;
  for (const change of changesFor(breach)) {
    const tried = edit(body, path, change);
    if (tried === NOT_THERE) continue;
    isThere = true;
    const isBroken = validate(tried).some((each) => isOf(breach, each) && !before.has(identityOf(each)));
    if (isBroken) return { kind: 'violated', value: tried };
  }
  if (isThere) return { kind: 'missed', reason: `the schema allows it at ${place}` };
  const isMisfit = path.length === 0 || edit(body, path, () => REMOVED) !== NOT_THERE;
  return { kind: 'missed', reason: `${place} ${isMisfit ? MISFITS[breach] : 'is not in this response'}` };
}

/** Why a breach cannot be tried at a place that is there. */
const MISFITS: Readonly<Record<Breach, string>> = {
  missing: 'cannot be left out; the fault empty does that',
  type: 'cannot get another type',
  enum: 'is no string, number or boolean',
  extra: 'is no object, which alone can have another property',
};

function identityOf({ pointer, keyword, property = '', message }: Violation): string {
  return [pointer, keyword, property, message].join('\n');
}

/** The keywords that tell of a breach; a value of another type breaks whatever it breaks. */
function isOf(breach: Breach, { keyword }: Violation): boolean {
  switch (breach) {
    case 'missing':
      return keyword === 'required' || keyword === 'minProperties' || keyword === 'dependentRequired';
    case 'enum':
      return keyword === 'enum' || keyword === 'const';
    case 'extra':
      return keyword === 'additionalProperties' || keyword === 'unevaluatedProperties' || keyword === 'maxProperties';
    case 'type':
      return true;
  }
}

const NOT_THERE = Symbol('nothing at this place');
const REMOVED = Symbol('the property is removed');
type Edited = JsonValue | typeof NOT_THERE | typeof REMOVED;

type Change = (value: JsonValue) => Edited;

function changesFor(breach: Breach): readonly Change[] {
  switch (breach) {
    case 'missing':
      return [() => REMOVED];
    case 'extra':
      return [(value) => (isJsonObject(value) ? { ...value, [EXTRA]: true } : NOT_THERE)];
    case 'type':
      return OTHER_KINDS.map((other) => (value) => (kindOf(value) === kindOf(other) ? NOT_THERE : other));
    case 'enum':
      return [
        (value) => (typeof value === 'string' ? `${value}-not-in-enum` : NOT_THERE),
        (value) => (typeof value === 'number' || typeof value === 'bigint' ? 987_654_321 : NOT_THERE),
        (value) => (typeof value === 'boolean' ? !value : NOT_THERE),
      ];
  }
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (isJsonObject(value)) return 'object';
  return typeof value === 'string' || typeof value === 'boolean' ? typeof value : 'number';
}

/** @returns the changed copy; `NOT_THERE` when the path leads nowhere, or the change does not fit what is there */
function edit(value: JsonValue, path: readonly string[], change: Change): JsonValue | typeof NOT_THERE {
  const edited = editAt(value, path, change);
  // A whole body cannot be left out: that is the fault `empty`.
  return edited === REMOVED ? NOT_THERE : edited;
}

function editAt(value: JsonValue, [segment, ...rest]: readonly string[], change: Change): Edited {
  if (segment === undefined) return change(value);
  if (Array.isArray(value)) return editItems(value, segment, rest, change);
  if (!isJsonObject(value) || !Object.hasOwn(value, segment)) return NOT_THERE;
  const edited = editAt(value[segment] ?? null, rest, change);
  if (edited === NOT_THERE) return NOT_THERE;
  const properties = Object.entries(value).flatMap(([name, property]): (readonly [string, JsonValue])[] =>
    name !== segment ? [[name, property]] : edited === REMOVED ? [] : [[name, edited]],
  );
  return Object.fromEntries(properties);
}

function editItems(items: readonly JsonValue[], segment: string, rest: readonly string[], change: Change): Edited {
  const edits = items.map((item, index) =>
    segment === '-' || segment === String(index) ? editAt(item, rest, change) : NOT_THERE,
  );
  if (edits.every((edited) => edited === NOT_THERE)) return NOT_THERE;
  return items.flatMap((item, index): JsonValue[] => {
    const edited = edits[index] ?? null;
    return edited === NOT_THERE ? [item] : edited === REMOVED ? [] : [edited];
  });
}
