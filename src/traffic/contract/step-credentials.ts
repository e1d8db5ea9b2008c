import { type JsonObject, type JsonValue, pickProperties } from '../../core/json/json-value';
import { isSafe } from '../../core/http/message';
import { scalarText } from '../../core/json/stringify-json';
import type { Operation } from '../../openapi/model/operation';
import { templateVariables } from '../../openapi/model/route-table';
import { SECRET_MARK } from '../exchange/recorded-exchange';
import { type Call, isSuccess } from '../flow/call';
import type { Flow } from '../flow/trace-flow';
import type { LostPart } from './lost-parts';
import type { PreparingStep } from './preparing-steps';
import { authOfCall, type CallAuth } from './secret-sources';
import { isDeclared, marksIn, type SentCredential } from './sent-credentials';
import { rewriteText, type StepContext } from './step-context';

/** How a step says who asks. */
export interface WrittenCredentials {
  /** `undefined` where it is the key of the run, or none is asked for. */
  readonly auth: JsonValue | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Pairs of the query. */
  readonly query: readonly string[];
  /** Does the request come without a key, and is that what it is about? */
  readonly isWithoutKey: boolean;
  readonly lost: readonly LostPart[];
}

const OPEN = 'the description asks for no key there';
const UNKNOWN = 'no response of the recording gave it, and its name says nothing of a key';

/**
 * Writes the credentials of a call: what the key of a step does not stand for as headers, and in the query.
 *
 * @param operation - the one that is to be called in the same way
 */
export function writeCredentials(
  context: StepContext,
  call: Call,
  operation: Operation | undefined = call.operation,
): WrittenCredentials {
  const { api, secrets } = context;
  const auth = authOfCall(api, secrets.sources, call, operation);
  // What the operation does not ask for is not sent where the description knows such a key.
  const isIdle = (each: SentCredential): boolean => auth.kind === 'open' && isDeclared(api, each);
  const sent = auth.others.filter((each) => !isIdle(each));
  const cookies = sent
    .filter((each) => each.in === 'cookie')
    .map((each) => `${each.name}=${textOf(context, call, each)}`);
  const headers = sent.flatMap((each): [string, string][] =>
    each.in === 'header' ? [[each.name, textOf(context, call, each)]] : [],
  );
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')]);
  return {
    auth: keyOf(context, call, auth),
    headers: Object.fromEntries(headers),
    query: sent.flatMap((each) =>
      each.in === 'query' ? [`${encodeURIComponent(each.name)}=${textOf(context, call, each)}`] : [],
    ),
    isWithoutKey: auth.kind === 'none' && (secrets.hasKeys || call.status === 401 || call.status === 403),
    lost: [
      ...auth.others.filter(isIdle).map((each) => ({ reason: OPEN, without: partOf(each) })),
      ...auth.unknown.map((each) => ({ reason: UNKNOWN, without: partOf(each) })),
    ],
  };
}

function partOf({ in: place, name }: SentCredential): LostPart['without'] {
  return { kind: place === 'query' ? 'parameter' : place, name };
}

/** A key that nobody was let in with is asked of nobody. */
function textOf(context: StepContext, call: Call, { text }: SentCredential): string {
  const { refused, sources } = context.secrets;
  const isRefused = (name: string): boolean => refused.has(name) && sources.get(name)?.kind === 'given';
  if (call.status !== 401 || !marksIn(text).every(isRefused)) return rewriteText(context, text);
  return text.replace(SECRET_MARK, () => 'unknown-${runId}');
}

function keyOf({ secrets, plan }: StepContext, call: Call, { kind, name }: CallAuth): JsonValue | undefined {
  if (kind === 'open') return undefined;
  if (kind === 'written') return 'none';
  if (kind !== 'secret') return isNothingSaid(secrets, call, kind) ? undefined : kind;
  const source = secrets.sources.get(name);
  if (source?.kind === 'captured') return { key: plan.secretPlaceholder(name) };
  const place = secrets.callers.indexOf(name);
  if (place === 0) return undefined;
  if (place > 0) return { identity: `caller ${place + 1}` };
  return secrets.callers.length === 0 && call.status !== 401 ? undefined : 'invalid';
}

/** That a whole session has no key says nothing of the service, see `keylessNotes`. */
function isNothingSaid({ hasKeys }: StepContext['secrets'], call: Call, kind: CallAuth['kind']): boolean {
  return kind === 'none' && !hasKeys && isSuccess(call);
}

