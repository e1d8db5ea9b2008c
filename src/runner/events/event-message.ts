import { equalJson, isJsonObject, type JsonObject, type JsonValue, pickProperties } from '../../core/json/json-value';
import { isJsonMediaType } from '../../core/http/media-type';
import { decodeUtf8, parseJson } from '../../core/json/parse-json';
import { JsonSyntaxError } from '../../core/json/json-syntax-error';
import { foldedName } from '../../core/text/inflection';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Schema } from '../../openapi/model/operation';
import type { DocumentedEvent } from '../../openapi/model/documented-events';
import { isCreationTimeName, isEventTypeName, isMessageIdName } from '../../openapi/naming/property-names';
import type { ReceivedEvent } from '../transport/event-inbox';

/** What a message says of itself. */
export interface Told {
  /** `undefined` for one that is no JSON. */
  readonly body: JsonValue | undefined;
  /** Which event it may be, in its own words, the likeliest first. */
  readonly names: readonly string[];
  /** Its body. */
  readonly text: string;
}

const TYPE_HEADERS = /(?:^|-)(?:event|topic|event-?type|event-?name)$/i;
/** `X-GitHub-Delivery`, `Webhook-Id`, `Svix-Id`: names of one message, and not of a receiver or a service. */
const ID_HEADERS = /(?:^|-)(?:delivery|(?:webhook|svix|event|message|delivery|notification)-?id)$/i;

/** Reads a message. */
export function toldBy({ headers, body }: ReceivedEvent): Told {
  const value = jsonOf(body);
  const ofHeaders = valuesOf(headers, TYPE_HEADERS);
  const words = isJsonObject(value)
    ? Object.entries(value).flatMap(([name, word]) => (typeof word === 'string' && isEventTypeName(name) ? [word] : []))
    : [];
  // What happened may be said beside what it happened to.
  const both = ofHeaders.flatMap((header) => words.map((word) => `${header}.${word}`));
  return { body: value, names: [...both, ...ofHeaders, ...words], text: new TextDecoder().decode(body) };
}

/**
 * Is a message an event? `named`: it says so; `valid`: it says nothing, and its body is as that of the event; `other`: it says
 * that it is another one of the description; `invalid` else.
 */
export function isOfEvent(
  api: ApiModel,
  event: DocumentedEvent,
  { method }: ReceivedEvent,
  { body, names }: Told,
): 'named' | 'valid' | 'other' | 'invalid' {
  if (method !== event.request.method) return 'other';
  const folded = names.map(foldedName);
  const known = new Set(api.events().map(({ name }) => foldedName(name)));
  const told = folded.filter((name) => known.has(name));
  if (told.includes(foldedName(event.name))) return 'named';
  // One callback may tell of several things, and a webhook may have the name of one of them.
  const isKind = folded.some((name) => kindsOf(api, event).has(name));
  if (isKind && (told.length === 0 || event.kind === 'callback')) return 'named';
  if (told.length > 0) return 'other';
  const schema = schemaOf(event);
  if (schema === undefined) return 'valid';
  return body !== undefined && schema.accepts(body, 'response') ? 'valid' : 'invalid';
}

function schemaOf({ request }: DocumentedEvent): Schema | undefined {
  return request.requestBody?.content.find(({ mediaType }) => isJsonMediaType(mediaType))?.schema;
}

const KINDS = new WeakMap<DocumentedEvent, ReadonlySet<string>>();

/** The words that the body of an event has for what happened, folded: `enum` or `const` of `type`, `action`, … */
function kindsOf(api: ApiModel, event: DocumentedEvent): ReadonlySet<string> {
  const known = KINDS.get(event);
  if (known !== undefined) return known;
  const schema = schemaOf(event);
  const properties = schema === undefined ? [] : [...api.propertiesOf(schema).values()];
  const words = properties
    .filter(({ name }) => isEventTypeName(name))
    .flatMap(({ schema: own }) => [own['const'], ...(Array.isArray(own['enum']) ? own['enum'] : [])]);
  const kinds = new Set(words.flatMap((word) => (typeof word === 'string' ? [foldedName(word)] : [])));
  KINDS.set(event, kinds);
  return kinds;
}

/** What tells one message from another; `undefined` where nothing does. */
export function messageId({ headers, body }: ReceivedEvent): string | undefined {
  const [header] = valuesOf(headers, ID_HEADERS);
  if (header !== undefined) return header;
  const value = jsonOf(body);
  if (!isJsonObject(value)) return undefined;
  const [, id] = Object.entries(value).find(([name]) => isOfMessage(value, name)) ?? [];
  return typeof id === 'string' ? id : undefined;
}

/** Do two messages tell the same, but for what names the message and when it was sent? */
export function tellsTheSame({ body }: Told, { body: other }: Told): boolean {
  if (!isJsonObject(body) || !isJsonObject(other)) return false;
  const news = (value: JsonObject): JsonObject =>
    pickProperties(
      value,
      (name) => !isCreationTimeName(name) && !/^(?:time|timestamp)$/i.test(name) && !isOfMessage(value, name),
    );
  return equalJson(news(body), news(other));
}

/** A message that only holds a thing has the id of that. */
function isOfMessage(body: JsonObject, name: string): boolean {
  return isMessageIdName(name) && Object.keys(body).some(isEventTypeName);
}

function valuesOf(headers: readonly string[], pattern: RegExp): string[] {
  return headers.filter((_, index) => index % 2 === 1 && pattern.test(headers[index - 1] ?? ''));
}

function jsonOf(body: Uint8Array): JsonValue | undefined {
  try {
    return parseJson(decodeUtf8(body));
  } catch (error) {
    if (!(error instanceof JsonSyntaxError)) throw error;
    return undefined;
  }
}
