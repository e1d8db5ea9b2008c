import type { HttpResponse } from '../../core/http/message';
import { type Problem, problem } from '../../core/http/problem';
import type { Binding } from '../../resources/model/binding';
import { performBehaviour } from '../behaviours/registry';
import { type Call, type Outcome, rejected } from '../calls/call';
import { showInParents } from '../effects/parent-lists';
import { markPresence } from '../effects/parent-item-changes';
import { linkOwnTask, propertiesForParent, settleItem, storeTasks } from '../effects/tasks';
import { Draft } from '../state/draft';
import { entryOfDraft } from '../state/entry';
import type { Replay } from '../state/state';
import { StoreError } from '../state/state-log';
import { storeProblem } from '../context/error-response';
import { findReplay, payloadDigest } from './idempotency';
import { expandResponse, renderOutcome } from './outcome-response';
import { convertMediaType } from './rendering';
import type { PreparedRequest, Result } from './request-context';
import { withSignedTokens } from './signed-tokens';
import { readResponsePreference, type ResponsePreference, statelessResponse } from './stateless-response';

/** Does what the operation is bound to do, on the state or from the description alone. */
export function perform(request: PreparedRequest): Result | Promise<Result> {
  const preference = readResponsePreference(request);
  const isStateless = preference?.bypassesState === true || !isModelled(request);
  return isStateless ? performStateless(request, preference) : performOnState(request);
}

/**
 * Nothing waits between the draft and the commit: of two requests in flight, the later one would else begin from the
 * same state and undo the earlier.
 */
function performOnState(request: PreparedRequest): Result | Promise<Result> {
  const { context, call, sandbox, idempotencyKey } = request;
  const { live: state } = sandbox;
  const nowMs = context.clock.now();
  const replay = idempotencyKey === undefined ? undefined : findReplay(call, idempotencyKey, state, nowMs);
  if (replay?.kind === 'refused') return replay.problem;
  if (replay?.kind === 'known') return convertMediaType(request, replay.response);
  const draft = new Draft(state, context.counts, call.principal.name);
  const result = performOrUndo(request, draft, nowMs);
  if ('code' in result) return result;
  const kept: KeptReplay | undefined = replay && [
    replay.key,
    { payload: payloadDigest(call.body), response: result, storedAt: nowMs },
  ];
  const notStored = commit(request, draft, kept);
  if (notStored !== undefined) return notStored;
  request.changes = draft.changes;
  return convertMediaType(request, result);
}

type KeptReplay = readonly [key: string, replay: Replay];

/** @returns why what a request did could not be stored; nothing of it remains then */
function commit({ sandbox, sandboxes }: PreparedRequest, draft: Draft, kept?: KeptReplay): Problem | undefined {
  if (kept === undefined && !draft.hasChanged) return undefined;
  try {
    sandboxes.store?.commit(sandbox, entryOfDraft(draft, kept));
  } catch (error) {
    draft.undo();
    if (error instanceof StoreError) return storeProblem(error);
    throw error;
  }
  if (kept !== undefined) sandbox.live.remember(...kept);
  sandboxes.materialise(sandbox);
  return undefined;
}

/** Nothing remains of a request that was rejected, or that met an error, whatever its rule had done by then. */
function performOrUndo(request: PreparedRequest, draft: Draft, nowMs: number): Result {
  const { context, plan, call } = request;
  try {
    const performed = linkOwnTask(context.api, plan, call, draft, performOperation(request, draft, nowMs));
    if (performed.kind === 'rejected') {
      draft.undo();
      return performed.problem;
    }
    const outcome = showInParents(context, draft, performed);
    markPresence(context, plan, call, draft, outcome);
    const rendered = storeTasks(context, plan, call, renderOutcome(outcome, call, plan), draft, outcome);
    const settled = settleItem(context, plan, draft, nowMs, outcome, rendered);
    const response = expandResponse(context, plan, call, settled, draft);
    const isConforming = plan.behaviour === undefined || draft.conforms(plan.behaviour.resource);
    request.problem = context.outgoing.check(plan, response, isConforming);
    if (request.problem === undefined || !context.options.strict) return response;
    draft.undo();
    return request.problem;
  } catch (error) {
    draft.undo();
    throw error;
  }
}

function performOperation({ context, plan, call }: PreparedRequest, draft: Draft, nowMs: number): Outcome {
  const { behaviour } = plan;
  if (behaviour === undefined) return rejected(problem('not_implemented', 'No behaviour is known for this operation'));
  const scope = behaviour.scope(call, draft);
  if ('code' in scope) return rejected(scope);
  const missing = plan.parentItem?.missing(call, draft);
  if (missing !== undefined) return rejected(missing);
  const { rules, resources, options } = context;
  const { requireIfMatch, idStart, limits } = options;
  return performBehaviour({
    call,
    plan: behaviour,
    resource: behaviour.resource,
    scope,
    draft,
    resources,
    rules,
    nowMs,
    requireIfMatch,
    idStart,
    propertiesForParent: () => propertiesForParent(context, plan, call, draft),
    maxItemLength: limits.bodyBytes,
  });
}

async function performStateless(
  request: PreparedRequest,
  preference: ResponsePreference | undefined,
): Promise<HttpResponse | Problem> {
  const { context, plan, call, sandbox } = request;
  // An item that the path names may be created by that.
  const draft = new Draft(sandbox.live, context.counts, call.principal.name);
  const missing = preference?.bypassesState === true ? undefined : plan.parentItem?.missing(call, draft);
  if (missing !== undefined) {
    draft.undo();
    return missing;
  }
  const response = await statelessResponse(request, preference, draft);
  const notStored = commit(request, draft);
  if (notStored !== undefined) return notStored;
  if ('code' in response) return response;
  const answer = preference === undefined ? withSignedTokens(request, response) : response;
  const violation = context.outgoing.check(plan, answer, false);
  if (violation !== undefined && context.options.strict) return violation;
  request.problem = violation;
  request.changes = draft.changes;
  return answer;
}

/** Text and bytes cannot be stored, such as XML, unless they are a file: the description alone responds to them. */
export function isModelled({ plan: { behaviour }, call }: Pick<PreparedRequest, 'plan' | 'call'>): boolean {
  if (behaviour === undefined || namesNone(behaviour.binding, call)) return false;
  const { body, file } = call;
  return typeof body !== 'string' || (file !== undefined && behaviour.fileMember !== undefined);
}

/** `POST /things.open { users }`: the key of an action may be left out where something else selects the item. */
function namesNone({ behaviour, keyParameter = '', outsidePath }: Binding, { parameters }: Call): boolean {
  return behaviour === 'act' && outsidePath.has(keyParameter) && !parameters.path.has(keyParameter);
}
