import type { Parameter, Property } from '../openapi/model/operation';
import type { ConditionForm } from './body-queries';
import type { FilterLanguage } from './filter-language';

/** The query parameters that act on a list, by role. */
export interface ListParameters {
  readonly limit: Parameter | undefined;
  readonly cursor: Parameter | undefined;
  /** Holds the key of the item behind which the page begins. */
  readonly after: Parameter | undefined;
  /** Holds the key of the item before which the page ends. */
  readonly before: Parameter | undefined;
  /** Holds the key of the item with which the page begins. */
  readonly from: Parameter | undefined;
  readonly offset: Parameter | undefined;
  readonly page: { readonly parameter: Parameter; readonly first: 0 | 1 } | undefined;
  readonly sort: Parameter | undefined;
  /** `asc` or `desc` in a parameter of its own. */
  readonly direction: Parameter | undefined;
  readonly search: Parameter | undefined;
  readonly fields: Parameter | undefined;
  /** The order that is reported in words, for requests that ask for none. */
  readonly documentedOrder: DocumentedOrder | undefined;
  readonly filters: readonly ListFilter[];
  readonly conditions: readonly ListConditions[];
  readonly expressions: readonly ListExpression[];
  /** Exploded objects, and the parameters that their properties are. */
  readonly exploded: ReadonlyMap<Parameter, readonly Parameter[]>;
  /** Parameters that have no effect, and why. */
  readonly ignored: readonly ({ readonly parameter: Parameter } & NoFilter)[];
  /** The limit of a list that the mock gives whole, since nothing leads on. A server may cut it. */
  readonly unusedLimit?: Parameter | undefined;
  /** Do words alone promise a `Link` header, which no response declares? */
  readonly describesLink: boolean;
}

/** Why a parameter is no filter. */
export interface NoFilter {
  readonly reason: string;
  /** The same without the names in it, under which an overview counts them. */
  readonly group?: string | undefined;
  /** Would it choose among the items? Then a request that sends it is told that it does not. */
  readonly isFilter?: boolean | undefined;
}

export interface ListFilter {
  readonly parameter: Parameter;
  readonly property: string;
  /**
   * Properties that lead on from the property to what is compared, where it is an object or a list of objects: `ownerId`
   * and `owner: { id }`. Nearly always empty.
   */
  readonly innerPath: readonly string[];
  /**
   * `equal`: the property is the value, or one of the values; `contains`: the property is a list that has it; `unless`: items
   * whose property is true are left out if the value is, and `include` likewise if it is false; `not`: the property is true
   * where the value is not; `part`: the text of the property has the value within it, in any letter case.
   */
  readonly operator: 'equal' | 'contains' | RangeOperator | 'prefix' | 'part' | 'unless' | 'include' | 'not';
  /** `created[gte]=50`: how the properties of a value that is an object compare; `undefined` where it is none. */
  readonly bounds: FilterBounds | undefined;
}

/** A parameter that holds conditions on items, `{ field, operator, value }`. */
export interface ListConditions {
  readonly parameter: Parameter;
  readonly form: ConditionForm;
  /** Properties of items that are maps, where fields are looked for that items do not declare. */
  readonly mapProperties: readonly string[];
}

/** A parameter that holds an expression, `name eq "x" and size gt 5`. */
export interface ListExpression {
  readonly parameter: Parameter;
  readonly language: FilterLanguage;
  /** Properties of items that are maps, see {@link ListConditions}. */
  readonly mapProperties: readonly string[];
}

export type RangeOperator = 'at-least' | 'at-most' | 'more-than' | 'less-than';

export interface FilterBounds {
  /** By the name of the object's property. */
  readonly operators: ReadonlyMap<string, RangeOperator | 'equal'>;
  /** May the value be nothing but such an object? Else {@link ListFilter.operator} compares the others. */
  readonly isOnly: boolean;
}

/** The order in which a list comes where a request asks for none. */
export interface DocumentedOrder {
  /** Property of the items by which they are ordered; `undefined` where only the order of their making is reported. */
  readonly property: string | undefined;
  readonly descending: boolean;
  /** The words that say so. */
  readonly words: string;
}

/** What a list is reported of the items that it lists; a resource of the inference is one. */
export interface ListedItems {
  readonly path: string;
  readonly kind: 'collection' | 'singleton';
  readonly key: { readonly name: string; readonly isHidden: boolean };
  readonly properties: ReadonlyMap<string, Property>;
  /** Properties below `attributes`, where the items are resource objects of JSON:API. */
  readonly attributes: ReadonlyMap<string, Property>;
}
