import { matchesParameterName } from '../checks/request/parameters';
import type { HttpRequest, HttpResponse } from '../core/http/message';
import { isJsonObject, type JsonObject } from '../core/json/json-value';
import type { ExplainedMock, PackExplanation } from './explained-mock';
import type { Key } from '../lists/sort-values';
import type { Call } from '../mock/calls/call';
import { admit } from '../mock/pipeline/admission';
import { isModelled } from '../mock/pipeline/perform';
import { type PreparedRequest, RequestContext } from '../mock/pipeline/request-context';
import { prepare } from '../mock/pipeline/request-preparation';
import { readResponsePreference } from '../mock/pipeline/stateless-response';
import type { OperationPlan, PlannedBehaviour } from '../mock/plans/operation-plan';
import type { JournalEntry } from '../mock/sandbox/journal-entry';
import { Draft } from '../mock/state/draft';
import { SINGLE_KEY } from '../mock/state/prepared-resource';
import type { ApiModel } from '../openapi/model/api-model';
import {
  explainInitialItems,
  explainItem,
  type InitialItemsExplanation,
  type ItemExplanation,
  locationText,
  type SourceExplanation,
  withLocation,
} from './data-origins';
import { explainOperation, explainPacks, type OperationExplanation } from './explain-api';
import { type AddedValue, fillRequest } from './fill-request';
import type { RejectionExplanation } from './other-responses';
import { explainHeaders, type HeaderExplanation, type MissingHeader } from './header-origins';
import { existingKeys, findRoute, type Route } from './route';

/** Why one request gets its response. */
export interface RequestExplanation {
  readonly standin: 'request-explanation/1';
  /** `GET /v1/things/7`, as it was sent. */
  readonly request: string;
  /** Everything that went over the wire. */
  readonly sent: Pick<HttpRequest, 'method' | 'target' | 'headers'> & { readonly body: string };
  /** What was lacking of a good request, and was put in. */
  readonly filled: readonly AddedValue[];
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
  readonly answer: ResponseExplanation;
  /** How to get another response. */
  readonly overrides: readonly string[];
  readonly packs: readonly PackExplanation[];
}

export interface ResponseExplanation {
  readonly status: number;
  /** `refusal`: one of the checks spoke; `preference`: the request asked for it; else as {@link SourceExplanation}. */
  readonly from: SourceExplanation['from'] | 'refusal' | 'preference';
  readonly refusal: RejectionExplanation | undefined;
  /** Of a rejection because an item is not there: values of the path that lead to one. */
  readonly existing: readonly { readonly name: string; readonly value: string }[];
  /** Rows that it shows or changed. */
  readonly rows: readonly ItemExplanation[];
  /** Of the collection that was looked through. */
  readonly collection: InitialItemsExplanation | undefined;
  /** Properties of a new item that the request did not have. */
  readonly made: readonly string[];
  readonly headers: readonly HeaderExplanation[];
  readonly missingHeaders: readonly MissingHeader[];
  readonly body: string;
}

/**
 * Sends a request to a fresh mock of this process, and tells what led to the response.
 *
 * @param target - path with or without the base path, with a query if there is one; `{thingId}` stands for a thing that
 *   there is
 * @param body - left out: one that the description shows, or that is generated
 * @throws ConfigError for a path that matches nothing, with the nearest ones
 */
