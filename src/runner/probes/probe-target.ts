import type { JsonValue } from '../../core/json/json-value';
import { stringifyJson } from '../../core/json/stringify-json';
import { isJsonMediaType } from '../../core/http/media-type';
import { isSafe } from '../../core/http/message';
import { decodePathSegment, splitPath } from '../../core/http/request-target';
import { type Contract, stepsOf } from '../../formats/contract/contract';
import type { Operation, Parameter } from '../../openapi/model/operation';
import { type Interaction, NO_NAMED_PARENTS, parentsByVariable, type ParentsByVariable } from '../exchange/interaction';
import type { KnownParents, Run } from '../exchange/run-state';
import { absentPath } from '../ownership/absent-values';
import { isCreation, itemRouteOf, routeOf } from '../ownership/item-routes';
import type { ApiModel } from '../../openapi/model/api-model';
import { isValid, withRejectedMarker } from './creation-observation';
import { operationOfStep } from '../steps/step-request';

/** A request to an operation, without its credentials, that can do no harm where it should have been rejected. */
export interface ProbeTarget {
  /** Below the base URL, without a query. */
  readonly path: string;
  /** Does it name something that nobody has? */
  readonly isAbsent: boolean;
  readonly contentType: string | undefined;
  readonly body: string | undefined;
}

/** No JSON: nothing can be created from it. Services that read the body first answer 400 to it, whoever asks. */
export const HARMLESS_BODY = '{"standin"';

interface SentContent {
  readonly path: string;
  readonly requestBody: JsonValue | undefined;
}

/** A body that the service is known to take, and the type of it. */
interface ValidContent {
  readonly contentType: string;
  readonly body: string;
  readonly isOfCreation: boolean;
  /** The last segment of the path that it was sent to, as the body says it; `undefined` for a POST. */
  readonly key: string | undefined;
}

/**
 * Can the run remove what an operation would make: a creation, or a PUT or PATCH to where nothing is? What is documented to
 * answer 404 there, and not 201, makes nothing.
 */
export function isRemovable(api: ApiModel, operation: Operation): boolean {
  if (isCreation(api, operation)) return itemRouteOf(api, operation)?.route.operations.has('DELETE') === true;
  const isToPath = operation.method === 'PUT' || operation.method === 'PATCH';
  const { responses } = operation;
  if (!isToPath || (responses.has('404') && !responses.has('201'))) return true;
  return api.operations.some(({ method, path }) => method === 'DELETE' && path === operation.path);
}

/**
 * The content of a valid request without a key, so that it is refused for want of the key and for nothing else.
 *
 * @param like - the request that is about to succeed; left out: the last one of the run that did
 * @returns `undefined` where nothing valid is known, and where what it makes could not be removed
 */
export function validContent(run: Run, operation: Operation, like?: SentContent): ValidContent | undefined {
  const { api, runId } = run;
  const { path = '', requestBody: value } = like?.requestBody === undefined ? lastSuccess(run, operation) : like;
  const contentType = operation.requestBody?.mediaTypes.find(isJsonMediaType);
  if (value === undefined || contentType === undefined || !isRemovable(api, operation)) return undefined;
  const marked = withRejectedMarker(value, runId);
  const isMarked = isValid(operation, contentType, marked);
  const key = operation.method === 'POST' ? undefined : lastSegment(path);
  return {
    contentType,
    body: stringifyJson(isMarked ? marked : value),
    isOfCreation: isCreation(api, operation),
    key: isMarked && key !== undefined ? (withRejectedMarker(key, runId) as string) : key,
  };
}

function lastSuccess({ log }: Run, operation: Operation): Partial<SentContent> {
  const last = log.exchanges().findLast(({ operation: id, auth, status = 0 }) => {
    return id === operation.id && auth === 'valid' && status >= 200 && status < 300;
  });
  return last ?? {};
}

function lastSegment(path: string): string | undefined {
  return decodePathSegment(/([^/]+)\/?$/.exec(path)?.[1] ?? '');
}

/** A body that says the key of its path once more says that of another path. */
function bodyAt({ body, key }: ValidContent, path: string): string {
  const other = lastSegment(path);
  return key === undefined || other === undefined ? body : body.replaceAll(JSON.stringify(key), JSON.stringify(other));
}

