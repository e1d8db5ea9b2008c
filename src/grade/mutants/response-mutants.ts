import type { HttpResponse } from '../../core/http/message';
import { joinPointer } from '../../core/json/json-pointer';
import { isJsonObject, type JsonObject, type JsonValue, valueAlong } from '../../core/json/json-value';
import type { Operation } from '../../openapi/model/operation';
import { successes, successSchema } from '../../openapi/view/operation-bodies';
import { codeProperty, commonErrorContent } from '../../openapi/view/responses';
import { samplerOf } from '../../payload/sampler/sampler';
import type { BodyShape } from '../../lists/body-shape';
import { type Exchange, type GradedApi, isSuccess, jsonIn, type Mutant, withJson } from './mutant';
import { editAt, otherValue, type Place, placesOf, textOf } from './places';

type Change = (response: HttpResponse, exchange: Exchange) => HttpResponse;

/** A service that sends another response than the one that it should. */
export function sending(change: Change): Mutant['defect'] {
  return {
    kind: 'exchange',
    answer: async (exchange) => change(await exchange.send(exchange.request), exchange),
  };
}

/** Other statuses that people send by mistake. */
const CONFUSED: Readonly<Record<number, number>> = {
  400: 500,
  401: 403,
  403: 401,
  404: 400,
  409: 400,
  410: 404,
  412: 409,
  415: 400,
  422: 400,
};

export function* otherStatuses({ api }: GradedApi): Generator<Mutant> {
  for (const operation of api.operations) {
    for (const { status: written, pointer } of operation.responses.values()) {
      const status = Number(written);
      const other = status < 300 ? (status === 200 ? undefined : 200) : CONFUSED[status];
      if (other === undefined) continue;
      const to = operation.method === 'POST' && status === 200 ? 201 : other;
      yield {
        id: `other-status ${operation.id} ${written}`,
        words: `its ${written} is a ${to}`,
        pointer,
        operations: new Set([operation.id]),
        defect: sending((response) => (response.status === status ? { ...response, status: to } : response)),
      };
    }
  }
}

/** What is not there is answered as if it were: nothing to read, nothing left to remove. */
export function* missesForgiven({ api }: GradedApi): Generator<Mutant> {
  for (const operation of api.operations) {
    const { method, responses } = operation;
    const pointer = responses.get('404')?.pointer;
    if (pointer === undefined) continue;
    const status = Number(successes(operation)[0]?.status ?? (method === 'DELETE' ? 204 : 200)) || 200;
    yield {
      id: `miss-forgiven ${operation.id}`,
      words: `what is not there is no error: ${status} in place of 404`,
      pointer,
      operations: new Set([operation.id]),
      defect: sending((response) => {
        if (response.status !== 404) return response;
        return status === 204 ? { status, headers: [], body: undefined } : withJson({ ...response, status }, null);
      }),
    };
  }
}

export function* errorsAsSuccesses({ api }: GradedApi): Generator<Mutant> {
  yield {
    id: 'errors-as-200',
    words: 'errors are sent with the status 200',
    pointer: commonErrorContent(api)?.pointer ?? '/paths',
    operations: undefined,
    defect: sending((response) => (response.status >= 400 ? { ...response, status: 200 } : response)),
  };
}

/** Properties that errors should have, and codes that clients tell them apart by. */
export function* otherErrors({ api }: GradedApi): Generator<Mutant> {
  const schema = commonErrorContent(api)?.schema;
  if (schema === undefined) return;
  for (const { path, node } of placesOf(samplerOf(api).nodeOf(schema, 'response'))) {
    yield {
      id: `error-without ${textOf(path)}`,
      words: `errors have no ${textOf(path)}`,
      pointer: node.pointer,
      operations: undefined,
      defect: sending(changingErrors(path, () => undefined)),
    };
  }
  const code = codeProperty(api, schema);
  if (code === undefined) return;
  for (const operation of api.operations.filter(({ responses }) => [...responses.keys()].some(isErrorStatus))) {
    yield {
      id: `other-code ${operation.id}`,
      words: `its errors have another ${code}`,
      pointer: operation.pointer,
      operations: new Set([operation.id]),
      defect: sending(changingErrors([code], (value) => (typeof value === 'string' ? `other_${value}` : value))),
    };
  }
}

export function isErrorStatus(status: string): boolean {
  return status.startsWith('4');
}

function changingErrors(path: readonly string[], edit: (value: JsonValue) => JsonValue | undefined): Change {
  return (response) => (response.status < 400 ? response : changingBody(path, edit)(response));
}

