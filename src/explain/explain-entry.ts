import { headerValue } from '../core/http/headers';
import type { RawHeaders } from '../core/http/message';
import { parsePointer } from '../core/json/json-pointer';
import { ConfigError } from '../core/errors/standin-error';
import type { Key } from '../lists/sort-values';
import type { OperationPlan, PlannedBehaviour } from '../mock/plans/operation-plan';
import type { JournalEntry } from '../mock/sandbox/journal-entry';
import { SINGLE_KEY } from '../mock/state/prepared-resource';
import { type Change, collectionOf, type State } from '../mock/state/state';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation, Property, Schema } from '../openapi/model/operation';
import { viewOf } from '../openapi/view/schema-view';
import { fillTemplate } from '../resources/model/resource';
import { explainInitialItems, explainItem, locationText, withLocation } from './data-origins';
import { explainOperation, type OperationExplanation } from './explain-api';
import { explainOverrides } from './explain-request';
import type { ExplainedMock } from './explained-mock';
import { explainHeaders } from './header-origins';
import { existingKeys, findRoute, type Route } from './route';

/** Lines that belong together. */
export interface Section {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What was noted of a request, and what stands in its sandbox now. */
export interface AnsweredRequest {
  readonly entry: JournalEntry;
  /** `undefined` where they are not known. */
  readonly responseHeaders: RawHeaders | undefined;
  readonly state: State;
}

/** More rows and headers would bury the rest. */
const SHOWN = 8;

/** Why a request that was answered got its response. Nothing is performed: what is told is worked out from the description. */
export async function explainEntry(parts: ExplainedMock, answered: AnsweredRequest): Promise<Section[]> {
  const { api, mock } = parts;
  const { entry } = answered;
  const route = routeOf(parts, entry);
  const operation = entry.operation === undefined ? undefined : api.operationById(entry.operation);
  const plan = operation && mock.context.plans.get(operation);
  if (plan === undefined)
    return sectionsOf([
      ['Routed to', [typeof route === 'string' ? route : 'no operation']],
      ['Response', [String(entry.status)]],
      ['Why it was rejected', refusalLines(entry)],
      ['Read leniently', warningLines(entry)],
    ]);
  const explained = await explainOperation(parts, plan);
  const found = typeof route === 'string' ? undefined : route;
  return sectionsOf([
    ['Routed to', routeLines(explained, found)],
    ['Response', responseLines(entry, explained)],
    ['Not natural', entry.injected === undefined ? [] : [entry.injected]],
    ['Why it was rejected', rejectionLines(parts, answered, plan, found)],
    ['Read leniently', warningLines(entry)],
    ['Rows', rowLines(parts, answered, plan, found)],
    ['Headers', headerLines(api, plan, answered)],
    [
      'To get another response',
      [
        `next time: PUT /__standin/responses, or app.respond('${explained.operation}', …)`,
        ...explainOverrides(api, plan, explained),
      ],
    ],
  ]);
}

function sectionsOf(all: readonly (readonly [title: string, lines: readonly string[]])[]): Section[] {
  return all.flatMap(([title, lines]) => (lines.length === 0 ? [] : [{ title, lines }]));
}

/** @returns why there is none */
function routeOf(parts: ExplainedMock, { method, target }: JournalEntry): Route | string {
  try {
    return findRoute(parts, method, target);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [error.message, ...(error.hint === undefined ? [] : [error.hint])].join('. ');
  }
}

function routeLines({ operation, method, path, place }: OperationExplanation, route: Route | undefined): string[] {
  return [
    withLocation(operation, place),
    `${method} ${path}`,
    ...(route === undefined || route.match.basePath === '' ? [] : [`below ${route.match.basePath}`]),
    ...(route?.variables ?? []).map(({ name, value }) => `${name} = ${value}`),
    ...(route?.runnersUp ?? []).map((template) => `not ${template}: a literal beats a variable, left to right`),
  ];
}

function responseLines(entry: JournalEntry, { source, statuses }: OperationExplanation): string[] {
  const { status, code, message } = entry;
  const usual = withLocation(source.text, source.place);
  const isAsked = /\b(?:code|example|dynamic)\s*=/i.test(headerValue(entry.requestHeaders, 'Prefer') ?? '');
  const reasons = source.reasons.map(({ text, place }) => withLocation(text, place));
  if (status >= 400 || isAsked)
    return [
      isAsked ? `${status}: the request asked for it with Prefer` : String(status),
      `else ${statuses.join(' or ')}: ${usual}`,
      ...reasons,
    ];
  return [
    `${status}: ${source.from === 'state' ? 'from state, ' : ''}${usual}`,
    ...(code === undefined ? [] : [`it breaks the description: ${message ?? code}`]),
    ...reasons,
  ];
}

function refusalLines({ status, code, message }: JournalEntry): string[] {
  return status < 400 || code === undefined ? [] : [`${code}: ${message ?? ''}`];
}

function warningLines({ warnings }: JournalEntry): string[] {
  return warnings.map(({ code, message }) => `${code}: ${message}`);
}

function rejectionLines(
  parts: ExplainedMock,
  { entry, state }: AnsweredRequest,
  { operation }: OperationPlan,
  route: Route | undefined,
): string[] {
  const lines = refusalLines(entry);
  if (lines.length === 0) return [];
  const pointer = rejectingPointer(parts.api, operation, entry);
  const place = pointer === undefined ? undefined : locationText(parts.api.document, pointer);
  const now = { ...parts, mock: { ...parts.mock, initial: state } };
  const existing = entry.code === 'resource_not_found' && route !== undefined ? existingKeys(now, route) : [];
  return [
    ...lines,
    ...(place === undefined ? [] : [`the description says so at ${place}`]),
    ...existing.map(({ name, value }) => `there is one under ${name} = ${value}`),
  ];
}

const OF_CREDENTIALS: ReadonlySet<string> = new Set([
  'missing_api_key',
  'malformed_authorization',
  'invalid_api_key',
  'insufficient_scope',
]);

/** Where the description says what the request broke, as far as its message tells. */
function rejectingPointer(
  api: ApiModel,
  operation: Operation,
  { code = '', message = '' }: JournalEntry,
): string | undefined {
  if (OF_CREDENTIALS.has(code)) return operation.pointer;
  if (/parameter|cursor/.test(code))
    return operation.parameters.find(({ name }) => message.split(/[\s"',:;]+/).includes(name))?.pointer;
  return /body|field|content_type|media_type|json/.test(code) ? bodyPointer(api, operation, message) : undefined;
}

/** Of the property that the message names, else of the body. */
function bodyPointer(api: ApiModel, { requestBody }: Operation, message: string): string | undefined {
  if (requestBody === undefined) return undefined;
  const [, field] = /^The field (\/\S*)/.exec(message) ?? [];
  const schema = requestBody.content[0]?.schema;
  if (field === undefined || schema === undefined) return requestBody.pointer;
  return fieldPointer(api, schema, parsePointer(field)) ?? schema.pointer;
}

/** Of the last property on the way that the description knows. */
function fieldPointer(api: ApiModel, schema: Schema, path: readonly string[]): string | undefined {
  const view = viewOf(api);
  let at: Schema | undefined = schema;
  let pointer: string | undefined;
  for (const name of path) {
    const property: Property | undefined = at && view.properties(at).get(name);
    if (property !== undefined) ({ pointer } = property);
    at = property === undefined ? at && view.items(at) : view.schemaOf(property);
  }
  return pointer;
}

/** The rows that it changed, else those that it shows. */
function rowLines(
  parts: ExplainedMock,
  { entry }: AnsweredRequest,
  { behaviour }: OperationPlan,
  route: Route | undefined,
): string[] {
  if (entry.changes.length > 0)
    return [
      ...entry.changes.slice(0, SHOWN).map(changeText),
      ...(entry.changes.length > SHOWN ? [`and ${entry.changes.length - SHOWN} more`] : []),
    ];
  return behaviour === undefined || route === undefined || entry.status >= 400
    ? []
    : shownRows(parts, behaviour, route);
}

/** Where the rows come from that a path means. */
function shownRows(parts: ExplainedMock, { resource, binding }: PlannedBehaviour, route: Route): string[] {
  const valueOf = (name: string): string => route.variables.find((each) => each.name === name)?.value ?? '';
  const collection = fillTemplate(resource.path, binding.scopeParameters.map(valueOf));
  const { keyParameter } = binding;
  if (resource.kind === 'collection' && keyParameter === undefined) {
    const { text, places } = explainInitialItems(parts, collection);
    return [withLocation(`${collection}: ${text}`, places[0])];
  }
  const key = resource.kind === 'singleton' ? SINGLE_KEY : resource.toKey(valueOf(keyParameter ?? ''));
  return key === undefined ? [] : [rowText(parts, collection, key)];
}

function rowText(parts: ExplainedMock, collection: string, key: Key): string {
  const isOfStart = key === SINGLE_KEY || collectionOf(parts.mock.initial, collection)?.get(key) !== undefined;
  const name = key === SINGLE_KEY ? collection : `${collection}/${String(key)}`;
  if (!isOfStart) return `${name} was made since the start`;
  const { text, places } = explainItem(parts, collection, key);
  return withLocation(`${name} ${text}`, places[0]);
}

function changeText({ collection, key, before, after }: Change): string {
  const name = key === SINGLE_KEY ? collection : `${collection}/${String(key)}`;
  if (before === undefined) return `added ${name}`;
  if (after === undefined) return `removed ${name}`;
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const changed = names.filter((each) => before[each] !== after[each] && !each.startsWith('$'));
  return `changed ${name}: ${changed.join(', ')}`;
}

function headerLines(api: ApiModel, plan: OperationPlan, { entry, responseHeaders }: AnsweredRequest): string[] {
  if (responseHeaders === undefined) return [];
  const isState = plan.responseSource.from === 'state';
  const response = { status: entry.status, headers: responseHeaders, body: undefined };
  const { sent, missing } = explainHeaders(api, plan, response, isState);
  return [
    ...sent.map(({ name, text, place }) => `${name}: ${withLocation(text, place)}`),
    ...missing.map(({ name, place }) => withLocation(`${name}: documented, and not sent`, place)),
  ];
}