/** A path that nothing is at, with a name that no other request has; where no such name is allowed, as it is. */
function ownAbsentPath({ path, parameters }: Operation, absent: string, runId: string): string {
  const own = withRejectedMarker(absent, runId) as string;
  const name = lastSegment(own);
  const last = parameters.find((each) => each.in === 'path' && path.replace(/\/$/, '').endsWith(`{${each.name}}`));
  const { type, format } = last?.schema?.value ?? {};
  const isText = type === 'string' && format === undefined;
  return isText && name !== undefined && last?.schema?.accepts(name, 'request') === true ? own : absent;
}

/**
 * @param content - is sent where nothing but what the run owns can come of it
 * @param runId - which what it names holds; left out where only its form matters
 * @param parents - what is there and not the run's own
 * @returns a text when there is no such request: why not
 */
export function harmlessTarget(
  operation: Operation,
  runId = '00000000',
  parents: KnownParents = new Map(),
  content?: ValidContent,
): ProbeTarget | string {
  const path = absentPath(operation, runId, knownPathValues(operation, parents));
  if (path === undefined) return 'nothing in its path could be named that is known to be absent';
  const { method, requestBody } = operation;
  const nothing = { path: path.text, isAbsent: path.isAbsent, contentType: undefined, body: undefined };
  if (isSafe(method)) return nothing;
  if (content !== undefined && (path.isAbsent || content.isOfCreation)) {
    // What it makes is nothing that others ask for as absent.
    const own = ownAbsentPath(operation, path.text, runId);
    return { ...nothing, path: own, contentType: content.contentType, body: bodyAt(content, own) };
  }
  const isHarmless = path.isAbsent || hasHarmlessBody(operation);
  if (!isHarmless) return 'it could change something: neither its path nor its body can be made harmless';
  if (requestBody === undefined) return nothing;
  const contentType = requestBody.mediaTypes[0] ?? 'application/json';
  return { ...nothing, contentType, body: HARMLESS_BODY };
}

/** A body that is not JSON does nothing where JSON is asked for. */
function hasHarmlessBody({ requestBody }: Operation): boolean {
  return requestBody?.mediaTypes.every(isJsonMediaType) === true;
}

/**
 * Values that may stand in a path as they are. A read may name everything; what could change something still names
 * an item that nobody has, or has a body that nothing can be made of.
 */
