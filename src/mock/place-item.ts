import { memberOf } from '../json/member';
import type { SourceFinding } from '../errors/source-finding';
import type { FixtureItem } from '../formats/fixture';
import { joinPointer } from '../json/json-pointer';
import { shownValue } from '../checks/response/shown';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { findingAt } from '../openapi/source-document';
import { placeOfName } from '../resources/collection-name';
import { violationsOf } from './conform';
import type { Item } from './item';
import type { Key } from './order';
import { keyOfMember, type Resource } from './resource';
import { toKey } from './rules';

/** An item of a fixture as it is to be stored, or how it contradicts its place. */
export type PlacedItem =
  | { readonly kind: 'placed'; readonly value: Item }
  | { readonly kind: 'contradiction'; readonly finding: SourceFinding };

/** Fills in what the name of the collection says of its items: `shelfId` below `/shelves/7`. */
export function placeItem(resource: Resource, fixture: FixtureItem): PlacedItem {
  const { collection, pointer, document } = fixture;
  const values = resource.scope.length === 0 ? [] : (placeOfName([resource], collection)?.values ?? []);
  let { value } = fixture;
  for (const [index, { member }] of resource.scope.entries()) {
    const segment = values[index];
    if (member === undefined || segment === undefined) continue;
    const written = memberOf(value, member);
    if (names(written, segment)) continue;
    const filled = { ...value, [member]: keyOfMember(resource, member, segment) };
    // A member whose schema does not take what the path says stays as it is, as it does in items that the mock made.
    if (violationsOf(resource, filled).some((violation) => violation.pointer.startsWith(joinPointer('', member))))
      continue;
    if (written !== undefined) {
      const finding = findingAt(document, joinPointer(pointer, member), {
        rule: 'fixture-scope',
        message: `The member "${member}" is ${shownValue(written)}, and the item lies in ${collection}`,
        expected: `${stringifyJson(filled[member] ?? null)}, or another collection`,
      });
      return { kind: 'contradiction', finding };
    }
    value = filled;
  }
  return { kind: 'placed', value };
}

/** Is it the key in the path, or the thing of that key, shown as a whole? */
function names(written: JsonValue | undefined, segment: string): boolean {
  const keys = written !== undefined && isJsonObject(written) ? Object.values(written) : [written];
  return keys.some((key) => isKey(key) && String(key) === segment);
}

function isKey(value: JsonValue | undefined): value is Key {
  return toKey(value) !== undefined;
}
