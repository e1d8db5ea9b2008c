import type { SourceFinding } from '../../core/errors/standin-error';
import { counted } from '../../core/text/printable';
import { type FixtureCount, type FixtureItem, MAX_COUNTED_ROWS, type SeedData } from '../../formats/fixture';
import type { ApiModel } from '../../openapi/model/api-model';
import { findingAt } from '../../openapi/read/source-document';
import type { ResourceModel } from '../../resources/model/binding';
import type { Resource } from '../state/prepared-resource';
import { initialItemsFromFixtures } from './initial-items';
import { SeedSource } from './seed-source';

/**
 * Fixtures with the items that their counts ask for: they follow from the seed and from what the fixtures hold, refer to
 * items that exist, and are checked as the others are.
 */
export function countFixtureItems(
  api: ApiModel,
  model: ResourceModel,
  resources: readonly Resource[],
  seed: string,
  data: SeedData,
): SeedData {
  if (data.counts.length === 0) return data;
  const begin = initialItemsFromFixtures(data.items, data.counts);
  const source = new SeedSource(api, model, resources, begin, seed);
  const findings: SourceFinding[] = [];
  const made: FixtureItem[] = [];
  let left = MAX_COUNTED_ROWS;
  for (const asked of data.counts) {
    const names = namesOf(asked, resources, source);
    const total = names.length * asked.count;
    if (total > left) {
      findings.push(tooMany(asked, total));
      continue;
    }
    left -= total;
    const before = made.length;
    for (const name of names) made.push(...itemsOf(asked, name, source));
    const lacking = total - (made.length - before);
    if (lacking > 0) findings.push(tooFew(asked, total, lacking));
  }
  return { ...data, items: [...data.items, ...made], findings: [...data.findings, ...findings] };
}

function namesOf({ collection, resource: path }: FixtureCount, resources: readonly Resource[], source: SeedSource) {
  if (collection !== undefined) return [collection];
  const resource = resources.find((candidate) => candidate.path === path);
  return resource === undefined ? [] : [...source.namesOf(resource)];
}

function* itemsOf(
  { resource, pointer, document }: FixtureCount,
  collection: string,
  source: SeedSource,
): Generator<FixtureItem> {
  for (const value of source.madeRows(collection))
    yield { collection, resource, value, pointer, document, isMadeUp: true };
}

function tooMany({ document, pointer }: FixtureCount, total: number): SourceFinding {
  return findingAt(document, pointer, {
    rule: 'fixture-format',
    message: `The counts ask for too many items: ${total} here, with those before more than ${MAX_COUNTED_ROWS}`,
    expected: `at most ${MAX_COUNTED_ROWS} generated items, in all collections together`,
    hint: 'Ask for fewer, or write them by a program, as lists.',
  });
}

function tooFew({ document, pointer, resource }: FixtureCount, total: number, lacking: number): SourceFinding {
  return findingAt(document, pointer, {
    rule: 'fixture-count',
    message: `Only ${total - lacking} of ${counted(total, 'item')} could be generated for ${resource}`,
    expected: 'a schema that allows so many items with keys of their own, and items above them that exist',
  });
}