export function knownPathValues(operation: Operation, parents: KnownParents): ReadonlyMap<string, string> {
  const names = [...operation.path.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const isOfItem = operation.path.endsWith('}');
  const mayNameAll = isSafe(operation.method) || (!isOfItem && hasHarmlessBody(operation));
  const mayBeKnown = mayNameAll ? names : names.slice(0, -1);
  const values = new Map<string, string>();
  for (const name of mayBeKnown) {
    const value = parents.get(templateUpTo(operation, name));
    // Below a parent that nobody has there is nothing to be known.
    if (value === undefined) break;
    values.set(name, value);
  }
  return values;
}

/**
 * A pair of the query that the operation must reject, were it not for the credentials: a word where a number or one of
 * a few words is asked for.
 *
 * @returns `undefined` when the operation has no such parameter
 */
export function invalidQuery({ parameters }: Operation): { readonly name: string; readonly pair: string } | undefined {
  const parameter = parameters.find((candidate) => candidate.in === 'query' && rejectsWord(candidate));
  if (parameter === undefined) return undefined;
  return { name: parameter.name, pair: `${encodeURIComponent(parameter.name)}=${WORD}` };
}

const WORD = 'standin';

function rejectsWord({ schema, style }: Parameter): boolean {
  const { type, enum: values } = schema?.value ?? {};
  if (style !== 'form') return false;
  if (type === 'integer' || type === 'number') return true;
  return type === 'string' && Array.isArray(values) && !values.includes(WORD);
}

/**
 * What a run has seen when its contracts are over. A path is known by a response with a success to a request with the
 * right key; of what the run made, what was removed, and what holds the id of the run nothing is known any more.
 */
export function knownParents(run: Run): KnownParents {
  return (run.knownParents ??= observedParents(run));
}

function observedParents(run: Run): KnownParents {
  const seen = run.log.exchanges().flatMap(({ method, path, status = 0, auth }) => {
    return status >= 200 && status <= 299 && auth === 'valid'
      ? [{ method, path: path.slice(run.basePath.length) }]
      : [];
  });
  const gone = new Set(seen.flatMap(({ method, path }) => (method === 'DELETE' ? [path] : [])));
  const values = new Map<string, string>();
  for (const { template, pathPrefix, value, raw } of seen.flatMap(({ path }) => variablesIn(run, path))) {
    const isOwn = run.creations.owns(pathPrefix) || run.creations.ownedBefore(pathPrefix) || value.includes(run.runId);
    if (!isOwn && !gone.has(pathPrefix) && !values.has(template)) values.set(template, raw);
  }
  return values;
}

interface PathVariable {
  /** Up to the variable. */
  readonly template: string;
  /** The same of the path. */
  readonly pathPrefix: string;
  readonly value: string;
  /** As it stands in the path. */
  readonly raw: string;
}

function variablesIn(run: Run, path: string): PathVariable[] {
  const template = routeOf(run.api, path)?.route.path;
  const [names, values] = [splitPath(template ?? ''), splitPath(path)];
  if (template === undefined || names.length !== values.length) return [];
  return names.flatMap((name, index): PathVariable[] => {
    if (!/^\{[^{}]+\}$/.test(name)) return [];
    const upTo = (segments: readonly string[]): string => `/${segments.slice(0, index + 1).join('/')}`;
    const raw = values[index] ?? '';
    return [{ template: upTo(names), pathPrefix: upTo(values), value: decodePathSegment(raw) ?? '', raw }];
  });
}

/** The template of an operation up to a variable, as {@link KnownParents} has it. */
export function templateUpTo({ path }: Pick<Operation, 'path'>, variable: string): string {
  return path.slice(0, path.indexOf(`{${variable}}`) + variable.length + 2);
}

/** What contracts and the tester say that holds for generated probes as well. */
export interface ProbeAssumptions {
  /** What is there, below which something may be made. */
  readonly within: ParentsByVariable;
  /** Operations of which every step says that it asks a question and touches nothing. */
  readonly readOnlyOperations: ReadonlySet<Operation>;
  /** Operations that contracts of a person call. */
  readonly writtenOperations: ReadonlySet<Operation>;
}

export const NO_ASSUMPTIONS: ProbeAssumptions = {
  within: NO_NAMED_PARENTS,
  readOnlyOperations: new Set(),
  writtenOperations: new Set(),
};

export function probeAssumptions(run: Pick<Run, 'api' | 'within'>, contracts: readonly Contract[]): ProbeAssumptions {
  const within = parentsByVariable(run.within ?? [], ...contracts.map((contract) => contract.within));
  const steps = contracts.flatMap(stepsOf);
  const acting = new Set(
    steps.filter(({ touches }) => touches !== 'nothing').map((step) => operationOfStep(run, step)),
  );
  const asked = steps.flatMap((step) => operationOfStep(run, step) ?? []);
  const written = contracts.filter(({ isGenerated }) => isGenerated !== true).flatMap(stepsOf);
  return {
    within,
    readOnlyOperations: new Set(asked.filter((operation) => !acting.has(operation))),
    writtenOperations: new Set(written.flatMap((step) => operationOfStep(run, step) ?? [])),
  };
}

/** The same of one operation, as an interaction says it. */
export function assumptionsOn(
  operation: Operation,
  { within, readOnlyOperations, writtenOperations }: ProbeAssumptions,
): Pick<Interaction, 'within' | 'touches' | 'isWritten'> {
  return {
    within,
    touches: readOnlyOperations.has(operation) ? 'nothing' : undefined,
    isWritten: writtenOperations.has(operation),
  };
}

/** What a run saw, and where it saw nothing what the tester named. */
export function parentsFor({ path }: Operation, seen: KnownParents, { within }: ProbeAssumptions): KnownParents {
  const known = new Map(seen);
  for (const [, name = ''] of path.matchAll(/\{([^{}]+)\}/g)) {
    const [named] = within.get(name) ?? [];
    const template = templateUpTo({ path }, name);
    if (named !== undefined && !known.has(template)) known.set(template, encodeURIComponent(named));
  }
  return known;
}
