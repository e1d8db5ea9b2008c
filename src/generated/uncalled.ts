import { isSafe } from '../core/http/message';
import type { ApiModel } from '../openapi/model/api-model';
import { isActingRead } from '../openapi/naming/acting-reads';
import type { Operation } from '../openapi/model/operation';
import type { Binding } from '../resources/model/binding';
import { inferResourceModel } from '../resources/infer-resource-model';
import { isCreation, itemRouteOf } from '../runner/ownership/item-routes';
import { allSteps } from '../runner/result/outcome';
import type { RunResult, UncalledOperation } from '../runner/result/run-result';
import { findKinds, findSubjects, isBulk, isOutward, isSubject, type Kind, reachesSomebody } from './subject';

/**
 * A result with the operations that gave no response, and why.
 *
 * @param maxRequests - how many requests the run may take; a part of them is kept for what it asks for itself
 */
export function withUncalled(api: ApiModel, result: RunResult, maxRequests: number): RunResult {
  const steps = allSteps(result);
  const isSpent = steps.length * 2 > maxRequests;
  const called = new Set(
    result.coverage.flatMap(({ operation, statuses }) => (statuses.length > 0 ? [operation] : [])),
  );
  const uncalled = result.coverage.flatMap(({ operation: id, statuses }): UncalledOperation[] => {
    const operation = api.operationById(id);
    const own = steps.filter((step) => step.operation === id).map(({ verdict }) => verdict);
    if (statuses.length > 0 || operation === undefined) return [];
    if (own.some(({ kind }) => kind !== 'skipped')) return [{ operation: id, reason: 'was sent, and not answered' }];
    const [skipped] = own;
    const why = isSpent
      ? `was not reached with ${maxRequests} requests`
      : (whyNotThere(api, operation, called) ?? whyUncalled(api, operation, result.mode));
    return [{ operation: id, reason: skipped?.kind === 'skipped' ? `was not sent: ${skipped.reason}` : why }];
  });
  return uncalled.length === 0 ? result : { ...result, uncalled };
}

/** Is an operation about what another one would have made, which was not called either? */
function whyNotThere(api: ApiModel, operation: Operation, called: ReadonlySet<string>): string | undefined {
  const resource = inferResourceModel(api).bindings.get(operation)?.resource;
  const create = findSubjects(api, false).find((subject) => subject.resource === resource)?.create.operation;
  const isAbout =
    create !== undefined && create !== operation && !called.has(create.id) && operation.path.includes('{');
  return isAbout ? `is about what ${create.id} makes` : undefined;
}

/** Does a read never come to an end: a stream of events (HTML §9.2)? */
function streamsEvents({ responses }: Operation): boolean {
  const types = [...responses.values()].flatMap(({ status, mediaTypes }) => (status.startsWith('2') ? mediaTypes : []));
  return types.length > 0 && types.every((type) => type.startsWith('text/event-stream'));
}

/** Does an operation switch to another protocol (RFC 6455 §1.3, OAS has no form for it)? */
export function opensWebSocket({ method, responses, summary, description }: Operation): boolean {
  if (method !== 'GET') return false;
  const hasBody = [...responses.values()].some(({ status, content }) => status.startsWith('2') && content.length > 0);
  return responses.has('101') || (!hasBody && /\bweb-?sockets?\b/i.test(`${summary} ${description}`));
}

/** Why no generated interaction calls an operation, as the end of a sentence about it. */
function whyUncalled(api: ApiModel, operation: Operation, mode: RunResult['mode']): string {
  const unfit = whyUnfit(operation);
  if (unfit !== undefined) return unfit;
  const binding = inferResourceModel(api).bindings.get(operation);
  if (isOfAll(api, operation) || (binding !== undefined && isBulk(binding)))
    return 'could change all rows: its path names no single one';
  if (isSafe(operation.method)) return whyUnread(operation);
  if (isCreation(api, operation) || /^create/.test(binding?.behaviour ?? '')) return whyUnmade(api, operation, mode);
  return whyUndone(api, operation, binding);
}

function whyUndone(api: ApiModel, operation: Operation, binding: Binding | undefined): string {
  const kind = findKinds(api, false).find(({ resource }) => resource === binding?.resource);
  if (binding?.behaviour === 'act' && reachesSomebody(operation, operation.path.replace(/^.*\}/, ''))) return REACHES;
  return kind !== undefined && !isSubject(kind) ? whyUnchanged(kind) : 'may do more than the description tells';
}

function whyUnchanged({ of }: Kind): string {
  return of('upsert') !== undefined && of('create') === undefined
    ? 'is about what is made at a key that the client chooses, and the run can make none that is surely nobody’s'
    : 'changes what the run has no way to make itself';
}

const REACHES = 'may reach people or cost money';

/** Why generated contracts do not send a read; `undefined` where they do. */
export function whyUnfit(operation: Operation): string | undefined {
  if (opensWebSocket(operation)) return 'opens a WebSocket, which is not spoken here';
  if (streamsEvents(operation)) return 'streams events, and does not end';
  return isActingRead(operation) ? 'does something, by the words of its path, though it is a GET' : undefined;
}

/** Is it a change whose path ends in no key? What is no collection, right below an item, is about that item. */
function isOfAll(api: ApiModel, { method, path }: Operation): boolean {
  const [, item] = /^(.*\})\/[^{}]+$/.exec(path) ?? [];
  const isBelowItem = api.operations.some((other) => other.path === item);
  const isCollection = inferResourceModel(api).resources.some((resource) => resource.path === path);
  return !isSafe(method) && method !== 'POST' && !/\}\/?$/.test(path) && (!isBelowItem || isCollection);
}

function whyUnread({ path }: Operation): string {
  return path.includes('{')
    ? 'is about something that the run neither made nor found in a list'
    : 'needs parameters that the description gives no value for';
}

function whyUnmade(api: ApiModel, operation: Operation, mode: RunResult['mode']): string {
  const isRemovable = itemRouteOf(api, operation)?.route.operations.has('DELETE') === true;
  const binding = inferResourceModel(api).bindings.get(operation);
  if (isRemovable) return whyUnfilled(api, binding) ?? 'takes no body that can be made up safely';
  if (binding !== undefined && isOutward(api, binding)) return REACHES;
  const why = 'makes something that no DELETE of the description removes';
  const isMadeInFull = findSubjects(api, true).some(({ create }) => create.operation === operation);
  return isMadeInFull && mode !== 'full' ? `${why}: --mode full makes a few and leaves them` : why;
}

/** What others have has to be named by somebody where a thing may use it up: places, stock, a balance. */
function whyUnfilled(api: ApiModel, binding: Binding | undefined): string | undefined {
  const made = new Set(findSubjects(api, false).map(({ resource }) => resource.path));
  const reference = binding?.resource.references.find(({ to, isGuess }) => isGuess !== true && !made.has(to));
  const isVariable = api.operations.some(({ path }) => path.includes(`{${reference?.property}}`));
  if (reference === undefined || !isVariable) return undefined;
  const { property, to } = reference;
  return `needs the key of one of ${to} in ${property}, which it may use up and the run cannot make: --within ${property}=KEY names one`;
}
