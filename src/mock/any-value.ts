import type { JsonValue } from '../json/json-value';
import type { Parameter, Property } from '../openapi/model';

const ANYTHING = new Set(['all', 'any', '*', 'everything']);

/** Is it a word for whatever value there is? */
export function meansAnything(word: string): boolean {
  return ANYTHING.has(word.toLowerCase());
}

/**
 * Does the value of a filter mean whatever value? `state=all` wants items in every state, unless `all` is a state, or a
 * text that items may have.
 *
 * @param property - that the filter compares; `undefined` where it looks inside objects
 */
export function isAnything(parameter: Parameter, property: Property | undefined, value: JsonValue): boolean {
  const [word, ...more]: readonly JsonValue[] = Array.isArray(value) ? value : [value];
  if (typeof word !== 'string' || more.length > 0 || !meansAnything(word)) return false;
  const words = property?.schema['enum'];
  if (Array.isArray(words)) return !words.includes(word);
  const type = property?.schema['type'];
  return word === '*' || (type !== undefined && type !== 'string') || offers(parameter, word);
}

/** Does the parameter list the word, or its description quote it? */
function offers({ schema, items, description = '' }: Parameter, word: string): boolean {
  const listed = schema?.value['enum'] ?? items?.['enum'];
  if (Array.isArray(listed)) return listed.includes(word);
  return ['`', "'", '"'].some((quote) => description.includes(`${quote}${word}${quote}`));
}
