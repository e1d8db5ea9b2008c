import type { JsonValue } from '../../core/json/json-value';
import type { Operation, Property } from '../../openapi/model/operation';
import { wordsOf } from '../../core/text/inflection';
import {
  isStateName,
  orderedByText,
  stageOf,
  stateObjects,
  withFlags,
  wordPosition,
} from '../../openapi/naming/states';
import type { Action, PropertyAssignment } from '../model/binding';
import { requestSchema } from '../../openapi/view/operation-bodies';
import { typesOf, type SchemaView } from '../../openapi/view/schema-view';
import { effectOf, timestampsOf } from './verb-effects';

/** Verbs after which there is another item, like the first or in response to it. */
const COPIES = new Set(['copy', 'clone', 'duplicate', 'fork', 'copies', 'clones', 'duplicates']);
const REPLIES = new Set(['reply', 'replies', 'forward', 'respond', 'children', 'child']);
/** Verbs that lead on from where a thing begins. */
const LEADS_ON = new Set(
  'finalize finalise submit start launch release begin confirm approve issue send process run execute'.split(' '),
);
/** Verbs for an end that leaves the thing where it is. */
const ENDS_ONLY = new Set(
  'cancel close archive deactivate disable void revoke expire terminate suspend end abort abandon'.split(' '),
);
const CHANGES =
  /\b(?:transition|mov|chang|switch|becom|set|go(?:es)?|turn|return|put|mark|updat)\w*\b[^.]{0,60}?\b(?:to|into|becomes?|as)\b(?<told>[^.]{0,60})/gi;
/** "The status is `GONE` when the removal is complete." */
const ENDS_AS =
  /\b(?:status|state)\s+(?:is|will be|becomes)\s+(?<told>[^.]{0,40}?)\s(?:when|once|after)\b[^.]{0,60}\b(?:complet|succe|finish|done)/gi;

/** What an action makes: a copy of the item or another one that belongs to it; `undefined` where it changes the item. */
export function creationByVerb(verb: string): Action['creates'] {
  const [word = ''] = wordsOf(verb);
  if (COPIES.has(word)) return 'copy';
  return REPLIES.has(word) ? 'other' : undefined;
}

/**
 * What an action makes of a state: the word that the verb names, else the one that its description says it leads to when
 * all goes well, else the next one in the life of the thing.
 */
export function effectOfAction(
  verb: string,
  operation: Pick<Operation, 'summary' | 'description'>,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): PropertyAssignment | undefined {
  return effectsOn(verb, operation, properties, view)[0] ?? nestedEffect(verb, operation, properties, view);
}

/**
 * Where items tell one state twice, both are set: under two names, `status` and `readyState` of the same words, and by a
 * flag, `status: cancelled` and `isCancelled: true`.
 */
export function withSynonymProperties(
  effect: PropertyAssignment,
  properties: ReadonlyMap<string, Property>,
  verb: string,
): PropertyAssignment[] {
  const wordsIn = (name: string): string => JSON.stringify(properties.get(name)?.schema['enum'] ?? name);
  const words = wordsIn(effect.property);
  const twins = [...properties.keys()].filter(
    (name) => name !== effect.property && wordsIn(name) === words && /(?:status|state)$/i.test(name),
  );
  const flags = [...properties].filter(
    ([name, { schema }]) => name !== effect.property && typesOf(schema).includes('boolean'),
  );
  const flag = effectOf(verb, new Map(flags));
  return [effect, ...twins.map((property) => ({ ...effect, property })), ...(flag === undefined ? [] : [flag])];
}

/** Verbs after which nothing is to come. */
const FINAL = new Set(['merge', 'complete', 'finish', 'resolve', 'close', 'cancel']);

/**
 * What a place below an item that is there or not, `/things/{id}/merge`, says of the item: the truth value of its name,
 * `merged`, and, once it is there, the state that its word names, or the only one for an end where nothing comes after it.
 */
export function effectsOfExistence(
  word: string,
  isThere: boolean,
  properties: ReadonlyMap<string, Property>,
): PropertyAssignment[] {
  const flags = [...properties].filter(([, { schema }]) => typesOf(schema).includes('boolean'));
  const flag = effectOf(word, new Map(flags));
  if (flag === undefined) return [];
  const states = [...properties].filter(([name]) => isStateName(name));
  const named = effectOf(word, new Map(states));
  const ends = statesAmong(new Map(states)).map(({ member: property, words }) => ({
    member: property,
    words: words.filter((each) => stageOf(each) === 'end'),
  }));
  const [end] = FINAL.has(word) ? ends.filter(({ words }) => words.length === 1) : [];
  const last = end === undefined ? undefined : { property: end.member, value: end.words[0] ?? null };
  const state = isThere ? (named ?? last) : undefined;
  return [{ ...flag, value: isThere === flag.value }, ...(state === undefined ? [] : [state])];
}

