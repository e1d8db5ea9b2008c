import type { Step } from '../formats/contract';
import { placeholdersOf } from '../formats/step-placeholders';
import { RUN_ID } from '../formats/contract';
import type { JsonValue } from '../json/json-value';
import { isJsonNumber } from '../json/exact-number';
import type { Recipe, SentRequest } from './run-result';

// Letters and underscores alone: such a text is the same in a URL, a header and a JSON string.
const PREFIX = 'standin_captured_';
const SUFFIX = '_value';

type Values = ReadonlyMap<string, JsonValue>;

/** The values of a step with a mark for each captured one. */
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
 */
export function toRecipe(step: Step, marked: SentRequest, values: Values): Recipe {
  const uses = usedBy(step);
  const fill = (text: string): string => uses.reduce((filled, name) => unmark(filled, name, values.get(name)), text);
  const { method, url, headers, body } = marked;
  return {
    request: { method, url: fill(url), headers: headers.map(fill), body: body === undefined ? undefined : fill(body) },
    uses,
    captures: step.captures.map(({ name, text }) => ({ name, text })),
  };
}

function unmark(text: string, name: string, value: JsonValue | undefined): string {
  const mark = `${PREFIX}${name}${SUFFIX}`;
  const isBare = typeof value === 'boolean' || value === null || (value !== undefined && isJsonNumber(value));
  const bare = isBare ? text.replaceAll(`"${mark}"`, `\${${name}}`) : text;
  return bare.replaceAll(mark, `\${${name}}`);
}

const USED = new WeakMap<Step, readonly string[]>();

/** Names of captured values that a request uses; what it expects of the answer is no part of it. */
export function usedBy(step: Step): readonly string[] {
  const known = USED.get(step);
  if (known !== undefined) return known;
  const names = namesIn(step);
  USED.set(step, names);
  return names;
}

function namesIn(step: Step): string[] {
  const names = placeholdersOf({ ...step, expect: { ...step.expect, body: undefined, headers: [] } });
  return [...new Set(names.map(({ name }) => name))].filter((name) => name !== RUN_ID);
}
