import type { Property } from '../openapi/model';
import type { Confidence } from './resource-model';

/** Which member identifies an item, and why. */
export interface KeyChoice {
  readonly member: string;
  /** Where items show it that have it in a member of a member; else empty. */
  readonly shownAt: readonly string[];
  readonly text: string;
  readonly confidence: Confidence;
}

/** Words of what the service thinks of, and of what its clients do. */
const GIVEN = /\b(?:given|assigned|generated|provided|issued|defined) by\b/i;
const CHOSEN = /\byou(?:r|'ve)?\b/i;

/**
 * The `id` of things, where the variable that names one has the name of another member, `thing_id`, and is said to be the
 * `id`: in the very words of it, by its name in backticks, or as given by the service where the other is what clients
 * think of.
 *
 * @param said - what the description says of the variable
 */
export function saidToBe(scalars: readonly Property[], variables: readonly string[], said = ''): KeyChoice | undefined {
  const id = scalars.find(({ name }) => name === 'id');
  const own = scalars.find(({ name }) => name !== 'id' && variables.includes(name));
  const isSaid = id !== undefined && own !== undefined && said !== '' && isSaidOf(said, id, own);
  const text = 'the path parameter is said to be the member "id"';
  return isSaid ? { member: 'id', shownAt: [], text, confidence: 'high' } : undefined;
}

function isSaidOf(said: string, id: Property, own: Property): boolean {
  const ofId = firstSentence(id.schema['description']);
  const ofOwn = firstSentence(own.schema['description']);
  const isSame = firstSentence(said) === ofId && ofId !== ofOwn;
  const isGiven = GIVEN.test(said) && CHOSEN.test(ofOwn) && !CHOSEN.test(ofId);
  return isSame || isGiven || said.includes('`id`');
}

function firstSentence(words: unknown): string {
  return typeof words === 'string' ? (/^[^.\n]*/.exec(words.trim())?.[0] ?? '').toLowerCase() : '';
}
