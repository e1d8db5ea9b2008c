import { memberOf } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { scalarText } from '../json/scalar-text';
import type { ResourceDescription, ScopeHolder, ScopeVariable } from '../resources/resource-model';
import type { Item } from './item';
import type { Key } from './order';

/**
 * What a member is to hold so that it shows what a variable of the path names: `owner: { login }` below `/repos/ada`.
 *
 * @param held - what is there
 * @param kept - the item that the variable names, where it is kept
 * @returns values of which the last one that fits is the best: what is there with the key of the path, the kept item;
 *   none where the member shows the key already
 */
export function shownByHolder(
  { key, isThing }: ScopeHolder,
  held: JsonValue | undefined,
  value: Key,
  kept: Item | undefined,
): JsonValue[] {
  const shown = isJsonObject(held) ? memberOf(held, key) : undefined;
  if (shown !== undefined && scalarText(shown) === String(value)) return [];
  // What is not there may be made for that; what is there in another form, such as a link, stays.
  const around = isJsonObject(held) ? held : held === undefined || !isThing ? {} : undefined;
  const written = typeof shown === 'string' ? String(value) : value;
  const corrected = around === undefined ? [] : [{ ...around, [key]: written }];
  return kept === undefined || !isThing ? corrected : [...corrected, kept];
}

/** Path of the collection in which is kept what a variable names: the one above, else the one that its holder shows. */
export function keeperOf({ references }: ResourceDescription, { parent, holder }: ScopeVariable): string | undefined {
  return parent ?? references.find(({ member, form }) => form === 'embedded' && member === holder?.member)?.to;
}
