import { headerValue } from '../../core/http/headers';
import { decodeQueryComponent, parseQuery } from '../../core/http/request-target';
import { type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import { templateVariables } from '../../openapi/model/route-table';
import { credentialLocations, hidesHeader } from '../../security/credential-locations';
import { SECRET_MARK } from '../exchange/recorded-exchange';
import type { Call, SentParameter } from '../flow/call';
import type { LostPart } from './lost-parts';
import { writeBody } from './step-body';
import { writeCredentials } from './step-credentials';
import { rewrite, rewriteSent, rewriteText, type StepContext } from './step-context';

/** The request of a step as properties of it, and what of the recording is not in it. */
export interface WrittenRequest {
  readonly value: JsonObject;
  readonly lost: readonly LostPart[];
  /** Does it come without a key, and is that what it is about? */
  readonly isWithoutKey: boolean;
  /** Why it cannot be sent as it was recorded; `undefined` where it can. */
  readonly pending?: string | undefined;
}

/** Writes the request of a call: by its operation where the description has all of it, else by method and path. */
export function writeRequest(context: StepContext, call: Call): WrittenRequest {
  const { operation } = call;
  const undeclared = call.undeclared.filter((name) => !isKey(context, name));
  const { auth, query, isWithoutKey, ...credentials } = writeCredentials(context, call);
  const hasOperation =
    operation !== undefined &&
    operation.method === call.method &&
    undeclared.length === 0 &&
    !context.plan.isEncoded(call);
  const isKnown = hasOperation && query.length === 0;
  const line = isKnown ? operationLine(context, call, operation.id) : rawLine(context, call, query);
  const body = writeBody(context, call);
  const headers = { ...writeHeaders(context, call, isKnown, body.headers), ...credentials.headers };
  return {
    value: {
      ...line,
      ...(auth === undefined ? {} : { auth }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...body.value,
    },
    lost: [
      ...(operation === undefined ? [{ reason: 'the description has no operation for it' }] : []),
      ...(operation === undefined || undeclared.length === 0 ? [] : [unknownParameters(operation.id, undeclared)]),
      ...credentials.lost,
    ],
    isWithoutKey,
    pending: body.pending,
  };
}

function unknownParameters(operation: string, names: readonly string[]): LostPart {
  const what = names.length > 1 ? 'parameters' : 'parameter';
  return { reason: `the description of ${operation} has no ${what} ${names.join(', ')}` };
}

function isKey({ api }: StepContext, name: string): boolean {
  return credentialLocations(api).query.has(name);
}

function operationLine(context: StepContext, call: Call, id: string): JsonObject {
  const parameters: Record<string, JsonValue> = {};
  for (const sent of call.parameters) {
    if (isSentOtherwise(context, sent)) continue;
    setProperty(parameters, keyOf(call, sent), valueOf(context, call, sent));
  }
  return { operation: id, ...(Object.keys(parameters).length === 0 ? {} : { parameters }) };
}

/** Credentials are sent by `auth`, and what a body is by the body. */
function isSentOtherwise({ api }: StepContext, { parameter: { in: place, name, key } }: SentParameter): boolean {
  const places = credentialLocations(api);
  if (place === 'header') return hidesHeader(places, key) || /^(?:accept|content-type|authorization)$/.test(key);
  return place === 'query' ? places.query.has(name) : place === 'cookie' && places.cookies.has(name);
}

/** `path.id` where two parameters share a name. */
function keyOf({ operation }: Call, { parameter: { name, in: place } }: SentParameter): string {
  const same = operation?.parameters.filter((each) => each.name === name) ?? [];
  return same.length > 1 ? `${place}.${name}` : name;
}

function valueOf(context: StepContext, call: Call, { parameter, value }: SentParameter): JsonValue {
  const { in: place, name, key } = parameter;
  if (place === 'header' && key === 'idempotency-key') return idempotencyKey(context, scalarText(value));
  return place === 'cookie' || place === 'querystring'
    ? rewrite(context, value)
    : rewriteSent(context, call, place, value, name);
}

/** A new key for each run: the service would answer an old one with what it answered then. */
function idempotencyKey({ idempotencyKeys }: StepContext, recorded: string): string {
  const known = idempotencyKeys.get(recorded) ?? `\${runId}-${idempotencyKeys.size + 1}`;
  idempotencyKeys.set(recorded, known);
  return known;
}

/** @param keys - pairs of the query that say who asks */
function rawLine(context: StepContext, call: Call, keys: readonly string[]): JsonObject {
  const { operation, method, path, query } = call;
  const variables = operation === undefined ? [] : templateVariables(operation.path);
  let line = operation?.path ?? path.replaceAll('${', '$${');
  for (const name of variables) {
    const sent = call.parameters.find(({ parameter }) => parameter.in === 'path' && parameter.name === name);
    const text = context.plan.placeholderOf(call, 'path', name) ?? encodeURIComponent(scalarText(sent?.value ?? ''));
    line = line.replace(`{${name}}`, () => text);
  }
  const counts = new Map<string, number>();
  const pairs = parseQuery(query).flatMap(({ rawName, name, rawValue }) => {
    const count = counts.get(rawName) ?? 0;
    counts.set(rawName, count + 1);
    if (
      isKey(context, name ?? rawName) ||
      keys.some((each) => each.startsWith(`${encodeURIComponent(name ?? rawName)}=`))
    )
      return [];
    const { plan } = context;
    const slot = name ?? rawName;
    const placeholder =
      plan.placeholderOf(call, 'query', slot) ?? plan.placeholderOf(call, 'query', `${slot}/${count}`);
    const value = decodeQueryComponent(rawValue) ?? rawValue;
    const isOther = value.match(SECRET_MARK) !== null || context.runNames.has(value) || context.times.has(value);
    return [`${rawName}=${placeholder ?? (isOther ? rewriteText(context, value) : rawValue.replaceAll('${', '$${'))}`];
  });
  const all = [...pairs, ...keys];
  return { method, path: all.length === 0 ? line : `${line}?${all.join('&')}` };
}

/** Headers that say something about the call: what every client and browser sends is left out. */
const MEANT = /^(?:if-match|if-none-match|if-modified-since|if-unmodified-since|range|prefer|idempotency-key)$/i;
const CSRF = /(?:csrf|xsrf)/i;

function writeHeaders(
  context: StepContext,
  call: Call,
  isKnown: boolean,
  ofBody: JsonObject,
): Record<string, JsonValue> {
  const { headers } = call.exchange.request;
  const written: Record<string, JsonValue> = { ...ofBody };
  for (let index = 0; index < headers.length; index += 2) {
    const [name = '', text = ''] = headers.slice(index, index + 2);
    const isParameter = isDeclared(call, name);
    // Parameters are written beside the operation, but for what the description itself does not show.
    const isWritten = isKnown && isParameter && !hidesHeader(credentialLocations(context.api), name.toLowerCase());
    if (isWritten || !isMeant(context, name, isParameter)) continue;
    setProperty(written, name, headerText(context, call, name, text));
  }
  const accept = call.status === 406 ? headerValue(headers, 'accept') : undefined;
  if (accept !== undefined) setProperty(written, 'Accept', accept);
  return written;
}

function isDeclared({ parameters }: Call, name: string): boolean {
  return parameters.some(({ parameter }) => parameter.in === 'header' && parameter.key === name.toLowerCase());
}

function isMeant({ api }: StepContext, name: string, isParameter: boolean): boolean {
  if (MEANT.test(name) || CSRF.test(name)) return true;
  const isOfMessage = /^(?:accept|content-type)$/i.test(name);
  return isParameter && !isOfMessage && !credentialLocations(api).headers.has(name.toLowerCase());
}

function headerText(context: StepContext, call: Call, name: string, text: string): string {
  if (/^idempotency-key$/i.test(name)) return idempotencyKey(context, text);
  return context.plan.placeholderOf(call, 'header', name) ?? rewriteText(context, text);
}
