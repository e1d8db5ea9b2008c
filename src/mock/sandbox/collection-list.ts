import type { JsonValue } from '../../core/json/json-value';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Property } from '../../openapi/model/operation';
import { typesOf, viewOf } from '../../openapi/view/schema-view';
import { fillTemplate, parseCollectionName } from '../../resources/model/resource';
import { Collection } from '../state/collection';
import type { Resource } from '../state/prepared-resource';
import { collectionOf, type State } from '../state/state';
import { countChanges } from './item-page';

/** The collections of a state. */
export interface CollectionList {
  readonly collections: readonly CollectionSummary[];
  /** False where making all of them takes long: asked again, more are listed and counted. */
  readonly isWhole: boolean;
}

/** A collection of a state, without its items. */
export interface CollectionSummary {
  /** As a fixture names it: `/books`, `/shelves/7/books`. */
  readonly name: string;
  readonly isSingle: boolean;
  /** `null` for one that is not made yet, where the list is not whole. */
  readonly items: number | null;
  /** Items added, changed and removed since the baseline. */
  readonly changed: number;
  /** Name of the property that holds the key. */
  readonly key: string;
  readonly columns: readonly Column[];
}

/** A property of the items. */
export interface Column {
  readonly name: string;
  /** `string`, `integer`, …, `any`; with the format behind it: `string date-time`. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly isReadOnly: boolean;
  readonly values: readonly JsonValue[] | null;
  /** Collection that the property names items of. */
  readonly refersTo: string | null;
  readonly description: string;
}

const NOTHING = Collection.empty();
NOTHING.seal();

/** A collection as it is in a state; empty where nothing is stored in it. */
export function collectionIn(state: State, name: string): Collection {
  return collectionOf(state, name) ?? NOTHING;
}

const BY_NUMBER = new Intl.Collator('en', { numeric: true });

/** Collections are made when they are first looked at. No more are made from then on, in milliseconds: nobody is answered meanwhile. */
const BUDGET_MS = 200;

interface CollectionNames {
  readonly names: ReadonlySet<string>;
  /** Those that are not made yet. */
  readonly unmade: ReadonlySet<string>;
  readonly isWhole: boolean;
}

function namesIn(resources: readonly Resource[], state: State, baseline: State): CollectionNames {
  const names = new Set([...state.collections.keys(), ...baseline.collections.keys()]);
  const until = performance.now() + BUDGET_MS;
  for (const name of state.seeds?.names() ?? []) {
    if (performance.now() > until) return withUnmade(resources, names);
    names.add(name);
    collectionIn(state, name);
  }
  return { names, unmade: new Set(), isWhole: true };
}

/** With those whose names are known without a look at what lies above them. */
function withUnmade(resources: readonly Resource[], known: ReadonlySet<string>): CollectionNames {
  const paths = resources.flatMap(({ path, scope }) => (scope.length === 0 && !known.has(path) ? [path] : []));
  return { names: new Set([...known, ...paths]), unmade: new Set(paths), isWhole: false };
}

/** The collections that a state or the baseline has, in the order of the description. */
export function listCollections(
  api: ApiModel,
  resources: readonly Resource[],
  state: State,
  baseline: State,
): CollectionList {
  const { names, unmade, isWhole } = namesIn(resources, state, baseline);
  const order = new Map(resources.map((resource, index) => [resource, index]));
  const collections = [...names]
    .flatMap((name) => {
      const place = parseCollectionName(resources, name);
      return place === undefined ? [] : [{ name, ...place }];
    })
    .sort(
      (left, right) =>
        (order.get(left.resource) ?? 0) - (order.get(right.resource) ?? 0) || BY_NUMBER.compare(left.name, right.name),
    )
    .map(({ name, resource, values }) => {
      const isMade = !unmade.has(name);
      const counts = isMade ? countsOf(state, baseline, name) : { items: null, changed: 0 };
      return {
        name,
        isSingle: resource.kind === 'singleton',
        ...counts,
        key: resource.keyMember,
        columns: columnsOf(api, resources, resource, values),
      };
    });
  return { collections, isWhole };
}

function countsOf(state: State, baseline: State, name: string): Pick<CollectionSummary, 'items' | 'changed'> {
  const now = collectionIn(state, name);
  return { items: now.size, changed: countChanges({ now, start: collectionIn(baseline, name) }) };
}

/** The properties that are shown; what is write-only is not. */
function columnsOf(
  api: ApiModel,
  resources: readonly Resource[],
  resource: Resource,
  values: readonly string[],
): Column[] {
  const refersTo = new Map(
    resource.references.map(({ property, to }) => {
      const depth = resources.find(({ path }) => path === to)?.scope.length ?? 0;
      return [property, fillTemplate(to, values.slice(0, depth))];
    }),
  );
  return [...resource.properties.values()]
    .filter(({ writeOnly }) => !writeOnly)
    .map((property) => ({ ...columnOf(api, property), refersTo: refersTo.get(property.name) ?? null }));
}

function columnOf(api: ApiModel, property: Property): Omit<Column, 'refersTo'> {
  const { name, required: isRequired, readOnly: isReadOnly } = property;
  const schema = viewOf(api).schemaOf(property)?.value ?? property.schema;
  const [type = 'any', ...others] = typesOf(schema);
  const { format, enum: values } = schema;
  const description = property.schema['description'] ?? schema['description'];
  return {
    name,
    type: others.length > 0 ? 'any' : typeof format === 'string' ? `${type} ${format}` : type,
    isRequired,
    isReadOnly,
    values: Array.isArray(values) ? values : null,
    description: typeof description === 'string' ? description : '',
  };
}
