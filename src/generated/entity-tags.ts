import type { Operation } from '../openapi/model/operation';
import type { Binding } from '../resources/model/binding';
import { headerNamed } from './expectations';

export const isIfMatch = (name: string): boolean => /^if-match$/i.test(name);

/** A description that asks for the header in words. */
const ASKS =
  /\bif-match\b[^.]*\b(?:required|mandatory|must be (?:sent|given|present|set))\b|\b(?:requires?|needs?|must (?:send|have|give))\b[^.]*\bif-match\b/i;

/** Is a change of what is there only done with its entity tag: by a parameter, by 428 (RFC 6585 §3), or in words? */
export function needsTag({ parameters, responses, summary, description }: Operation): boolean {
  const own = parameters.find(({ in: place, name }) => place === 'header' && isIfMatch(name));
  const said = [summary, description].join(' ').replaceAll('`', '');
  return own?.required === true || responses.has('428') || ASKS.test(said);
}

/** Does an operation depend on the entity tag of a thing: has it such a parameter, or 412 where readings show a tag? */
export function takesTag({ parameters, responses }: Operation, reading: Binding | undefined): boolean {
  if (parameters.some(({ in: place, name }) => place === 'header' && isIfMatch(name))) return true;
  return responses.has('412') && reading !== undefined && headerNamed(reading, /^etag$/i) !== undefined;
}
