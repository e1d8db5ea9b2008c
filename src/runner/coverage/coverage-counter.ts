import type { ObservedExchange } from '../../checks/observed-exchange';
import { sentParameters } from '../../checks/request/parameters';
import { headerValue, joinedHeaders } from '../../core/http/headers';
import { isJsonMediaType } from '../../core/http/media-type';
import { joinPointer } from '../../core/json/json-pointer';
import type { JsonValue } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import type { ApiModel } from '../../openapi/model/api-model';
import type { MediaTypeEntry, Operation, Parameter, Schema } from '../../openapi/model/operation';
import { findResponse } from '../../openapi/view/responses';
import { type Dimension, type DimensionCoverage, DIMENSION_IDS, UNCALLED, type UnseenUnit } from './dimensions';
import { isAnonymous, type Root, SchemaUnits, type Side, type ValueUnit } from './schema-units';

/** What of an exchange is counted. */
type CountedExchange = Pick<
  ObservedExchange,
  'operation' | 'path' | 'query' | 'requestHeaders' | 'requestText' | 'requestBody' | 'status' | 'body'
>;

const REQUEST: Side = { title: 'request', key: '>', without: 'readOnly' };
const RESPONSE: Side = { title: 'response', key: '<', without: 'writeOnly' };
const OPERATION = 'operation';
const FORM = /^application\/x-www-form-urlencoded\b/i;
/** Header parameters of these names mean nothing (OAS 3.0.3 §4.7.12.2). */
const IGNORED_HEADERS: ReadonlySet<string> = new Set(['accept', 'content-type', 'authorization']);

/** What was seen of one operation. */
class SeenOperation {
  /** The operation itself, its statuses and parameters. */
  readonly keys = new Set<string>();
  private readonly values = new Map<string, Set<number>>();

  /** Ids of the properties and words of one side. */
  of({ key }: Side): Set<number> {
    let seen = this.values.get(key);
    if (seen === undefined) this.values.set(key, (seen = new Set()));
    return seen;
  }
}

/** Units of an operation: how many there are, and those that were not seen. */
interface UnitCount {
  total: number;
  readonly unseen: Omit<UnseenUnit, 'operation'>[];
}

/** Which units of a description exchanges show, {@link DIMENSIONS}. Stored are the names of those alone. */
export class CoverageCounter {
  private readonly api: ApiModel;
  private readonly basePath: string;
  private readonly schemas: SchemaUnits;
  private readonly seen = new Map<string, SeenOperation>();

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
    const seen = this.seen.get(operation.id) ?? new SeenOperation();
    this.seen.set(operation.id, seen);
    this.addRequest(operation, exchange, seen);
    const response = findResponse(operation, status);
    if (response === undefined) return;
    seen.keys.add(OPERATION).add(statusKey(response.status));
    if (exchange.body !== undefined)
      this.schemas.mark(jsonSchemas(response.content, isJson), exchange.body, seen.of(RESPONSE));
  }

  private addRequest(operation: Operation, exchange: CountedExchange, seen: SeenOperation): void {
    const { path, query, requestHeaders } = exchange;
    if (operation.parameters.length > 0) {
      const below = path.slice(this.basePath.length);
      const pathParameters = this.api.routes.match(below)?.rawPathParameters ?? {};
      const head = { headers: joinedHeaders(requestHeaders) };
      for (const { parameter, value } of sentParameters(operation, { head, pathParameters, query })) {
        seen.keys.add(parameterKey(parameter));
        if (parameter.schema !== undefined && value !== undefined)
          this.schemas.mark([parameter.schema], value, seen.of(sideOf(parameter)));
      }
    }
    const body = sentBody(exchange);
    if (body !== undefined && operation.requestBody !== undefined)
      this.schemas.mark(jsonSchemas(operation.requestBody.content, isJsonOrForm), body, seen.of(REQUEST));
  }

  /** What was seen so far of the whole description. */
  result(): DimensionCoverage[] {
    const counts = DIMENSION_IDS.map((dimension) => ({ dimension, total: 0, unseen: [] as UnseenUnit[] }));
    for (const operation of this.api.operations) {
      const units = this.countOperation(operation, this.seen.get(operation.id));
      for (const count of counts) {
        const { total, unseen } = units[count.dimension];
        count.total += total;
        for (const unit of unseen) count.unseen.push({ operation: operation.id, ...unit });
      }
    }
    return counts.map(({ dimension, total, unseen }) => {
      const missing = unseen.reduce((sum, { units = 1 }) => sum + units, 0);
      return { dimension, total, seen: total - missing, unseen };
    });
  }

  private countOperation(operation: Operation, seen: SeenOperation | undefined): Record<Dimension, UnitCount> {
    const { method, written, pointer, requestBody, responses } = operation;
    const parameters = operation.parameters.filter(
      ({ in: place, key }) => place !== 'header' || !IGNORED_HEADERS.has(key),
    );
    const values: UnitCount[] = [newCount(), newCount()];
    const [properties = newCount(), words = newCount()] = values;
    for (const parameter of parameters) this.countValues(sideOf(parameter), parameterRoots(parameter), seen, { words });
    const sent = rootsOf(REQUEST.title, requestBody?.content ?? [], isJsonOrForm);
    this.countValues(REQUEST, sent, seen, { properties, words });
    const received = [...responses.values()].flatMap(({ status, content }) =>
      rootsOf(`${RESPONSE.title} ${status}`, content, isJson),
    );
    this.countValues(RESPONSE, received, seen, { properties, words });
    const named = {
      operations: countNamed([{ key: OPERATION, pointer, name: `${method} ${written}` }], seen),
      statuses: countNamed(
        [...responses.keys()].map((status) => ({
          key: statusKey(status),
          pointer: joinPointer(joinPointer(pointer, 'responses'), status),
          name: status,
        })),
        seen,
      ),
      parameters: countNamed(
        parameters.map((parameter) => ({
          key: parameterKey(parameter),
          pointer: parameter.pointer,
          name: sideOf(parameter).title,
        })),
        seen,
      ),
    };
    const all = { ...named, properties, words };
    if (seen === undefined) for (const count of Object.values(all)) foldUncalled(count, pointer);
    return all;
  }

  private countValues(
    side: Side,
    roots: readonly Root[],
    called: SeenOperation | undefined,
    counts: { readonly properties?: UnitCount; readonly words: UnitCount },
  ): void {
    const { properties = newCount(), words } = counts;
    if (called === undefined) {
      const number = this.schemas.count(side, roots);
      properties.total += number.properties;
      words.total += number.words;
      return;
    }
    const seen = called.of(side);
    const units = this.schemas.list(side, roots);
    properties.total += units.properties.length;
    words.total += units.words.length;
    const open = livePaths(units.properties, seen);
    // The values of a parameter have no properties of their own: each word is told by itself.
    const isFolded = counts.properties !== undefined;
    for (const [count, list] of [
      [properties, units.properties],
      [words, units.words],
    ] as const) {
      const missing = list.filter(({ id }) => !seen.has(id));
      count.unseen.push(...folded(missing, (at) => !isFolded || open.has(at)));
    }
  }
}

