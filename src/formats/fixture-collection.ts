import { similarName } from '../core/text/similar-name';
import { ExactNumber, isJsonNumber, toCanonical } from '../core/json/exact-number';
import type { JsonObject } from '../core/json/json-value';
import { fillTemplate, parseCollectionName, type ResourceDescription } from '../resources/model/resource';

/** What fixtures have to know of a resource. */
export type FixtureResource = Pick<ResourceDescription, 'path' | 'kind' | 'scope'>;

/** What the name of a collection in a fixture means. */
export interface FixtureCollection {
  readonly resource: FixtureResource;
  /** The name in the state; `undefined` where each item says it by itself. */
  readonly name: string | undefined;
}

/** Why a name means nothing. */
export interface UnknownCollection {
  readonly message: string;
  readonly expected: string;
  readonly hint: string | undefined;
}

/** More names than this are counted: a description may have hundreds. */
const MAX_LISTED = 20;

/** The collection that a fixture means by `/books`, `/shelves/{shelfId}/books`, `/shelves/7/books` or `books`. */
export function findCollection(
  resources: readonly FixtureResource[],
  name: string,
): FixtureCollection | UnknownCollection {
  const template = resources.find(({ path }) => path === name);
  if (template !== undefined) return fixtureCollectionOf(template);
  const place = parseCollectionName(resources, name);
  if (place !== undefined) return { resource: place.resource, name: fillTemplate(place.resource.path, place.values) };
  const meant = resources.filter(({ path }) => lastWord(path) === name || path === `/${name}`);
  const [only] = meant;
  if (only !== undefined && meant.length === 1) return fixtureCollectionOf(only);
  if (meant.length > 1) {
    const paths = meant.map(({ path }) => path);
    return {
      message: `Several collections are called ${name}`,
      expected: 'the path of one of them',
      hint: `Write ${listed(paths, ' or ')}.`,
    };
  }
  const paths = resources.map(({ path }) => path);
  const near = similarName(name, paths) ?? similarName(`/${name}`, paths);
  return {
    message: `The description has no collection ${name}`,
    expected: paths.length === 0 ? 'a description that keeps something' : `one of ${listed(paths, ', ')}`,
    hint: near === undefined ? undefined : `Did you mean ${near}?`,
  };
}

function fixtureCollectionOf(resource: FixtureResource): FixtureCollection {
  return { resource, name: resource.scope.length === 0 ? resource.path : undefined };
}

function lastWord(path: string): string | undefined {
  return path
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{'))
    .at(-1);
}

function listed(names: readonly string[], separator: string): string {
  const rest = names.length - MAX_LISTED;
  return names.slice(0, MAX_LISTED).join(separator) + (rest > 0 ? ` and ${rest} more` : '');
}

/**
 * The name of the collection in which an item lies by what it says itself: `/shelves/7/books` by `shelfId: 7`.
 *
 * @returns why that cannot be told, where it cannot
 */
export function collectionNameOfItem({ path, scope }: FixtureResource, item: JsonObject): string | UnknownCollection {
  const values = scope.map(({ property }) => textOf(property === undefined ? undefined : item[property]));
  if (values.every((value) => value !== undefined)) return fillTemplate(path, values);
  const lacking = scope.filter((_, index) => values[index] === undefined);
  const properties = lacking.flatMap(({ property }) => (property === undefined ? [] : [`"${property}"`]));
  const example = fillTemplate(
    path,
    scope.map((_, index) => String(index + 1)),
  );
  return {
    message: `Nothing says which of the collections ${path} the item lies in`,
    expected:
      properties.length === lacking.length
        ? `${properties.join(' and ')} in the item`
        : `a path with ${lacking.map(({ name }) => `{${name}}`).join(' and ')} filled in`,
    hint: `Write the items under a path such as "${example}".`,
  };
}

function textOf(value: JsonObject[string] | undefined): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (!isJsonNumber(value)) return undefined;
  const number = value instanceof ExactNumber ? toCanonical(value) : value;
  return number instanceof ExactNumber ? number.lexeme : String(number);
}
