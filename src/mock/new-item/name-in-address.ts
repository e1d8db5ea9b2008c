import type { JsonValue } from '../../json/json-value';
import { memberOf } from '../../json/member';
import { wordsOf } from '../../resources/inflection';
import type { ItemDraft } from '../item';

/** Members that hold the name of an item as addresses have it. */
const SLUG = /^(?:slug|permalink)$/i;
/** Members from which it is made. */
const NAMES = ['name', 'title', 'display_name', 'displayName'];

/** `night-shift` for the `slug` of what is named "Night Shift"; `undefined` for other members, and without a name. */
export function nameInAddress(member: string, item: ItemDraft): JsonValue | undefined {
  if (!SLUG.test(member)) return undefined;
  const name = NAMES.map((each) => memberOf(item, each)).find((each) => typeof each === 'string');
  const slug =
    typeof name === 'string' ? wordsOf(name.normalize('NFKD').replaceAll(/[^\p{L}\p{N}]+/gu, ' ')).join('-') : '';
  return slug === '' ? undefined : slug;
}
