import { equalJson, type JsonValue } from '../../core/json/json-value';
import { once } from '../../core/text/memoize';
import { readExamples } from '../../openapi/model/examples';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Example, Operation, Parameter, ResponseSpec } from '../../openapi/model/operation';
import { valueAt } from '../../openapi/read/source-document';
import type { Call } from '../calls/call';

/**
 * Finds the response example that belongs to a request: it has the name of the examples that the description gives for
 * the parameters and the body, and these are what the request has. Of several names the one that most parts of the request match.
 *
 * @returns the name, or `undefined` where no named example matches the request
 */
export type FindExamplePair = (call: Call) => string | undefined;

/** Examples of one parameter, or of the body in one media type, by their names. */
interface RequestExamples {
  readonly valueIn: (call: Call) => JsonValue | undefined;
  readonly byName: ReadonlyMap<string, JsonValue>;
}

/** @returns `undefined` where the response has no two examples to choose from */
export function planExamplePairs(
  api: ApiModel,
  { parameters, requestBody }: Operation,
  success: ResponseSpec | undefined,
): FindExamplePair | undefined {
  const named = success?.content.flatMap(({ examples }) => examples.flatMap(({ name }) => name ?? [])) ?? [];
  const names = [...new Set(named)];
  if (names.length < 2) return undefined;
  const sources = once((): RequestExamples[] =>
    [
      ...parameters.map((parameter) => ({
        valueIn: (call: Call) => parameterValue(call, parameter),
        byName: valuesByName(parameterExamples(api, parameter)),
      })),
      ...(requestBody?.content ?? []).map(({ mediaType, examples }) => ({
        valueIn: (call: Call) => (call.mediaType === mediaType ? call.body : undefined),
        byName: valuesByName(examples),
      })),
    ].filter(({ byName }) => byName.size > 0),
  );
  return (call) => {
    let best: { readonly name: string; readonly count: number } | undefined;
    for (const name of names) {
      const count = countMatches(sources(), name, call);
      if (count > (best?.count ?? 0)) best = { name, count };
    }
    return best?.name;
  };
}

/** Returns how many parts of a request hold their example of a name; 0 if one of them holds something else. */
function countMatches(sources: readonly RequestExamples[], name: string, call: Call): number {
  const own = sources.flatMap(({ byName, valueIn }) => {
    const example = byName.get(name);
    const sent = valueIn(call);
    return example === undefined || sent === undefined ? [] : [equalJson(example, sent)];
  });
  return own.every(Boolean) ? own.length : 0;
}

function parameterValue({ parameters }: Call, { in: place, name }: Parameter): JsonValue | undefined {
  return place === 'querystring' ? undefined : parameters[place].get(name);
}

function parameterExamples(api: ApiModel, { pointer }: Parameter): readonly Example[] {
  const value = valueAt(api.document, pointer);
  return value === undefined ? [] : readExamples(api.document, { value, pointer });
}

function valuesByName(examples: readonly Example[]): ReadonlyMap<string, JsonValue> {
  return new Map(examples.flatMap(({ name, value }) => (name === undefined ? [] : [[name, value]])));
}
