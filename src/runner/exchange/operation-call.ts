import { StandinError } from '../../core/errors/standin-error';
import { isSafe, type RawHeaders } from '../../core/http/message';
import { equalJson, type JsonValue } from '../../core/json/json-value';
import type { StepAuth } from '../../formats/contract/contract';
import type { Operation } from '../../openapi/model/operation';
import { absentPath, isLikelyAbsent } from '../ownership/absent-values';
import { lastVariable, routeOf } from '../ownership/item-routes';
import { isSamePath } from '../ownership/path-names';
import { queryPairs, requiredParameters, type SentParameters, sentParameters } from '../ownership/sent-content';
import { credentials, withQuery } from './credentials';
import { checkLater, sendInteraction } from './exchange-stages';
import { ANY_RESPONSE, type Interaction, PROBE } from './interaction';
import { acceptOf, makeRequest } from './request';
import { type GuardedRequest, modeFor, modeViolation, pathOf } from './request-guard';
import type { Run } from './run-state';

export interface CallResult {
  readonly status: number;
  readonly headers: RawHeaders;
  /** `undefined` where the body is not JSON, or there is none. */
  readonly body: JsonValue | undefined;
}

export interface CallOptions {
  /** `auth` when left out. */
  readonly phase?: 'auth' | 'cleanup';
  /** `valid` for the key of the run, also when left out; else the name of an identity, or of a session of the run. */
  readonly caller?: string | undefined;
  /** Of another request about the same thing, which has what the operation asks for beside its path. */
  readonly basedOn?: SentParameters | undefined;
}

/**
 * Calls an operation with the right key to look at something or to remove it. The response is not checked: the contracts
 * do that.
 *
 * @param path - below the base URL, with its query
 * @returns `undefined` when no response came, when nothing may be sent, and for an operation that is to be skipped
 * @throws ConfigError when the operation asks for a scheme that is not known here
 */
export async function callOperation(
  run: Run,
  operation: Operation,
  path: string,
  { phase = 'auth', caller = 'valid', basedOn }: CallOptions = {},
): Promise<CallResult | undefined> {
  if (run.selection?.skip.includes(operation.id) === true) return undefined;
  const auth = authOfCaller(run, caller);
  const keys = credentials(run, operation, auth);
  const own = ['Accept', acceptOf(run.api, operation), ...keys.headers];
  const given = { query: [...queryPairs(path), ...keys.query], headers: own };
  const needed = requiredParameters(operation, given, basedOn);
  const target = withQuery(path, [...needed.query, ...keys.query]);
  const request = makeRequest(run, operation.method, target, [...own, ...needed.headers], undefined);
  const about = { ...PROBE, name: operation.id, phase, auth: auth === 'valid' ? auth : caller };
  const interaction: Interaction = { ...about, operation, request, expected: ANY_RESPONSE };
  await verifyAbsence(run, interaction);
  const wasLost = run.targetError !== undefined;
  const context = await sendInteraction(run, interaction);
  if (!wasLost) run.untoldError = run.targetError;
  if ('result' in context) return undefined;
  void checkLater(context, []);
  const { status, headers: lines, body } = context.observed;
  return { status, headers: lines, body: body.kind === 'json' ? body.value : undefined };
}

function authOfCaller({ identities, sessions }: Run, caller: string): StepAuth {
  const session = sessions.get(caller);
  if (session !== undefined) return session;
  return identities?.has(caller) === true ? { identity: caller } : 'valid';
}

/**
 * Before a change where nothing was to be: a service may have given the key to somebody else since, and somebody may
 * have put something there. A GET that finds nothing says that it is not so. Of the query and the headers of
 * a step it has what the GET asks for as well; others may be what nothing was found by.
 */
export async function verifyAbsence(run: Run, interaction: GuardedRequest): Promise<void> {
  const { request } = interaction;
  if (modeFor(run, interaction) !== 'own' || isSafe(request.method)) return;
  const path = pathOf(run, request);
  const { creations } = run;
  // What is the run's own has been looked at.
  if (creations.createdAt(path) !== undefined) return;
  const isAbsent = creations.absentPaths.has(path);
  const wasEmpty = creations.emptyPaths.has(path) || creations.ownedBefore(path);
  const isToBeSeen = isAbsent || wasEmpty || isLikelyAbsent(run, path);
  if (!isToBeSeen || (!isAbsent && modeViolation(run, interaction) === undefined)) return;
  const read = routeOf(run.api, path)?.route.operations.get('GET');
  // What it answers is noted like that of every other GET.
  const look = (): Promise<CallResult | undefined> =>
    read === undefined
      ? Promise.resolve(undefined)
      : callOperation(run, read, path, { basedOn: sentParameters(request) });
  const response = await undefinedOnError(look);
  if (response === undefined) creations.absentPaths.delete(path);
}

/**
 * Does a service answer the same for an id that nothing has? Then a success says of no item that it is there.
 *
 * @param item - its path
 * @param shown - body of the success
 */
export async function isAnswerForNothing(
  run: Run,
  read: Operation,
  item: string,
  shown: JsonValue | undefined,
  options?: CallOptions,
): Promise<boolean> {
  const match = routeOf(run.api, item);
  const variable = match && lastVariable(match.route);
  if (match === undefined || variable === undefined) return false;
  const others = Object.entries(match.rawPathParameters).filter(([name]) => name !== variable);
  const absent = absentPath(read, run.runId, new Map(others));
  if (absent === undefined || !absent.isAbsent) return false;
  const path = isSamePath(absent.text, item) ? otherAbsent(item) : absent.text;
  const answer = await undefinedOnError(() => callOperation(run, read, path, options));
  const isAnswered = answer !== undefined && answer.status >= 200 && answer.status < 300;
  return isAnswered && equalJson(answer.body ?? null, shown ?? null);
}

/** An id next to one that nothing has. It is only read. */
function otherAbsent(item: string): string {
  return item.replace(/[^/]+(?=\/?$)/, (id) => (/^\d+$/.test(id) ? String(BigInt(id) - 1n) : `${id}-0`));
}

/** Looks at something; `undefined` where that is not possible, as without a key. */
export async function undefinedOnError<Value>(look: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await look();
  } catch (error) {
    if (error instanceof StandinError) return undefined;
    throw error;
  }
}
