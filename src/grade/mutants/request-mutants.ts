import { parseQuery } from '../../core/http/request-target';
import type { HttpRequest } from '../../core/http/message';
import type { JsonValue } from '../../core/json/json-value';
import { isJsonNumber } from '../../core/json/exact-number';
import type { Operation, Parameter } from '../../openapi/model/operation';
import { jsonEntry } from '../../openapi/view/operation-bodies';
import { samplerOf } from '../../payload/sampler/sampler';
import { type GradedApi, type Mutant, sentJson, withoutSentHeader, withSentJson, withTarget } from './mutant';
import { editAt, placesOf, textOf } from './places';

/** A service that reads another request than the one that came. */
function reading(change: (request: HttpRequest) => HttpRequest): Mutant['defect'] {
  return { kind: 'exchange', answer: ({ request, send }) => send(change(request)) };
}

/** Parameters that are accepted and have no effect: filters, orders, pages, conditions, idempotency keys. */
export function* ignoredParameters({ api }: GradedApi): Generator<Mutant> {
  for (const operation of api.operations) {
    for (const parameter of operation.parameters.filter(({ in: place }) => place === 'query' || place === 'header')) {
      const { name, in: place } = parameter;
      yield {
        id: `ignored ${operation.id} ${place} ${name}`,
        words: `the ${place} parameter ${name} has no effect`,
        pointer: parameter.pointer,
        operations: new Set([operation.id]),
        defect: reading((request) => withoutParameter(request, parameter)),
      };
    }
  }
}

function withoutParameter(request: HttpRequest, { in: place, key, name }: Parameter): HttpRequest {
  if (place === 'header') return withoutSentHeader(request, key);
  return withQuery(request, (pair) => (isOf(pair, name) ? undefined : pair));
}

/** One of `a=1`, also as `a[]=1` and `a[b]=1`. */
function isOf(pair: string, name: string): boolean {
  const [sent] = parseQuery(pair);
  return sent?.name === name || sent?.name?.startsWith(`${name}[`) === true;
}

function withQuery(request: HttpRequest, edit: (pair: string) => string | undefined): HttpRequest {
  const [path = '', query] = request.target.split(/\?(.*)/s);
  if (query === undefined) return request;
  const pairs = query.split('&').flatMap((pair) => edit(pair) ?? []);
  return withTarget(request, pairs.length === 0 ? path : `${path}?${pairs.join('&')}`);
}

/** Pages that have one item more than was asked for. */
export function* longerPages({ model }: GradedApi): Generator<Mutant> {
  for (const { operation, parameters } of model.bindings.values()) {
    const { limit } = parameters;
    if (limit?.in !== 'query') continue;
    yield {
      id: `longer-page ${operation.id}`,
      words: `a page has one item more than ${limit.name} says`,
      pointer: limit.pointer,
      operations: new Set([operation.id]),
      defect: reading((request) => withQuery(request, (pair) => (isOf(pair, limit.name) ? oneMore(pair) : pair))),
    };
  }
}

function oneMore(pair: string): string {
  return pair.replace(/\d+$/, (number) => String(BigInt(number) + 1n));
}

/** What is sent and never stored. */
export function* lostInputs(graded: GradedApi): Generator<Mutant> {
  for (const { operation, path, pointer, isRequired } of sentPlaces(graded)) {
    if (isRequired) continue;
    yield {
      id: `lost ${operation.id} ${textOf(path)}`,
      words: `${textOf(path)} of its request is dropped`,
      pointer,
      operations: new Set([operation.id]),
      defect: reading((request) => editing(request, path, () => undefined)),
    };
  }
}

/** What is stored otherwise than it was sent: texts in other letters, numbers without their fractions, yes for no. */
export function* garbledInputs(graded: GradedApi): Generator<Mutant> {
  for (const { operation, path, pointer } of sentPlaces(graded)) {
    yield {
      id: `garbled ${operation.id} ${textOf(path)}`,
      words: `${textOf(path)} of its request is stored as something else`,
      pointer,
      operations: new Set([operation.id]),
      defect: reading((request) => editing(request, path, garble)),
    };
  }
}

function garble(value: JsonValue): JsonValue {
  if (typeof value === 'string') return value.toLowerCase() === value ? value.toUpperCase() : value.toLowerCase();
  if (typeof value === 'boolean') return !value;
  return isJsonNumber(value) && !Number.isInteger(value) ? Math.trunc(Number(value)) : value;
}

interface SentPlace {
  readonly operation: Operation;
  readonly path: readonly string[];
  readonly pointer: string;
  readonly isRequired: boolean;
}

function* sentPlaces({ api }: GradedApi): Generator<SentPlace> {
  for (const operation of api.operations) {
    const schema = jsonEntry(operation.requestBody?.content ?? [])?.schema;
    if (schema === undefined) continue;
    for (const { path, node, isRequired } of placesOf(samplerOf(api).nodeOf(schema, 'request')))
      yield { operation, path, isRequired, pointer: node.pointer };
  }
}

function editing(request: HttpRequest, path: readonly string[], edit: (value: JsonValue) => JsonValue | undefined) {
  const sent = sentJson(request);
  const edited = sent === undefined ? undefined : editAt(sent, path, edit);
  return edited === undefined || edited === sent ? request : withSentJson(request, edited);
}
