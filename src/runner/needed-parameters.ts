import { answersTo, isNeeded } from '../checks/request/parameters';
import { headerValue } from '../http/headers';
import type { HttpRequest, RawHeaders } from '../http/message';
import { decodeQueryComponent } from '../http/request-target';
import type { JsonValue } from '../json/json-value';
import { encodeParameter } from '../openapi/encode-parameter';
import type { Operation, Parameter } from '../openapi/model';

/** What a request had beside its path and its body. */
export interface SentParameters {
  /** Pairs of the query, as they were sent. */
  readonly query: readonly string[];
  readonly headers: RawHeaders;
}

export function sentParameters({ target, rawHeaders }: HttpRequest): SentParameters {
  return { query: queryPairs(target), headers: rawHeaders };
}

/**
 * What an operation asks for in its query and its headers (`required`, OAS 3.0.3 §4.7.12.1), with the values of another
 * request about the same thing: the version of an API, a tenant. Without such a value it is what the description has by
 * default, or the only one that it allows.
 *
 * @param given - what the call has already
 * @param like - of the other request; `undefined` where there is none
 */
export function neededParameters(
  operation: Operation,
  given: SentParameters,
  like: SentParameters | undefined,
): SentParameters {
  const needed = operation.parameters.filter(isNeeded);
  const inQuery = needed.filter((each) => each.in === 'query' && pairsFor(each, given.query).length === 0);
  const inHeaders = needed.filter(
    (each) => each.in === 'header' && headerValue(given.headers, each.name) === undefined,
  );
  return {
    query: inQuery.flatMap((parameter) => {
      const pairs = pairsFor(parameter, like?.query ?? []);
      return pairs.length > 0 ? pairs : textsOf(parameter);
    }),
    headers: inHeaders.flatMap((parameter) => {
      const text = headerValue(like?.headers ?? [], parameter.name) ?? textsOf(parameter)[0];
      return text === undefined ? [] : [parameter.name, text];
    }),
  };
}

/** @param target - a path with its query */
export function queryPairs(target: string): string[] {
  const [, query = ''] = target.split('?');
  return query.split('&').filter((pair) => pair !== '');
}

function pairsFor(parameter: Parameter, pairs: readonly string[]): string[] {
  return pairs.filter((pair) => answersTo(parameter, decodeQueryComponent(pair.split('=', 1)[0] ?? '') ?? ''));
}

function textsOf(parameter: Parameter): string[] {
  const { default: usual, enum: choices } = parameter.schema?.value ?? {};
  const only = Array.isArray(choices) && choices.length === 1 ? (choices[0] as JsonValue) : undefined;
  const value = usual ?? only;
  return value === undefined ? [] : [...encodeParameter(parameter, value)];
}
