import type { ServerParts } from '../adapters/create-mock-server';
import { answersTo } from '../checks/request/parameters';
import type { HttpRequest, HttpResponse } from '../http/message';
import { isJsonObject, type JsonObject } from '../json/json-value';
import { admit, type Admitted } from '../mock/admit';
import type { Call } from '../mock/call';
import { Draft } from '../mock/draft';
import type { JournalEntry } from '../mock/journal';
import type { OperationPlan, PlannedBehaviour } from '../mock/operation-plan';
import type { Key } from '../mock/order';
import { isModelled, prepare } from '../mock/perform';
import { SINGLE_KEY } from '../mock/resource';
import { readWish } from '../mock/wish';
import { explainHeaders, type HeaderExplanation, type MissingHeader } from './explain-headers';
import type { RefusalExplanation } from './explain-needs';
import { explainOverrides } from './explain-overrides';
import { explainBeginning, explainRow, type BeginningExplanation, type RowExplanation } from './explain-rows';
import type { SourceExplanation } from './explain-source';
import { explainOperation, explainPacks, type OperationExplanation, type PackExplanation } from './explanation';
import { fillRequest, type Filled } from './fill-request';
import { findRoute, type Route } from './find-route';
import { existingKeys } from './known-keys';

/** Why one request gets its answer. */
export interface RequestExplanation {
  readonly standin: 'request-explanation/1';
  /** `GET /v1/things/7`, as it was sent. */
  readonly request: string;
  /** Everything that went over the wire. */
  readonly sent: Pick<HttpRequest, 'method' | 'target' | 'headers'> & { readonly body: string };
  /** What was lacking of a good request, and was put in. */
  readonly filled: readonly Filled[];
  readonly route: {
    readonly basePath: string;
    readonly template: string;
    readonly variables: readonly { readonly name: string; readonly value: string }[];
    /** Templates that the path fits as well, and that lost. */
    readonly runnersUp: readonly string[];
    /** Pairs of the query that no parameter is declared for. */
    readonly unknownQuery: readonly string[];
  };
  /** What is true of every request for the operation. */
  readonly operation: OperationExplanation;
  readonly answer: AnswerExplanation;
  /** How to get another answer. */
  readonly overrides: readonly string[];
  /** Packs that are used. */
  readonly packs: readonly PackExplanation[];
}

export interface AnswerExplanation {
  readonly status: number;
  /** `refusal`: one of the checks spoke; `preference`: the request asked for it; else as {@link SourceExplanation}. */
  readonly from: SourceExplanation['from'] | 'refusal' | 'preference';
  readonly refusal: RefusalExplanation | undefined;
  /** Of a refusal because an item is not there: values of the path that lead to one. */
  readonly existing: readonly { readonly name: string; readonly value: string }[];
  /** Rows that it shows or changed. */
  readonly rows: readonly RowExplanation[];
  /** Of the collection that was looked through. */
  readonly collection: BeginningExplanation | undefined;
  /** Members of a new item that the request did not have. */
  readonly made: readonly string[];
  readonly headers: readonly HeaderExplanation[];
  readonly missingHeaders: readonly MissingHeader[];
  readonly body: string;
}

/**
 * Sends a request to a fresh mock of this process, and tells what led to the answer.
 *
 * @param target - path with or without the base path, with a query if there is one; `{thingId}` stands for a thing that
 *   there is
 * @param body - left out: one that the description shows, or that is made up
 * @throws ConfigError for a path that matches nothing, with the nearest ones
 */
export async function explainRequest(
  parts: ServerParts,
  method: string,
  target: string,
  body: string | undefined,
): Promise<RequestExplanation> {
  const route = findRoute(parts, method, target);
  const { plan, match } = route;
  const { request, filled } = fillRequest(parts, method, route, body);
  const operation = await explainOperation(parts, plan);
  const meant = await meaningOf(parts, request);
  const response = await parts.mock.engine.handle(request);
  const entry = parts.mock.engine.journal.entries().at(-1);
  const answer = explainAnswer(parts, { plan, operation, meant, response, entry, route });
  return {
    standin: 'request-explanation/1',
    request: `${method} ${request.target}`,
    sent: {
      method,
      target: request.target,
      headers: request.headers,
      body: new TextDecoder().decode(request.body),
    },
    filled,
    route: {
      basePath: match.basePath,
      template: `${plan.operation.method} ${plan.operation.written}`,
      variables: variablesOf(route, filled),
      runnersUp: route.runnersUp,
      unknownQuery: unknownQuery(route),
    },
    operation,
    answer,
    overrides: explainOverrides(parts.api, plan, operation),
    packs: explainPacks(parts),
  };
}

function variablesOf({ variables }: Route, filled: readonly Filled[]): Route['variables'] {
  return variables.map(({ name, value }) => {
    const put = filled.find((each) => each.in === 'path' && each.name === name);
    return { name, value: put?.value ?? value };
  });
}