function newCount(): UnitCount {
  return { total: 0, unseen: [] };
}

interface NamedUnit {
  readonly key: string;
  readonly pointer: string;
  readonly name: string;
}

function countNamed(units: readonly NamedUnit[], seen: SeenOperation | undefined): UnitCount {
  const missing = units.filter(({ key }) => seen?.keys.has(key) !== true);
  return { total: units.length, unseen: missing.map(({ pointer, name }) => ({ pointer, name })) };
}

/** Of an operation that no request reached, one entry stands for all. */
function foldUncalled({ total, unseen }: UnitCount, pointer: string): void {
  if (total === 0 || (total === 1 && unseen.length === 1)) return;
  unseen.splice(0, unseen.length, { pointer, name: UNCALLED, ...(total > 1 ? { units: total } : {}) });
}

/** Where something was seen, and all places above. */
function livePaths(units: readonly ValueUnit[], seen: ReadonlySet<number>): ReadonlySet<string> {
  const live = new Set<string>();
  for (const { id, at } of units) {
    if (!seen.has(id)) continue;
    for (let end = at.length; end > 0 && !live.has(at.slice(0, end)); end = at.lastIndexOf('/', end - 1))
      live.add(at.slice(0, end));
  }
  return live;
}

/** What was not seen: of an object that is missing as a whole, one entry stands for all below. */
function folded(missing: readonly ValueUnit[], isLive: (at: string) => boolean): Omit<UnseenUnit, 'operation'>[] {
  const groups = new Map<string, ValueUnit[]>();
  for (const unit of missing) {
    const top = topmost(unit.at, isLive) ?? `${unit.at} ${unit.id}`;
    const group = groups.get(top);
    if (group === undefined) groups.set(top, [unit]);
    else group.push(unit);
  }
  return [...groups].flatMap(([top, units]) => {
    const [first] = units;
    if (first === undefined) return [];
    if (units.length === 1) return [{ pointer: first.pointer, name: nameOf(first) }];
    return [{ pointer: first.pointer, name: top, units: units.length }];
  });
}

/** The shortest part of a path at which nothing was seen; lists and maps have no place of their own. */
function topmost(at: string, isLive: (at: string) => boolean): string | undefined {
  for (let end = at.indexOf('/', at.indexOf('/') + 1); at.includes('/'); end = at.indexOf('/', end + 1)) {
    const part = end === -1 ? at : at.slice(0, end);
    if (!isAnonymous(part) && !isLive(part)) return part;
    if (end === -1) return undefined;
  }
  return undefined;
}

function nameOf({ at, value }: ValueUnit): string {
  return value === undefined ? at : `${at.trimEnd()}: ${previewValue(value)}`;
}

function statusKey(status: string): string {
  return `status ${status}`;
}

function parameterKey({ pointer }: Parameter): string {
  return `parameter ${pointer}`;
}

function sideOf({ in: place, name, pointer }: Parameter): Side {
  return { title: `${place} parameter ${name}`, key: pointer };
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

/** The schemas of a body, told apart by the media type where there are several. */
function rootsOf(
  title: string,
  content: readonly MediaTypeEntry[],
  isTaken: (entry: MediaTypeEntry) => boolean,
): Root[] {
  return jsonSchemas(content, isTaken).map((schema, index) => {
    const type = content.find((entry) => entry.schema === schema)?.mediaType ?? '';
    // No slash: what is before the first one is the title.
    return { schema, title: index === 0 ? `${title} ` : `${title} as ${type.replaceAll('/', ' ')} ` };
  });
}

function parameterRoots(parameter: Parameter): Root[] {
  return parameter.schema === undefined ? [] : [{ schema: parameter.schema, title: `${sideOf(parameter).title} ` }];
}
