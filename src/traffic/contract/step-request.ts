import { headerValue } from '../../core/http/headers';
import { bodyKind, isJsonMediaType, parseMediaType } from '../../core/http/media-type';
import { decodeQueryComponent, parseQuery } from '../../core/http/request-target';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, setProperty } from '../../core/json/json-value';
import { scalarText } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import { templateVariables } from '../../openapi/model/route-table';
import { credentialLocations, hidesHeader } from '../../security/credential-locations';
import { SECRET_MARK } from '../exchange/recorded-exchange';
import type { Call, SentParameter } from '../flow/call';
import type { ContractPlan } from './plan';
import { literal } from './run-names';
import { authOfCall, type Secrets } from './secret-sources';

/** What steps are written by. */
export interface StepContext {
  readonly api: ApiModel;
  readonly plan: ContractPlan;
  readonly secrets: Secrets;
  /** Names that got the id of the run: by what was recorded, with the placeholder. */
  readonly runNames: ReadonlyMap<string, string>;
  /** Times that count from the beginning of a run: by what was recorded, with the placeholder. */
  readonly times: ReadonlyMap<string, string>;
  /** By recorded value of an `Idempotency-Key`: what stands for it, new in each run. */
  readonly idempotencyKeys: Map<string, string>;
}

/** The request of a step as properties of it, and what of the recording is not in it, in words. */
export interface WrittenRequest {
  readonly value: JsonObject;
  readonly lost: readonly string[];
  /** Why it cannot be sent as it was recorded; `undefined` where it can. */
  readonly pending?: string | undefined;
}

/** Writes the request of a call: by its operation where the description has all of it, else by method and path. */
export function writeRequest(context: StepContext, call: Call): WrittenRequest {
  const { operation, undeclared } = call;
  const isKnown =
    operation !== undefined &&
    operation.method === call.method &&
    undeclared.every((name) => isKey(context, name)) &&
    !context.plan.isEncoded(call);
  const line = isKnown ? operationLine(context, call, operation.id) : rawLine(context, call);
  const body = writeBody(context, call);
  const auth = writeAuth(context, call);
  const headers = writeHeaders(context, call, isKnown, body.headers);
  return {
    value: {
      ...line,
      ...(auth === undefined ? {} : { auth }),
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...body.value,
    },
    lost:
      isKnown || operation === undefined ? [] : undeclared.map((name) => `the description has no parameter ${name}`),
    pending: body.pending,
  };
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
  const placeholder =
    place === 'cookie' || place === 'querystring' ? undefined : context.plan.placeholderOf(call, place, name);
  return placeholder ?? rewrite(context, value);
}

/** A new key for each run: the service would answer an old one with what it answered then. */
function idempotencyKey({ idempotencyKeys }: StepContext, recorded: string): string {
  const known = idempotencyKeys.get(recorded) ?? `\${runId}-${idempotencyKeys.size + 1}`;
  idempotencyKeys.set(recorded, known);
  return known;
}

/** A value without secrets, and with the names of this run. */
export function rewrite(context: StepContext, value: JsonValue): JsonValue {
  if (typeof value === 'string') return rewriteText(context, value);
  if (Array.isArray(value)) return value.map((item) => rewrite(context, item));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, property]) => [name, rewrite(context, property)]));
}

function rewriteText({ plan, runNames, times }: StepContext, text: string): string {
  const named = runNames.get(text) ?? times.get(text);
  if (named !== undefined) return named;
  return scalarText(literal(text)).replace(SECRET_MARK, (_, name: string) => plan.secretPlaceholder(name));
}

function rawLine(context: StepContext, call: Call): JsonObject {
  const { operation, method, path, query } = call;
  const variables = operation === undefined ? [] : templateVariables(operation.path);
  let line = operation?.path ?? path.replaceAll('${', '$${');
  for (const name of variables) {
    const sent = call.parameters.find(({ parameter }) => parameter.in === 'path' && parameter.name === name);
    const text = context.plan.placeholderOf(call, 'path', name) ?? encodeURIComponent(scalarText(sent?.value ?? ''));
    line = line.replace(`{${name}}`, () => text);
  }
  const pairs = parseQuery(query).flatMap(({ rawName, name, rawValue }) => {
    if (isKey(context, name ?? rawName)) return [];
    const placeholder = context.plan.placeholderOf(call, 'query', name ?? rawName);
    const value = decodeQueryComponent(rawValue) ?? rawValue;
    const isOther = value.match(SECRET_MARK) !== null || context.runNames.has(value) || context.times.has(value);
    return [`${rawName}=${placeholder ?? (isOther ? rewriteText(context, value) : rawValue.replaceAll('${', '$${'))}`];
  });
  return { method, path: pairs.length === 0 ? line : `${line}?${pairs.join('&')}` };
}