/** Words that switch a thing that a word behind them names: `enable_backups`. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ['enable', true],
  ['activate', true],
  ['disable', false],
  ['deactivate', false],
]);

/**
 * What a word for an action plainly makes of the thing that it is done to: `power_off` and `status: off`, `disable` and
 * `enabled: false`, `enable_backups` and `backups: true`, `lock_box` of a box.
 *
 * @param thing - what the thing is called
 */
export function effectOfWord(
  word: string,
  thing: string,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): PropertyAssignment | undefined {
  const [verb = '', ...rest] = wordsOf(word);
  const told = { summary: '', description: '' };
  if (rest.length === 0 || rest.join('') === wordsOf(thing).join(''))
    return effectOfAction(verb, told, properties, view);
  return switched(verb, rest.join(''), properties) ?? stateByMeaning(word, properties);
}

/**
 * What an operation whose words begin so makes of a flag: "Enable DNSSEC" and `enabled: true`, "Disables auto renewal" of
 * `/domains/{domain}/auto_renewal` and `auto_renew: false`.
 *
 * @param noun - what its path calls what is switched
 */
export function switchOf(
  operation: Operation,
  noun: string,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): PropertyAssignment | undefined {
  const { summary, id, description } = operation;
  const texts = [summary, description, wordsOf(id).join(' ')];
  // "Enable or disable" does what the body says.
  if (texts.some((text) => /^\W*\w+\s*(?:\b(?:or|and)\b|\/)/i.test(text))) return undefined;
  const first = texts.map((text) => (wordsOf(text)[0] ?? '').replace(/s$/, ''));
  const verb = first.find((word) => SWITCHES.has(word));
  if (verb === undefined) return undefined;
  const flags = new Map([...properties].filter(([, { schema }]) => typesOf(schema).includes('boolean')));
  const flag = switched(verb, wordsOf(noun).join(''), flags) ?? effectOf(verb, flags);
  const taken = view.unwrap(requestSchema(operation));
  // What a client says itself goes before a word.
  const isSent = flag !== undefined && taken !== undefined && view.properties(taken).has(flag.property);
  return isSent ? undefined : flag;
}

function switched(
  verb: string,
  noun: string,
  properties: ReadonlyMap<string, Property>,
): PropertyAssignment | undefined {
  const value = SWITCHES.get(verb);
  const about = (name: string): string =>
    wordsOf(name)
      .filter((each) => !/^(?:is|has|enabled?|active)$/.test(each))
      .join('');
  const flag = [...properties.values()].find(
    ({ name, schema }) => typesOf(schema).includes('boolean') && isSameNoun(about(name), noun),
  );
  return flag === undefined || value === undefined ? undefined : { property: flag.name, value };
}

/** `renew` and `renewal`: is one the beginning of the other, but for an ending? */
function isSameNoun(left: string, right: string): boolean {
  const [short = '', long = ''] = [left, right].sort((one, other) => one.length - other.length);
  return left === right || (short.length > 3 && long.startsWith(short) && long.length - short.length < 3);
}

/** What a verb may make of properties, the likeliest first. */
function effectsOn(
  verb: string,
  operation: Pick<Operation, 'summary' | 'description'>,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): PropertyAssignment[] {
  const ways = [
    effectOf(verb, properties, view),
    documentedEffect(operation, properties),
    nextState(verb, properties),
    stateByMeaning(verb, properties),
  ];
  return ways.filter((effect) => effect !== undefined);
}

/** The same of a state that stands in a part of the item, `state: { status, running }`; flags beside it go with it. */
function nestedEffect(
  verb: string,
  operation: Pick<Operation, 'summary' | 'description'>,
  properties: ReadonlyMap<string, Property>,
  view: SchemaView,
): PropertyAssignment | undefined {
  for (const part of stateObjects(properties, view)) {
    const effects = effectsOn(verb, operation, part.properties, view);
    for (const { property, value } of effects)
      if (typeof value === 'string')
        return { property: part.name, value: withFlags(part, property, value), isMerged: true };
    const [flag] = effects;
    if (flag !== undefined) return { property: part.name, value: { [flag.property]: flag.value }, isMerged: true };
  }
  return undefined;
}

/** What is set going, and what comes to rest, may be called in several ways, the likeliest first. */
const GOING = 'running started active online up on available inservice enabled open'.split(' ');
const RESTING =
  'stopped exited terminated off poweroff poweredoff shutoff shutdown offline inactive halted down dead'.split(' ');
const SETS_GOING =
  /^(?:start|run|boot|launch|resume|continue|unpause|unsuspend|wake|restart|reboot|reset|poweron|poweringon|turnon|switchon)$/;
const LAYS_TO_REST = /^(?:stop|kill|halt|shutdown|poweroff|turnoff|switchoff|deallocate|quit)$/;

