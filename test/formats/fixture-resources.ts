import type { FixtureResource } from '../../src/formats/fixture';

/** Collections as fixtures know them; a variable of a path is held by the member of its name. */
export function collectionsAt(...paths: readonly string[]): FixtureResource[] {
  return paths.map((path) => ({
    path,
    kind: 'collection',
    scope: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => ({
      name,
      parent: undefined,
      property: name,
      object: undefined,
    })),
  }));
}
