import type { JsonObject, JsonValue } from '../../core/json/json-value';
import type { Operation } from '../../openapi/model/operation';
import { chooseScheme } from '../../security/registry';
import { type Call, isSuccess } from '../flow/call';
import type { Flow } from '../flow/trace-flow';
import type { PreparingStep } from './preparing-steps';
import { authOfCall } from './secret-sources';
import type { StepContext } from './step-context';
import { writeAuth } from './step-request';

/** `auth` of a step that the recording does not have, as a call sent it; empty where the key of the run will do. */
export function credentialsLike(
  context: StepContext,
  operation: Operation | undefined,
  call: Call,
): { readonly auth?: JsonObject } {
  if (chooseScheme(context.api, operation).kind === 'open') return {};
  const auth = writeAuth(context, call);
  return isObject(auth) ? { auth } : {};
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
 * is known: the call that gives them then comes first of all, if it needs nothing of a call before it.
 */
export function signIn(
  context: StepContext,
  { calls, flow }: { readonly calls: readonly Call[]; readonly flow: Flow },
  prepared: readonly PreparingStep[],
): SignedIn {
  const { secrets, api } = context;
  const user = calls.find((call) => isSuccess(call) && isObject(writeAuth(context, call)));
  const auth = user === undefined ? undefined : authOfCall(api, user);
  const source = auth?.kind === 'secret' ? secrets.sources.get(auth.name) : undefined;
  const isFree = source?.kind === 'captured' && !flow.edges.some(({ consumer }) => consumer.call === source.call);
  if (secrets.callers.length > 0 || user === undefined || !isFree) return { first: undefined, prepared };
  const signed = prepared.map((step) => {
    const operation = api.operations.find(({ id }) => id === step.value['operation']);
    return { ...step, value: { ...step.value, ...credentialsLike(context, operation, user) } };
  });
  const isUsed = signed.some(({ value }) => value['auth'] !== undefined);
  return { first: isUsed ? source.call : undefined, prepared: signed };
}
