import { bodyKind } from '../checks/request/body-kind';
import { decodeQueryComponent } from '../http/request-target';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { parsePointer } from '../json/json-pointer';
import { setMember } from '../json/member';
import { parseJson } from '../json/parse-json';
import { stringifyJson } from '../json/stringify-json';
import type { ApiModel, Operation } from '../openapi/model';
import { schemasWithin } from './inner-schemas';
import type { JournalEntry } from './journal';

const HIDDEN = '[redacted]';

const NAMES = new WeakMap<Operation, ReadonlySet<string>>();
const NAMES_OF_ALL = new WeakMap<ApiModel, ReadonlySet<string>>();

/**
 * An entry whose request shows no write-only member (OAS 3.0.3 §4.7.24): a password that was sent is nobody's to read
 * later. One of an operation that the description does not have any more may show none of them all.
 */
export function withoutSecretTexts(api: ApiModel, entry: JournalEntry): JournalEntry {
  if (entry.requestBody === '') return entry;
  const operation = api.operations.find(({ id }) => id === entry.operation);
  const names = operation === undefined ? namesOfAll(api) : namesOf(api, operation);
  if (names.size === 0) return entry;
  const at = entry.requestHeaders.findIndex((text, index) => index % 2 === 0 && text.toLowerCase() === 'content-type');
  const type = at === -1 ? 'application/json' : (entry.requestHeaders[at + 1] ?? '');
  const requestBody = maskText(entry.requestBody, type, names);
  return requestBody === entry.requestBody ? entry : { ...entry, requestBody };
}

function maskText(text: string, type: string, names: ReadonlySet<string>): string {
  switch (bodyKind(type)) {
    case 'json':
      return maskJson(text, names);
    case 'form':
      return maskForm(text, names);
    default:
      return mentions(text, names) ? HIDDEN : text;
  }
}

/** What cannot be read, such as a body that was cut, is not shown where it may hold a secret. */
function maskJson(text: string, names: ReadonlySet<string>): string {
  try {
    const value = parseJson(text);
    const masked = maskValue(value, names);
    return masked === value ? text : stringifyJson(masked);
  } catch {
    return mentions(text, names) || text.includes('\\u') ? HIDDEN : text;
  }
}

/** @returns the value itself where nothing in it is hidden */
function maskValue(value: JsonValue, names: ReadonlySet<string>): JsonValue {
  if (Array.isArray(value)) {
    const items = value.map((item: JsonValue) => maskValue(item, names));
    return items.some((item, index) => item !== value[index]) ? items : value;
  }
  if (!isJsonObject(value)) return value;
  const shown: Record<string, JsonValue> = {};
  let isChanged = false;
  // An operation of a JSON Patch names the member beside its value (RFC 6902 §4).
  const isPatched = typeof value['path'] === 'string' && namesSecret(value['path'], names);
  for (const [name, member] of Object.entries(value)) {
    const masked = names.has(name) || (isPatched && name === 'value') ? HIDDEN : maskValue(member, names);
    isChanged ||= masked !== member;
    setMember(shown, name, masked);
  }
  return isChanged ? shown : value;
}

function namesSecret(path: string, names: ReadonlySet<string>): boolean {
  return path.startsWith('/') && parsePointer(path).some((segment) => names.has(segment));
}

function maskForm(text: string, names: ReadonlySet<string>): string {
  const pairs = text.split('&').map((pair) => {
    const end = pair.indexOf('=');
    const name = decodeQueryComponent(end === -1 ? pair : pair.slice(0, end));
    // `user[password]` is a member of a member.
    const isSecret = name?.split(/[[\].]/).some((part) => names.has(part)) ?? true;
    return isSecret && end !== -1 ? `${pair.slice(0, end)}=${HIDDEN}` : pair;
  });
  return pairs.join('&');
}

function mentions(text: string, names: ReadonlySet<string>): boolean {
  return [...names].some((name) => text.includes(name));
}

function namesOfAll(api: ApiModel): ReadonlySet<string> {
  let names = NAMES_OF_ALL.get(api);
  if (names === undefined) {
    names = new Set(api.operations.flatMap((operation) => [...namesOf(api, operation)]));
    NAMES_OF_ALL.set(api, names);
  }
  return names;
}

/** The names of the write-only members and passwords of an operation's request bodies, however deep. */
function namesOf(api: ApiModel, operation: Operation): ReadonlySet<string> {
  const known = NAMES.get(operation);
  if (known !== undefined) return known;
  const names = new Set<string>();
  const bodies = (operation.requestBody?.content ?? []).flatMap(({ schema }) => schema ?? []);
  for (const schema of schemasWithin(api, bodies)) {
    for (const { name, writeOnly, schema: value } of api.propertiesOf(schema).values())
      if (writeOnly || value['format'] === 'password') names.add(name);
  }
  NAMES.set(operation, names);
  return names;
}
