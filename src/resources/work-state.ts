import type { Property } from '../openapi/model';
import { typesOf, type SchemaReader } from './schema-reader';
import { beginningsAmong, isStateName, stageOf } from './state-words';
import { statesInProse } from './told-states';

/** How something tells how far work has come. */
export interface WorkState {
  /** Member that holds the state. */
  readonly state: string;
  /** Its first word, and the one after which all went well; truth values where it only tells whether the work is done. */
  readonly first: string | false;
  readonly last: string | true;
}

const GOOD = /^(?:succe|complet|finish|done$|processed$)/i;
const BAD = /fail|error|crash|fault/i;
/** What work is called that is asked for and then done. */
const WORK = /(?:^| )(?:action|operation|command|task)$/;
const DONE = /^(?:is_?)?(?:done|finished|completed?)$/i;

/** Is something with this name, in the singular, work that is asked for? */
export function isWork(name: string): boolean {
  return WORK.test(name);
}

/**
 * How items tell how far work has come: by states that lead to success or to failure, or, as operations do, by nothing but
 * a truth value beside an error, `{ name, done, error }`.
 *
 * @param name - what an item is called: `task`
 */
export function workState(
  reader: SchemaReader,
  properties: ReadonlyMap<string, Property>,
  name: string,
): WorkState | undefined {
  for (const property of properties.values()) {
    const words = isStateName(property.name) ? wordsAt(reader, property) : [];
    const [first] = beginningsAmong(words);
    const last = words.find((word) => GOOD.test(word));
    const mayFail = words.some((word) => BAD.test(word) && stageOf(word) === 'end');
    if (first !== undefined && last !== undefined && mayFail) return { state: property.name, first, last };
  }
  const members = [...properties.values()];
  const flag = members.find((each) => DONE.test(each.name) && typesOf(each.schema).includes('boolean'));
  const isTold = isWork(name) && flag !== undefined && members.some((each) => BAD.test(each.name));
  return isTold ? { state: flag.name, first: false, last: true } : undefined;
}

function wordsAt(reader: SchemaReader, property: Property): string[] {
  const listed = (reader.member(property)?.value ?? property.schema)['enum'];
  if (Array.isArray(listed)) return listed.filter((word) => typeof word === 'string');
  const beside = reader.wordsBeside(property);
  return beside.length > 0 ? beside : statesInProse(property.name, property.schema);
}
