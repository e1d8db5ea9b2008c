import type { JsonValue } from '../../core/json/json-value';
import type { Property } from '../../openapi/model/operation';
import { isIrregular, participles, wordsOf } from '../../core/text/inflection';
import type { PropertyAssignment } from '../model/binding';
import { typesOf, type SchemaView } from '../../openapi/view/schema-view';
import { isStateName, statesInProse } from '../../openapi/naming/states';

/** Verbs that take back another one: `unlock` makes `locked` false. */
const OPPOSITE = /^(?:un|de|dis)/;
/** Verbs that do again what the rest of them says: `reactivate` leads to `active`. */
const AGAIN = /^re(?=(?:activate|open|enable|publish|start|connect|assign|confirm|approve)$)/;

/** Does a verb bring something back to where it was: `reactivate`, `unpause`, `restore`? */
export function leadsBack(verb: string): boolean {
  const [word = ''] = wordsOf(verb);
  return AGAIN.test(word) || /^(?:un[a-z]{3,}|resume|continue|restore|reinstate|recover|revert)$/.test(word);
}

/**
 * What a verb makes of an item: the value of an enum that is its participle (`cancel` and `status: cancelled`), or the
 * boolean that it switches (`archive` and `archived: true`, `disable` and `enabled: false`, `enable` and `disabled: false`).
 */
export function effectOf(
  verb: string,
  properties: ReadonlyMap<string, Property>,
  view?: Pick<SchemaView, 'enumOfNamedSchema'>,
): PropertyAssignment | undefined {
  const [word = ''] = wordsOf(verb);
  const stems = [...participles(word), ...(AGAIN.test(word) ? participles(word.replace(AGAIN, '')) : [])];
  const base = word.replace(OPPOSITE, '');
  // `deactivate` leads to `inactive`.
  const ends = [...stems, ...(base === word ? [] : participles(base).map((stem) => `in${stem}`))];
  for (const property of properties.values()) {
    const { name } = property;
    const words = stateWords(property, view);
    const value = words.find((text) => ends.includes(wordsOf(text).join('')));
    if (value !== undefined) return { property: name, value };
  }
  const opposites =
    base === word
      ? [...participles(`dis${word.replace(/^en/, '')}`), ...participles(`un${word}`)]
      : [...participles(base), ...participles(`en${base}`), ...participles(`a${base}`)];
  for (const { name, schema } of properties.values()) {
    if (!typesOf(schema).includes('boolean')) continue;
    const state = wordsOf(name)
      .filter((part) => part !== 'is' && part !== 'has')
      .join('');
    if (stems.includes(state)) return { property: name, value: true };
    if (opposites.includes(state)) return { property: name, value: false };
  }
  return undefined;
}

/** Properties that tell when it happened: `publish` and `publishedAt`, but not `publishAt`, which may be still to come. */
export function timestampsOf(verb: string, properties: ReadonlyMap<string, Property>): string[] {
  const [word = ''] = wordsOf(verb);
  const stems = participles(word).filter((stem) => stem !== word || isIrregular(word));
  return [...properties.values()].flatMap(({ name, schema }) => {
    const parts = [...wordsOf(name)];
    const isTime = ['at', 'on', 'date', 'time'].includes(parts.pop() ?? '');
    const isDate = schema['format'] === 'date-time' || schema['format'] === 'date';
    return isTime && isDate && stems.includes(parts.join('')) ? [name] : [];
  });
}

function stateWords(property: Property, view: Pick<SchemaView, 'enumOfNamedSchema'> | undefined): string[] {
  const { name, schema } = property;
  const listed = enumOf(schema['enum']);
  if (listed.length > 0) return listed;
  const told = statesInProse(name, schema);
  return told.length > 1 || !isStateName(name) ? told : (view?.enumOfNamedSchema(property) ?? []);
}

function enumOf(values: JsonValue | undefined): string[] {
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}