function unknownQuery({ query, plan: { operation } }: Route): string[] {
  const declared = new Set(operation.parameters.filter((each) => each.in !== 'path').map(({ name }) => name));
  const known = (name: string): boolean =>
    operation.parameters.some((each) => each.in === 'query' && answersTo(each, name));
  const told = new Set(operation.telling.map(({ name }) => name));
  return [...new URLSearchParams(query).keys()].filter((name) => {
    const plain = name.replace(/\[.*$/, '');
    return (
      ![name, plain, `${plain}[]`].some((each) => declared.has(each)) &&
      !told.has(name) &&
      !known(name) &&
      !name.startsWith('__')
    );
  });
}

/** What a request means before it is done: the collection it is about, and the key. */
interface Meaning {
  readonly admitted: Admitted;
  readonly isModelled: boolean;
  readonly collection: string | undefined;
  readonly key: Key | undefined;
  readonly sent: JsonObject;
}

/** Asks the engine's own checks and plan. @returns `undefined` for a request that these refuse */
async function meaningOf({ mock }: ServerParts, request: HttpRequest): Promise<Meaning | undefined> {
  const { context, engine } = mock;
  const admitted = admit(context, request, { bodyLength: request.body.length });
  if (admitted.kind !== 'admitted') return undefined;
  const prepared = await prepare(context, admitted, request, request.body);
  if (prepared.kind === 'refused') return undefined;
  const { call } = prepared;
  const { behaviour } = admitted.plan;
  const isKept = isModelled(admitted, call);
  if (behaviour === undefined) return { admitted, isModelled: isKept, collection: undefined, key: undefined, sent: {} };
  const scope = behaviour.scope(call, new Draft(engine.sandboxes.main.live));
  const sent = behaviour.input.sent(call);
  return {
    admitted,
    isModelled: isKept,
    collection: 'code' in scope ? undefined : scope.collection,
    key: keyOfCall(behaviour, call),
    sent: isJsonObject(sent) ? sent : {},
  };
}

function keyOfCall({ resource, binding }: PlannedBehaviour, call: Call): Key | undefined {
  if (resource.kind === 'singleton') return SINGLE_KEY;
  const { keyParameter } = binding;
  return keyParameter === undefined ? undefined : resource.toKey(call.parameters.path.get(keyParameter));
}

interface Answered {
  readonly plan: OperationPlan;
  readonly operation: OperationExplanation;
  readonly meant: Meaning | undefined;
  readonly response: HttpResponse;
  readonly entry: JournalEntry | undefined;
  readonly route: Route;
}

function explainAnswer(parts: ServerParts, answered: Answered): AnswerExplanation {
  const { plan, operation, meant, response, entry, route } = answered;
  const from = sourceOf(answered);
  const headers = explainHeaders(parts.api, plan, response, from === 'state');
  const isMany = ['list', 'count', 'clear'].includes(operation.source.behaviour ?? '');
  const stateful = from === 'state' ? meant : undefined;
  const name = isMany ? stateful?.collection : undefined;
  return {
    status: response.status,
    from,
    refusal: refusalOf(entry),
    existing: entry?.code === 'resource_not_found' ? existingKeys(parts, route) : [],
    rows: stateful === undefined ? [] : rowsOf(parts, stateful, entry),
    collection: name === undefined ? undefined : explainBeginning(parts, name),
    made: madeMembers(stateful, entry),
    headers: headers.sent,
    missingHeaders: headers.missing,
    body: typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body),
  };
}

function refusalOf(entry: JournalEntry | undefined): RefusalExplanation | undefined {
  if (entry?.code === undefined) return undefined;
  const { status, code, message = '' } = entry;
  return { status, code, message };
}

function sourceOf({ operation, meant, entry }: Answered): AnswerExplanation['from'] {
  if (entry?.code !== undefined) return 'refusal';
  if (meant !== undefined && readWish(meant.admitted)?.isForcing === true) return 'preference';
  // What is no JSON cannot be stored: it is answered as if nothing stood behind.
  if (operation.source.from === 'state' && meant?.isModelled === false) return 'generated';
  return operation.source.from;
}

/** The rows that the request changed, else the one that it names. */
function rowsOf(parts: ServerParts, { collection, key }: Meaning, entry: JournalEntry | undefined): RowExplanation[] {
  // Its own first: rules may have changed others before.
  const changes = (entry?.changes ?? []).toSorted(
    (left, right) => Number(right.collection === collection) - Number(left.collection === collection),
  );
  if (changes.length > 0)
    return changes.map((change) => {
      const row = explainRow(parts, change.collection, change.key);
      if (change.before !== undefined || row.from !== 'defaults') return row;
      return { ...row, from: 'request', text: 'is made by this request', places: [] };
    });
  return collection === undefined || key === undefined ? [] : [explainRow(parts, collection, key)];
}

function madeMembers(meant: Meaning | undefined, entry: JournalEntry | undefined): string[] {
  const change = entry?.changes.find((each) => each.collection === meant?.collection);
  if (meant === undefined || change === undefined || change.before !== undefined) return [];
  return Object.keys(change.after ?? {}).filter((name) => meant.sent[name] === undefined && !name.startsWith('$'));
}