export async function explainRequest(
  parts: ExplainedMock,
  method: string,
  target: string,
  body: string | undefined,
): Promise<RequestExplanation> {
  const route = findRoute(parts, method, target);
  const { plan, match } = route;
  const { request, filled } = fillRequest(parts, method, route, body);
  const operation = await explainOperation(parts, plan);
  const analysis = await analyseRequest(parts, request);
  const response = await parts.mock.engine.handle(request);
  const entry = parts.mock.engine.sandboxes.main.journal.entries().at(-1);
  const answer = explainResponse(parts, { plan, operation, analysis, response, entry, route });
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

function variablesOf({ variables }: Route, filled: readonly AddedValue[]): Route['variables'] {
  return variables.map(({ name, value }) => {
    const put = filled.find((each) => each.in === 'path' && each.name === name);
    return { name, value: put?.value ?? value };
  });
}

function unknownQuery({ query, plan: { operation } }: Route): string[] {
  const declared = new Set(operation.parameters.filter((each) => each.in !== 'path').map(({ name }) => name));
  const known = (name: string): boolean =>
    operation.parameters.some((each) => each.in === 'query' && matchesParameterName(each, name));
  const told = new Set(operation.selectors.map(({ name }) => name));
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
interface RequestAnalysis {
  readonly request: PreparedRequest;
  readonly isModelled: boolean;
  readonly collection: string | undefined;
  readonly key: Key | undefined;
  readonly sent: JsonObject;
}

/** Asks the engine's own checks and plan. @returns `undefined` for a request that these reject */
async function analyseRequest({ mock }: ExplainedMock, sent: HttpRequest): Promise<RequestAnalysis | undefined> {
  const { context, engine } = mock;
  const { sandboxes } = engine;
  const place = { sandbox: sandboxes.main, context, sandboxes };
  const request = new RequestContext(place, sent, undefined, sent.body.length) as PreparedRequest;
  request.body = sent.body;
  if (admit(request) !== undefined || (await prepare(request)) !== undefined) return undefined;
  const { call, plan } = request;
  const { behaviour } = plan;
  const isStored = isModelled(request);
  if (behaviour === undefined)
    return { request, isModelled: isStored, collection: undefined, key: undefined, sent: {} };
  const scope = behaviour.scope(call, new Draft(sandboxes.main.live));
  const item = behaviour.input.sent(call);
  return {
    request,
    isModelled: isStored,
    collection: 'code' in scope ? undefined : scope.collection,
    key: keyOfCall(behaviour, call),
    sent: isJsonObject(item) ? item : {},
  };
}

function keyOfCall({ resource, binding }: PlannedBehaviour, call: Call): Key | undefined {
  if (resource.kind === 'singleton') return SINGLE_KEY;
  const { keyParameter } = binding;
  return keyParameter === undefined ? undefined : resource.toKey(call.parameters.path.get(keyParameter));
}

interface ExchangeFacts {
  readonly plan: OperationPlan;
  readonly operation: OperationExplanation;
  readonly analysis: RequestAnalysis | undefined;
  readonly response: HttpResponse;
  readonly entry: JournalEntry | undefined;
  readonly route: Route;
}

function explainResponse(parts: ExplainedMock, answered: ExchangeFacts): ResponseExplanation {
  const { plan, operation, analysis, response, entry, route } = answered;
  const from = sourceOf(answered);
  const headers = explainHeaders(parts.api, plan, response, from === 'state');
  const isMany = ['list', 'count', 'clear'].includes(operation.source.behaviour ?? '');
  const stateful = from === 'state' ? analysis : undefined;
  const name = isMany ? stateful?.collection : undefined;
  return {
    status: response.status,
    from,
    refusal: rejectionOf(entry),
    existing: entry?.code === 'resource_not_found' ? existingKeys(parts, route) : [],
    rows: stateful === undefined ? [] : explainItems(parts, stateful, entry),
    collection: name === undefined ? undefined : explainInitialItems(parts, name),
    made: generatedProperties(stateful, entry),
    headers: headers.sent,
    missingHeaders: headers.missing,
    body: typeof response.body === 'string' ? response.body : new TextDecoder().decode(response.body),
  };
}

function rejectionOf(entry: JournalEntry | undefined): RejectionExplanation | undefined {
  if (entry?.code === undefined) return undefined;
  const { status, code, message = '' } = entry;
  return { status, code, message };
}

function sourceOf({ operation, analysis, entry }: ExchangeFacts): ResponseExplanation['from'] {
  if (entry?.code !== undefined) return 'refusal';
  if (analysis !== undefined && readResponsePreference(analysis.request)?.bypassesState === true) return 'preference';
  // What is not JSON cannot be stored: it is answered as if nothing stood behind.
  if (operation.source.from === 'state' && analysis?.isModelled === false) return 'generated';
  return operation.source.from;
}

/** The rows that the request changed, else the one that it names. */
function explainItems(
  parts: ExplainedMock,
  { collection, key }: RequestAnalysis,
  entry: JournalEntry | undefined,
): ItemExplanation[] {
  // Its own first: rules may have changed others before.
  const changes = (entry?.changes ?? []).toSorted(
    (left, right) => Number(right.collection === collection) - Number(left.collection === collection),
  );
  if (changes.length > 0)
    return changes.map((change) => {
      const item = explainItem(parts, change.collection, change.key);
      if (change.before !== undefined || item.from !== 'defaults') return item;
      return { ...item, from: 'request', text: 'is made by this request', places: [] };
    });
  return collection === undefined || key === undefined ? [] : [explainItem(parts, collection, key)];
}

function generatedProperties(meant: RequestAnalysis | undefined, entry: JournalEntry | undefined): string[] {
  const change = entry?.changes.find((each) => each.collection === meant?.collection);
  if (meant === undefined || change === undefined || change.before !== undefined) return [];
  return Object.keys(change.after ?? {}).filter((name) => meant.sent[name] === undefined && !name.startsWith('$'));
}

/** How to get another answer to a request: in its data, in the description, by what the mock is reported, once. */
export function explainOverrides(
  { document }: ApiModel,
  plan: OperationPlan,
  { source, otherAnswers: otherResponses, operation: id }: OperationExplanation,
): string[] {
  const once = onceBy(plan, otherResponses).map((text) => `once, ${text}`);
  if (source.from === 'state')
    return [
      `other items: --fixtures FILE with ${source.resource ?? ''}`,
      `another behaviour: --overrides FILE with operations: { ${id}: { behaviour: … } }, or x-standin: false for none`,
      ...once,
    ];
  const stateful = `kept in state: --overrides FILE with operations: { ${id}: { resource: …, behaviour: … } }`;
  const media = plan.success?.content[0];
  if (media === undefined) return [stateful, ...once];
  if (source.from === 'example')
    return [withLocation('another body: change the example', source.place), stateful, ...once];
  return [withLocation('another body: add an example', locationText(document, media.pointer)), stateful, ...once];
}

/** By a header of one request. */
function onceBy({ success }: OperationPlan, otherResponses: OperationExplanation['otherAnswers']): string[] {
  const content = success?.content ?? [];
  const [name] = content.flatMap(({ examples }) => examples.flatMap((example) => example.name ?? []));
  const other = otherResponses.find(({ prefer }) => prefer !== undefined)?.prefer;
  return [
    ...(other === undefined ? [] : [`another status: ${other}`]),
    ...(name === undefined ? [] : [`an example of the description: Prefer: example=${name}`]),
    ...(content.length === 0 ? [] : ['made up anew: Prefer: dynamic=true']),
  ];
}
