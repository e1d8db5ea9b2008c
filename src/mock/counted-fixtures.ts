import type { SourceFinding } from '../errors/source-finding';
import type { FixtureItem } from '../formats/fixture';
import { joinPointer } from '../json/json-pointer';
import { memberOf } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { stringifyJson } from '../json/stringify-json';
import { findingAt } from '../openapi/source-document';
import { keyOf, type Resource } from './resource';
import { collectionOf, type State } from './state';

/** Nobody mends more of them at once. */
const MOST_TOLD = 100;

/** Numbers of fixtures that count what lies below an item, and say another number than there is. */
export function countedOtherwise(
  items: readonly FixtureItem[],
  resources: readonly Resource[],
  state: State,
): SourceFinding[] {
  const counting = new Map(resources.flatMap((each) => (each.counts.length === 0 ? [] : [[each.path, each] as const])));
  const found: SourceFinding[] = [];
  for (const fixture of counting.size === 0 ? [] : items) {
    const resource = counting.get(fixture.resource);
    if (resource !== undefined && fixture.isMadeUp !== true) found.push(...otherNumbers(fixture, resource, state));
    if (found.length >= MOST_TOLD) break;
  }
  return found;
}

function otherNumbers(
  { collection, value, pointer, document }: FixtureItem,
  resource: Resource,
  state: State,
): SourceFinding[] {
  const key = keyOf(resource, value);
  const stored = key === undefined ? undefined : collectionOf(state, collection)?.get(key);
  if (stored === undefined) return [];
  return resource.counts.flatMap(({ at, of }): SourceFinding[] => {
    const [said, number] = [numberAt(value, at), numberAt(stored, at)];
    if (said === undefined || number === undefined || said === number) return [];
    return [
      findingAt(document, at.reduce(joinPointer, pointer), {
        rule: 'fixture-counted',
        severity: 'warning',
        message: `The member ${at.reduce(joinPointer, '')} says ${stringifyJson(said)}, and counts the items of ${of}: it is ${stringifyJson(number)}`,
        expected: 'the number of rows that there are, or no such member',
        hint: 'Write the rows that it counts; where it counts something else, the overrides say so (references: false).',
      }),
    ];
  });
}

function numberAt(item: JsonValue, at: readonly string[]): JsonValue | undefined {
  return at.reduce<JsonValue | undefined>(
    (value, name) => (value !== undefined && isJsonObject(value) ? memberOf(value, name) : undefined),
    item,
  );
}
