import type { ObservedExchange } from '../../checks/observed-exchange';
import { sentParameters } from '../../checks/request/parameters';
import { headerValue, joinedHeaders } from '../../core/http/headers';
import { isJsonMediaType } from '../../core/http/media-type';
import { joinPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import type { ApiModel } from '../../openapi/model/api-model';
import type { MediaTypeEntry, Operation, Parameter, Schema } from '../../openapi/model/operation';
import { findResponse } from '../../openapi/view/responses';
import { type Dimension, type DimensionCoverage, DIMENSION_IDS, type UnseenUnit } from './dimensions';
import { SchemaUnits, type Side, type Unit } from './schema-units';

/** What of an exchange is counted. */
type CountedExchange = Pick<
  ObservedExchange,
  'operation' | 'path' | 'query' | 'requestHeaders' | 'requestText' | 'requestBody' | 'status' | 'body'
>;

const REQUEST: Side = { title: 'request', key: '>', without: 'readOnly', hasProperties: true };
const RESPONSE: Side = { title: 'response', key: '<', without: 'writeOnly', hasProperties: true };
const OPERATION = 'operation';
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** Header parameters of these names mean nothing (OAS 3.0.3 §4.7.12.2). */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/** Which units of a description exchanges show, {@link DIMENSIONS}. Stored are the names of those alone. */
export class CoverageCounter {
  private readonly api: ApiModel;
  private readonly basePath: string;
  private readonly schemas: SchemaUnits;
  /** Keys of the units that were seen, by the id of the operation. */
  private readonly seen = new Map<string, Set<string>>();

  /** @param basePath - of the target, before every path of the description */
  constructor(api: ApiModel, basePath: string) {
    this.api = api;
    this.basePath = basePath;
    this.schemas = new SchemaUnits(api);
  }

  /** Counts an exchange of a documented operation that got a response; of others nothing is known. */
  add(exchange: CountedExchange): void {
    const { operation: id, status } = exchange;
    const operation = id === undefined ? undefined : this.api.operationById(id);
    if (operation === undefined || status === undefined) return;
    let seen = this.seen.get(operation.id);
    if (seen === undefined) this.seen.set(operation.id, (seen = new Set()));
    this.addRequest(operation, exchange, seen);
    const response = findResponse(operation, status);
    if (response === undefined) return;
    seen.add(OPERATION).add(statusKey(response.status));
    if (exchange.body !== undefined)
      this.schemas.mark(RESPONSE, jsonSchemas(response.content, isJson), exchange.body, seen);
  }

  private addRequest(operation: Operation, exchange: CountedExchange, seen: Set<string>): void {
    const { path, query, requestHeaders } = exchange;
    if (operation.parameters.length > 0) {
      const below = path.slice(this.basePath.length);
      const pathParameters = this.api.routes.match(below)?.rawPathParameters ?? {};
      const head = { headers: joinedHeaders(requestHeaders) };
      for (const { parameter, value } of sentParameters(operation, { head, pathParameters, query })) {
        seen.add(parameterKey(parameter));
        if (parameter.schema !== undefined && value !== undefined)
          this.schemas.mark(sideOf(parameter), [parameter.schema], value, seen);
      }
    }
    const body = sentBody(exchange);
    if (body !== undefined && operation.requestBody !== undefined)
      this.schemas.mark(REQUEST, jsonSchemas(operation.requestBody.content, isJsonOrForm), body, seen);
  }

  /** What was seen so far of the whole description. */
  result(): DimensionCoverage[] {
    const counts = DIMENSION_IDS.map((dimension) => ({ dimension, total: 0, unseen: [] as UnseenUnit[] }));
    for (const operation of this.api.operations) {
      const units = this.unitsOf(operation);
      const seen = this.seen.get(operation.id);
      for (const count of counts) {
        const own = units[count.dimension];
        count.total += own.length;
        count.unseen.push(...unseenOf(operation, own, seen));
      }
    }
    return counts.map(({ dimension, total, unseen }) => {
      const missing = unseen.reduce((sum, { units = 1 }) => sum + units, 0);
      return { dimension, total, seen: total - missing, unseen };
    });
  }

  private unitsOf(operation: Operation): Readonly<Record<Dimension, readonly Unit[]>> {
    const { method, written, pointer, requestBody, responses } = operation;
    const parameters = operation.parameters.filter(
      ({ in: place, key }) => place !== 'header' || !IGNORED_HEADERS.has(key),
    );
    const sent = this.schemas.list(REQUEST, jsonSchemas(requestBody?.content ?? [], isJsonOrForm));
    const contents = [...responses.values()].flatMap(({ content }) => content);
    const received = this.schemas.list(RESPONSE, jsonSchemas(contents, isJson));
    return {
      operations: [{ key: OPERATION, pointer, name: `${method} ${written}` }],
      statuses: [...responses.keys()].map((status) => ({
        key: statusKey(status),
        pointer: joinPointer(joinPointer(pointer, 'responses'), status),
        name: status,
      })),
      parameters: parameters.map((parameter) => ({
        key: parameterKey(parameter),
        pointer: parameter.pointer,
        name: sideOf(parameter).title,
      })),
      properties: [...sent.properties, ...received.properties],
      words: [
        ...parameters.flatMap((parameter) =>
          parameter.schema === undefined ? [] : this.schemas.list(sideOf(parameter), [parameter.schema]).words,
        ),
        ...sent.words,
        ...received.words,
      ],
    };
  }
}

/** Of an operation that no request reached, one entry for all. */
function unseenOf(
  { id, pointer }: Operation,
  units: readonly Unit[],
  seen: ReadonlySet<string> | undefined,
): UnseenUnit[] {
  if (seen === undefined && units.length > 1)
    return [{ operation: id, pointer, name: 'all: not called', units: units.length }];
  return units
    .filter(({ key }) => seen?.has(key) !== true)
    .map((unit) => ({ operation: id, pointer: unit.pointer, name: unit.name }));
}

function statusKey(status: string): string {
  return `status ${status}`;
}

function parameterKey({ pointer }: Parameter): string {
  return `parameter ${pointer}`;
}

function sideOf({ in: place, name, pointer }: Parameter): Side {
  return { title: `${place} parameter ${name}`, key: pointer, hasProperties: false };
}

/** JSON, or a form of one line, whose values are texts. */
function sentBody({ requestBody, requestText, requestHeaders }: CountedExchange): JsonValue | undefined {
  if (requestBody !== undefined || !FORM.test(headerValue(requestHeaders, 'content-type') ?? '')) return requestBody;
  return Object.fromEntries(new URLSearchParams(requestText));
}

function isJson({ mediaType }: MediaTypeEntry): boolean {
  return isJsonMediaType(mediaType) || /^(?:\*|application)\/\*/.test(mediaType);
}

function isJsonOrForm(entry: MediaTypeEntry): boolean {
  return isJson(entry) || FORM.test(entry.mediaType);
}

function jsonSchemas(content: readonly MediaTypeEntry[], isTaken: (entry: MediaTypeEntry) => boolean): Schema[] {
  return [...new Set(content.filter(isTaken).flatMap(({ schema }) => schema ?? []))];
}
