import { foldedName, singular, wordsOf } from '../core/text/inflection';
import type { JsonValue } from '../core/json/json-value';
import { isStateName } from '../openapi/naming/states';
import { typesOf } from '../openapi/view/schema-view';
import { statesAmong } from '../resources/actions/action-effects';
import type { ResourceDescription } from '../resources/model/resource';
import type { Happening } from '../resources/overrides/statements';

/** Words of a name that say nothing of what happens. */
export const NOISE =
  /^(?:on|events?|web|webhooks?|hooks?|callbacks?|notif(?:y|ies|ication|ications)|alerts?|messages?|data|payload|results?|response|urls?|v\d+|is|was|has|been|be|after|when|the|a|an)$/;
const CREATED = new Set(
  'created create creation new added add inserted registered placed uploaded submitted received raised issued opened posted'.split(
    ' ',
  ),
);
export const CHANGED = new Set(
  'changed change changes updated update updates modified edited patched replaced transition transitioned'.split(' '),
);
const REMOVED = new Set('removed remove deleted delete deletion destroyed destroy'.split(' '));

export const HAPPENING_WORDS: readonly (readonly [words: ReadonlySet<string>, on: Happening])[] = [
  [CREATED, 'created'],
  [CHANGED, 'changed'],
  [REMOVED, 'removed'],
];

/** Where the words of a noun stand one behind the other among others, in the singular or in the plural. */
export function placeOf(
  noun: readonly string[],
  words: readonly string[],
): { readonly start: number; readonly length: number } | undefined {
  const isHere = (start: number): boolean =>
    noun.every((word, index) => {
      const other = words[start + index];
      return other !== undefined && singular(other) === singular(word);
    });
  const start = noun.length === 0 ? -1 : words.findIndex((_, index) => isHere(index));
  return start === -1 ? undefined : { start, length: noun.length };
}

/** The property that words name, or the one that holds the state. */
export function propertyNamed({ properties }: ResourceDescription, words: readonly string[]): string | undefined {
  const wanted = foldedName(words.join('_'));
  const names = [...properties.keys()];
  const isOfState = words.length === 1 && isStateName(words[0] ?? '');
  return names.find((name) => foldedName(name) === wanted) ?? (isOfState ? names.find(isStateName) : undefined);
}

interface NamedState {
  readonly text: string;
  readonly property: string;
  readonly value?: JsonValue;
}

/** The state that words name: one that an enum lists, a flag of that name, or the time at which it came to it. */
export function stateOf({ properties }: ResourceDescription, words: readonly string[]): NamedState | undefined {
  const wanted = stemOf(words.join(''));
  if (wanted === '') return undefined;
  for (const { member, words: states } of statesAmong(properties)) {
    const value = states.find((state) => stemOf(wordsOf(state).join('')) === wanted);
    if (value !== undefined) return { text: `and "${value}", which ${member} may be`, property: member, value };
  }
  for (const { name, schema } of properties.values()) {
    const own = wordsOf(name);
    const bare = own.filter((word) => word !== 'is' && word !== 'at' && word !== 'on').join('');
    if (stemOf(bare) !== wanted) continue;
    if (typesOf(schema).includes('boolean'))
      return { text: `and ${name}, which is true then`, property: name, value: true };
    if (own.at(-1) === 'at' || own.at(-1) === 'on')
      return { text: `and ${name}, which is the time of it`, property: name };
  }
  return undefined;
}

/** What a resource is called: as its path does, and as its schema does. */
export function nounsOf({ name, schema }: ResourceDescription): (readonly string[])[] {
  const [, component] = /^\/components\/schemas\/([^/]+)$/.exec(schema.pointer) ?? [];
  return [wordsOf(name), ...(component === undefined ? [] : [wordsOf(component)])];
}

/** Words of the literals of a path, in the singular. */
export function pathWords(path: string): Set<string> {
  const literals = path.split('/').filter((segment) => !segment.startsWith('{'));
  return new Set(literals.flatMap(wordsOf).map(singular));
}

/** `cancelled`, `canceled` and `cancel` are one. */
function stemOf(word: string): string {
  return word
    .replace(/(?:ed|ing|e|d|s)$/, '')
    .replace(/([a-z])\1$/, '$1')
    .replaceAll('ll', 'l');
}
