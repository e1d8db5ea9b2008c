import { placeholdersOf, RUN_ID, type Step } from '../../formats/contract/contract';
import type { JsonValue } from '../../core/json/json-value';
import { isJsonNumber } from '../../core/json/exact-number';
import type { Recipe, SentRequest } from '../result/run-result';

// Letters and underscores alone: such a text is the same in a URL, a header and a JSON string.
const PREFIX = 'standin_captured_';
const SUFFIX = '_value';

type Values = ReadonlyMap<string, JsonValue>;

/** The values of a step with a mark for each one that differs between runs. */
export function markedValues(step: Step, values: Values): Values {
  const marked = new Map(values);
  for (const name of usedBy(step)) marked.set(name, `${PREFIX}${name}${SUFFIX}`);
  return marked;
}

/**
 * A request made of marked values, as a recipe: each mark becomes a shell variable, `$name`. In a JSON body a number
 * stands without the quotes that its mark had.
 *
 * @param values - what the marks stand for
 * @param pathParameter - text of a path parameter of the marked request
 */
export function toRecipe(
  step: Step,
  marked: SentRequest,
  values: Values,
  pathParameter: (name: string) => string | undefined,
): Recipe {
  const { request: uses, expected } = namesOf(step);
  const fill = (text: string): string => uses.reduce((filled, name) => unmark(filled, name, values.get(name)), text);
  const { method, url, headers, body } = marked;
  return {
    request: { method, url: fill(url), headers: headers.map(fill), body: body === undefined ? undefined : fill(body) },
    uses,
    ...(expected.length === 0 ? {} : { expects: expected }),
    captures: step.captures.map(({ name, text, pattern, expression }) => {
      // Which segment of the path it is cannot be seen in the request any more.
      const value = expression.kind === 'request-path' ? pathParameter(expression.name) : undefined;
      return {
        name,
        text,
        ...(pattern === undefined ? {} : { pattern }),
        ...(value === undefined ? {} : { value: fill(value) }),
      };
    }),
  };
}

function unmark(text: string, name: string, value: JsonValue | undefined): string {
  const mark = `${PREFIX}${name}${SUFFIX}`;
  const isBare = typeof value === 'boolean' || value === null || (value !== undefined && isJsonNumber(value));
  const bare = isBare ? text.replaceAll(`"${mark}"`, `\${${name}}`) : text;
  return bare.replaceAll(mark, `\${${name}}`);
}

interface Names {
  /** What the request uses. */
  readonly request: readonly string[];
  /** What the step expects of the response besides. */
  readonly expected: readonly string[];
}

const NAMES = new WeakMap<Step, Names>();

/** Names of captured values, and the name of the id of the run, that a request uses. */
export function usedBy(step: Step): readonly string[] {
  return namesOf(step).request;
}

function namesOf(step: Step): Names {
  const known = NAMES.get(step);
  if (known !== undefined) return known;
  const request = namesIn({ ...step, expect: { ...step.expect, body: undefined, headers: [] } });
  const expected = namesIn(step).filter((name) => name !== RUN_ID && !request.includes(name));
  const names = { request, expected };
  NAMES.set(step, names);
  return names;
}

function namesIn(step: Step): string[] {
  return [...new Set(placeholdersOf(step).map(({ name }) => name))];
}
