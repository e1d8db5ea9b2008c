import type { Operation, Parameter, Property } from '../openapi/model/operation';
import { isCreationTimeName, isUpdateTimeName } from '../openapi/naming/property-names';
import type { DocumentedOrder } from './list-model';

/** What is only so at times says nothing of the rest. */
const CONDITION =
  /\b(?:if|when|unless|can|could|may|either|optionally|allows?|use|specif(?:y|ies|ied)|depending|whether|or)\b/i;
/** The sentence speaks of the order of what it lists. */
const ORDERED = /\b(?:sorted|ordered|order|listed|returned|appear(?:s|ing)?|first|chronological(?:ly)?)\b/i;
const NEWEST_FIRST =
  /\b(?:newest|latest|most[ -]recent(?:ly)?)\b[^.;]*\b(?:first|(?:at|to) the top)\b|\bnewest (?:to|through) oldest\b|\b(?:reverse|inverse|descending)[ -]chronological(?:ly)?\b/i;
const OLDEST_FIRST =
  /\b(?:oldest|earliest|least[ -]recent(?:ly)?)\b[^.;]*\b(?:first|(?:at|to) the top)\b|\boldest (?:to|through) newest\b|(?<!\b(?:reverse|inverse|descending)[ -])\bchronological(?:ly)?\b/i;
const BY_TIME = /\b(?:creat(?:ed|ion)|time|date|timestamp|updat(?:ed|e)|modified|modification)\b/i;
const DESCENDING = /\b(?:descending|desc\b)/i;
const ASCENDING = /\b(?:ascending|asc\b)/i;
const OF_CHANGE = /\b(?:updated?|modified|modification|changed?)\b/i;

/**
 * The order that the words of an operation tell of its list: "the most recent ones appear first", "in descending order by
 * creation date". Nothing where a sentence has a condition, or two sentences say different things.
 *
 * @param properties - of the items
 * @param parameters - that choose the order; what they say of a default is said of the list
 */
export function documentedOrder(
  { summary, description }: Pick<Operation, 'summary' | 'description'>,
  properties: ReadonlyMap<string, Property>,
  parameters: readonly (Parameter | undefined)[] = [],
): DocumentedOrder | undefined {
  const defaults = parameters.flatMap((each) =>
    (each?.description ?? '').split(/(?<=[.!?;])\s+/).filter((text) => /\bdefault/i.test(text)),
  );
  const sentences = [summary, description, ...defaults.map((text) => text.replaceAll(/\s+/g, ' '))]
    .join('. ')
    .replaceAll(/<[^<>]{0,200}>/g, ' ')
    .split(/(?<=[.!?;])\s+|\n+/)
    .filter((sentence) => sentence.length <= 500 && ORDERED.test(sentence) && !CONDITION.test(sentence));
  const told = sentences.flatMap((sentence) => {
    const descending = directionIn(sentence);
    if (descending === undefined) return [];
    const tells = OF_CHANGE.test(sentence) ? isUpdateTimeName : isCreationTimeName;
    const property = [...properties.keys()].find(tells);
    return [{ property, descending, words: sentence.trim() }];
  });
  const [first] = told;
  const areOne = told.every(
    ({ descending, property }) => descending === first?.descending && property === first.property,
  );
  return areOne ? first : undefined;
}

/** Is the latest first? `undefined` where a sentence does not say, or says both. */
function directionIn(sentence: string): boolean | undefined {
  const newest = NEWEST_FIRST.test(sentence) || (DESCENDING.test(sentence) && BY_TIME.test(sentence));
  const oldest = OLDEST_FIRST.test(sentence) || (ASCENDING.test(sentence) && BY_TIME.test(sentence));
  return newest === oldest ? undefined : newest;
}