function changingBody(path: readonly string[], edit: (value: JsonValue) => JsonValue | undefined) {
  return (response: HttpResponse): HttpResponse => {
    const value = jsonIn(response);
    const changed = value === undefined ? undefined : editAt(value, path, edit);
    return changed === undefined || changed === value ? response : withJson(response, changed);
  };
}

/** Properties of the successes of all operations, each with the places that it has. */
function* shownPlaces({ api }: GradedApi): Generator<{ readonly operation: Operation; readonly place: Place }> {
  for (const operation of api.operations) {
    const schema = successSchema(operation);
    if (schema === undefined) continue;
    for (const place of placesOf(samplerOf(api).nodeOf(schema, 'response'))) yield { operation, place };
  }
}

export function* lostProperties(graded: GradedApi): Generator<Mutant> {
  for (const { operation, place } of shownPlaces(graded)) yield propertyMutant('without', operation, place);
}

export function* otherValues(graded: GradedApi): Generator<Mutant> {
  for (const { operation, place } of shownPlaces(graded)) yield propertyMutant('other-value', operation, place);
}

function propertyMutant(kind: 'without' | 'other-value', operation: Operation, { path, node }: Place): Mutant {
  const at = textOf(path);
  const edit = kind === 'without' ? () => undefined : (value: JsonValue) => otherValue(node, value) ?? value;
  const change = changingBody(path, edit);
  return {
    id: `${kind} ${operation.id} ${at}`,
    words: kind === 'without' ? `its response has no ${at}` : `its response has another value as ${at}`,
    pointer: node.pointer,
    operations: new Set([operation.id]),
    defect: sending((response) => (isSuccess(response) ? change(response) : response)),
  };
}

const LIST_CHANGES: readonly {
  readonly id: string;
  readonly words: string;
  readonly edit: (items: JsonValue[]) => JsonValue[];
  /** Is it a defect only where an order is documented? */
  readonly isOfOrder?: true;
}[] = [
  { id: 'list-without-last', words: 'its last item is left out', edit: (items) => items.slice(0, -1) },
  { id: 'list-with-twin', words: 'its first item comes twice', edit: (items) => [...items.slice(0, 1), ...items] },
  {
    id: 'list-reversed',
    words: 'its items come in the reverse order',
    edit: (items) => items.toReversed(),
    isOfOrder: true,
  },
];

/** Lists that leave something out, show it twice, or in another order. */
export function* otherLists({ model }: GradedApi): Generator<Mutant> {
  for (const { operation, response, parameters } of model.bindings.values()) {
    if (response?.form !== 'list') continue;
    // Where nothing is said of an order, every order is right.
    const isOrdered = parameters.sort !== undefined || parameters.documentedOrder !== undefined;
    for (const { id, words, edit } of LIST_CHANGES.filter((change) => isOrdered || change.isOfOrder !== true)) {
      yield {
        id: `${id} ${operation.id}`,
        words,
        pointer: operation.pointer,
        operations: new Set([operation.id]),
        defect: sending((sent) => (isSuccess(sent) ? withItems(sent, response, edit) : sent)),
      };
    }
  }
}

function withItems(
  response: HttpResponse,
  { path }: BodyShape,
  edit: (items: JsonValue[]) => JsonValue[],
): HttpResponse {
  const value = jsonIn(response);
  const items = valueAlong(value, path);
  if (value === undefined || !Array.isArray(items) || items.length === 0) return response;
  return withJson(
    response,
    editAt(value, path, () => edit(items)),
  );
}

/** What only requests should have is shown, and what no schema allows. */
export function* leakedProperties({ model }: GradedApi): Generator<Mutant> {
  for (const binding of model.bindings.values()) {
    const { operation, resource, response } = binding;
    const secret = [...resource.properties.values()].find(({ writeOnly }) => writeOnly);
    const schema = successSchema(operation);
    if (schema === undefined || response?.form !== 'item') continue;
    const isClosed = response.item?.value['additionalProperties'] === false;
    if (secret === undefined && !isClosed) continue;
    const name = secret?.name ?? 'internal';
    yield {
      id: `leaked ${operation.id} /${name}`,
      words: `its response has a ${name} that it should not show`,
      pointer: secret?.pointer ?? joinPointer(schema.pointer, 'additionalProperties'),
      operations: new Set([operation.id]),
      defect: sending((sent) => (isSuccess(sent) ? withProperty(sent, response.path, name) : sent)),
    };
  }
}

function withProperty(response: HttpResponse, path: readonly string[], name: string): HttpResponse {
  const value = jsonIn(response);
  const item = valueAlong(value, path);
  if (value === undefined || !isJsonObject(item)) return response;
  const leaked: JsonObject = { ...item, [name]: 'leaked' };
  return withJson(
    response,
    editAt(value, path, () => leaked),
  );
}