function writeAuth({ api, secrets, plan }: StepContext, call: Call): JsonValue | undefined {
  const auth = authOfCall(api, call);
  if (auth.kind === 'open') return undefined;
  if (auth.kind !== 'secret') return auth.kind;
  const source = secrets.sources.get(auth.name);
  if (source?.kind === 'captured') return { key: plan.secretPlaceholder(auth.name) };
  const place = secrets.callers.indexOf(auth.name);
  if (place === 0) return undefined;
  if (place > 0) return { identity: `caller ${place + 1}` };
  return secrets.callers.length === 0 && call.status !== 401 ? undefined : 'invalid';
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
    if ((isKnown && isParameter) || !isMeant(context, name, isParameter)) continue;
    setProperty(written, name, headerText(context, call, name, text));
  }
  const accept = call.status === 406 ? headerValue(headers, 'accept') : undefined;
  if (accept !== undefined) setProperty(written, 'Accept', accept);
  const cookies = cookiesOf(context, headerValue(headers, 'cookie'));
  if (cookies !== undefined) setProperty(written, 'Cookie', cookies);
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

/** Cookies that a response gave are sent again; others belong to the browser. */
function cookiesOf(context: StepContext, text: string | undefined): string | undefined {
  const keys = credentialLocations(context.api).cookies;
  const kept = (text ?? '').split(/;\s*/).filter((pair) => {
    const [, name] = new RegExp(SECRET_MARK.source).exec(pair) ?? [];
    if (name === undefined || keys.has(pair.split('=')[0] ?? '')) return false;
    return context.secrets.sources.get(name)?.kind === 'captured';
  });
  return kept.length === 0 ? undefined : kept.map((pair) => rewriteText(context, pair)).join('; ');
}

interface WrittenBody {
  readonly value: JsonObject;
  readonly headers: JsonObject;
  readonly pending?: string | undefined;
}

const NONE: WrittenBody = { value: {}, headers: {} };

function writeBody(context: StepContext, call: Call): WrittenBody {
  const { body, headers } = call.exchange.request;
  if (body === undefined) return NONE;
  if (body.kind !== 'text') {
    const reason = body.kind === 'bytes' ? 'it is binary' : body.reason;
    return { ...NONE, pending: `the recording holds no body for it: ${reason}` };
  }
  const type = headerValue(headers, 'content-type');
  const header = { 'Content-Type': type ?? null };
  const essence = parseMediaType(type ?? '')?.essence ?? '';
  if (call.requestBody !== undefined && isJsonMediaType(essence)) {
    const value = rewriteBody(context, call, call.requestBody, '');
    return { value: { body: value }, headers: essence === 'application/json' ? {} : header };
  }
  if (bodyKind(essence) === 'form') return { value: { form: formOf(context, body.text) }, headers: {} };
  return { value: { text: rewriteText(context, body.text) }, headers: header };
}

function formOf(context: StepContext, text: string): JsonObject {
  const fields: Record<string, JsonValue> = {};
  for (const { name, value } of parseQuery(text)) {
    if (name === undefined || value === undefined) continue;
    const own = rewriteText(context, value);
    const before = fields[name];
    setProperty(fields, name, before === undefined ? own : [...(Array.isArray(before) ? before : [before]), own]);
  }
  return fields;
}

function rewriteBody(context: StepContext, call: Call, value: JsonValue, pointer: string): JsonValue {
  const placeholder = context.plan.placeholderOf(call, 'body', pointer);
  if (placeholder !== undefined) return placeholder;
  if (Array.isArray(value))
    return value.map((item, index) => rewriteBody(context, call, item, joinPointer(pointer, index)));
  if (!isJsonObject(value)) return rewrite(context, value);
  const written: Record<string, JsonValue> = {};
  for (const [name, property] of Object.entries(value))
    setProperty(written, name, rewriteBody(context, call, property, joinPointer(pointer, name)));
  return written;
}