/** The word for a thing that runs after a verb that sets it going, and for one that does not after one that stops it. */
function stateByMeaning(verb: string, properties: ReadonlyMap<string, Property>): PropertyAssignment | undefined {
  const folded = wordsOf(verb).join('');
  const wanted = SETS_GOING.test(folded) ? GOING : LAYS_TO_REST.test(folded) ? RESTING : [];
  for (const { member: property, words } of wanted.length === 0 ? [] : statesAmong(properties)) {
    const found = wanted.flatMap((each) => words.find((word) => wordsOf(word).join('') === each) ?? [])[0];
    if (found !== undefined) return { property, value: found };
  }
  return undefined;
}

/** What a DELETE does that says that the thing ends and stays: "Cancels a subscription". */
export function endingAction(operation: Operation, properties: ReadonlyMap<string, Property>): Action | undefined {
  for (const verb of endingVerbs(operation)) {
    const sets = effectOf(verb, properties);
    if (sets !== undefined)
      return { verb, assignments: [sets], timestamps: timestampsOf(verb, properties), mergesBody: false };
  }
  return undefined;
}

/** Words for that a thing goes, and not only what is called its own: "deletes its billing information". */
const REMOVES = /\b(?:delet|remov|destroy|eras)\w*\b(?! (?:all |any )?(?:of )?(?:its|their)\b)/i;

function endingVerbs({ id, summary, description }: Operation): string[] {
  const first = plainText(description).split(/(?<=[.!?])\s/)[0] ?? '';
  const texts = [summary, first];
  if (texts.some((text) => REMOVES.test(text))) return [];
  // "Immediately expires it."
  const verbs = texts.map((text) => wordsOf(text).find((word) => !word.endsWith('ly')) ?? '');
  return [...verbs, wordsOf(id)[0] ?? '']
    .flatMap((word) => [word, word.replace(/s$/, ''), word.replace(/es$/, 'e')])
    .filter((word) => ENDS_ONLY.has(word));
}

function documentedEffect(
  { summary, description }: Pick<Operation, 'summary' | 'description'>,
  properties: ReadonlyMap<string, Property>,
): PropertyAssignment | undefined {
  const sentences = `${summary}. ${plainText(description)}`.split(/(?<=[.!?])\s+/);
  const found = statesAmong(properties).flatMap(({ member: property, words }) =>
    sentences.flatMap((sentence) =>
      [CHANGES, ENDS_AS]
        .flatMap((pattern) => [...sentence.matchAll(pattern)])
        .flatMap(({ groups }) => {
          const told = groups?.['told'] ?? '';
          const [value] = words
            .filter((word) => wordPosition(word, told) !== -1)
            .sort((left, right) => wordPosition(left, told) - wordPosition(right, told));
          return value === undefined ? [] : [{ member: property, value, goodness: successScore(sentence) }];
        }),
    ),
  );
  const best = found.sort((left, right) => right.goodness - left.goodness)[0];
  return best === undefined || best.goodness < 0 ? undefined : { property: best.member, value: best.value };
}

/** Where a sentence speaks of when all goes well, or of any time at all; below 0 where it speaks of another case. */
function successScore(sentence: string): number {
  if (/\b(?:fail|declin|reject|error|invalid|expire|unless|cannot|requires? additional)\w*/i.test(sentence)) return -2;
  if (/succe|complet/i.test(sentence)) return 2;
  return /\b(?:if|when|once|after)\b/i.test(sentence) ? -1 : 1;
}

function nextState(verb: string, properties: ReadonlyMap<string, Property>): PropertyAssignment | undefined {
  const [word = ''] = wordsOf(verb);
  if (!LEADS_ON.has(word)) return undefined;
  for (const { member: property, words } of statesAmong(properties)) {
    const { schema } = properties.get(property) ?? {};
    const said = typeof schema?.['description'] === 'string' ? [schema['description']] : [];
    const lived = orderedByText(words, said);
    const [first = '', second] = lived;
    if (second !== undefined && stageOf(first) === 'beginning' && stageOf(second) !== 'end')
      return { property, value: second };
  }
  return undefined;
}

/** The properties that hold a state, with the words that an enum lists for it. */
export function statesAmong(properties: ReadonlyMap<string, Property>): { member: string; words: string[] }[] {
  return [...properties.values()].flatMap(({ name, schema }) => {
    const listed: JsonValue | undefined = schema['enum'];
    const words = Array.isArray(listed) ? listed.filter((word) => typeof word === 'string') : [];
    return isStateName(name) && words.length > 1 ? [{ member: name, words }] : [];
  });
}

/** Descriptions may be HTML. */
function plainText(text: string): string {
  return text.replaceAll(/<[^<>]*>/g, '').replaceAll(/\s+/g, ' ');
}