/** A step that the recording does not have, with the credentials that a call sent; the key of the run does without them. */
export function withCredentialsOf(
  context: StepContext,
  call: Call,
  operation: Operation | undefined,
  step: JsonObject,
): JsonObject {
  const { auth, headers: own, query } = writeCredentials(context, call, operation);
  const isNamed = Object.keys(own).length > 0 || query.length > 0;
  const isChange = operation !== undefined && !isSafe(operation.method);
  const headers = isChange && isObject(auth) ? { ...forgeryHeaders(context), ...own } : own;
  const { expect, capture, ...request } = query.length === 0 ? step : withQuery(step, operation, query);
  return {
    ...request,
    ...(isObject(auth) || (auth === 'none' && isNamed) ? { auth } : {}),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...(expect === undefined ? {} : { expect }),
    ...(capture === undefined ? {} : { capture }),
  };
}

/** What a service asks for beside a session, where something is changed: the token that it gave against forged requests. */
function forgeryHeaders(context: StepContext): Readonly<Record<string, string>> {
  const { forgery } = context.secrets;
  return forgery === undefined ? {} : { [forgery.name]: rewriteText(context, forgery.text) };
}

/** By method and path: the description has no such parameters. */
function withQuery(step: JsonObject, operation: Operation | undefined, query: readonly string[]): JsonObject {
  if (operation === undefined) return step;
  const { name, parameters = {} } = step;
  let path = operation.path;
  for (const variable of templateVariables(operation.path)) {
    const text = isObject(parameters) ? scalarText(parameters[variable] ?? '') : '';
    path = path.replace(`{${variable}}`, () => (text.includes('${') ? text : encodeURIComponent(text)));
  }
  return {
    ...(name === undefined ? {} : { name }),
    method: operation.method,
    path: `${path}?${query.join('&')}`,
    ...pickProperties(step, (property) => !['name', 'operation', 'parameters'].includes(property)),
  };
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What stands before every other step where credentials come from a response of the session itself. */
export interface SignedIn {
  /** Of the calls, the one that gives the credentials; `undefined` where nothing needs it first. */
  readonly first: Call | undefined;
  readonly prepared: readonly PreparingStep[];
}

/**
 * What the setup makes and looks up is sent with the credentials that the session got for itself, where no key of a run
 * is known: the call that gives them then comes first of all, if it needs nothing of a call before it. Of a session with
 * several credentials a step gets those that its operation was called with.
 */
export function signIn(
  context: StepContext,
  { calls, flow }: { readonly calls: readonly Call[]; readonly flow: Flow },
  prepared: readonly PreparingStep[],
): SignedIn {
  const { secrets, api } = context;
  const signed = calls.filter(isSuccess).map((call) => ({ call, auth: authOfCall(api, secrets.sources, call) }));
  // Changes may ask for more than reads do, such as a token against forged requests.
  const inOrder = [...signed.filter(({ call }) => !isSafe(call.method)), ...signed];
  const written = prepared.flatMap((step) => {
    const operation = api.operations.find(({ id }) => id === step.value['operation']);
    const same = inOrder.filter(({ call }) => call.operation === operation);
    const user = chooseCaller(same, secrets.callers) ?? chooseCaller(inOrder, secrets.callers);
    return user === undefined ? [] : [{ step, operation, user }];
  });
  if (written.length < prepared.length) return { first: undefined, prepared };
  const auths = written.map(({ user }) => user.auth);
  const names = auths.flatMap(({ name, others }) => [name, ...others.flatMap(({ text }) => marksIn(text))]);
  const sources = names.flatMap((name) => {
    const source = secrets.sources.get(name);
    return source?.kind === 'captured' ? [source.call] : [];
  });
  const [source, ...others] = [
    ...new Set([...sources, ...(secrets.forgery === undefined ? [] : [secrets.forgery.givenBy])]),
  ];
  const isFree = others.length === 0 && !flow.edges.some(({ consumer }) => consumer.call === source);
  if (!isFree) return { first: undefined, prepared };
  const steps = written.map(({ step, operation, user: { call } }) => ({
    ...step,
    value: withCredentialsOf(context, call, operation, step.value),
  }));
  const isUsed = steps.some(({ value }) => value['auth'] !== undefined || value['headers'] !== undefined);
  return { first: isUsed ? source : undefined, prepared: steps };
}

/** The call whose credentials say most: with the key of the run, with another secret, with any, else the first one. */
function chooseCaller<T extends { readonly call: Call; readonly auth: CallAuth }>(
  signed: readonly T[],
  callers: readonly string[],
): T | undefined {
  return (
    signed.find(({ auth }) => auth.kind === 'secret' && auth.name === callers[0]) ??
    signed.find(({ auth }) => auth.kind === 'secret') ??
    signed.find(({ auth }) => auth.others.length > 0) ??
    signed[0]
  );
}
