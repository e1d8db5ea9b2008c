import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../core/json/json-value';
import type { SourceFinding } from '../../core/errors/standin-error';
import { getAtPointer, joinPointer } from '../../core/json/json-pointer';
import { stringifyJson } from '../../core/json/stringify-json';
import { addToList } from '../../core/text/memoize';
import { successes } from '../../openapi/view/operation-bodies';
import type { Example, MediaTypeEntry } from '../../openapi/model/operation';
import type { ApiModel } from '../../openapi/model/api-model';
import { findingAt } from '../../openapi/read/source-document';
import { schemaExamples } from '../../payload/content-choice';
import { fillTemplate, type ResourceDescription } from '../../resources/model/resource';
import type { Binding, ResourceModel } from '../../resources/model/binding';
import type { BodyShape } from '../../lists/body-shape';
import { arrange, violationsOf } from '../state/item-representation';
import { scopeShownIn, type ShownScope } from '../fitting/item-address';
import type { Item } from '../state/item';
import type { Key } from '../../lists/sort-values';
import { SINGLE_KEY, keyOf, type Resource } from '../state/prepared-resource';
import { toKey } from '../rules/rules';

interface Shown {
  readonly value: JsonObject;
  readonly pointer: string;
  /** One item alone tells more of it than a list does. */
  readonly isDetailed: boolean;
}

type Torn = Extract<ShownScope, { readonly kind: 'torn' }>;

/** The items that the examples of a description show, by resource. */
export class ExampleItems {
  private readonly api: ApiModel;
  private readonly resources: ReadonlyMap<string, ResourceDescription>;
  /** By path of their resource. */
  private readonly bindings: ReadonlyMap<string, readonly Binding[]>;
  /** By resource, by name of the collection. */
  private readonly known = new Map<string, ReadonlyMap<string, readonly Item[]>>();
  /** By resource, by entry: where each item is shown. */
  private readonly places = new Map<string, ReadonlyMap<string, readonly string[]>>();
  private readonly faults = new Map<string, SourceFinding[]>();
  private readonly contradictions = new Map<string, SourceFinding[]>();

  constructor(api: ApiModel, model: ResourceModel) {
    this.api = api;
    this.resources = new Map(model.resources.map((resource) => [resource.path, resource]));
    this.bindings = bindingsByPath(model);
  }

  /**
   * Valid items of a collection, one for each key: what several examples show of one item is put together.
   *
   * @param name - path of the collection, values of its variables filled in
   */
  of(resource: Resource, name: string): readonly Item[] {
    return this.byName(resource).get(name) ?? [];
  }

  /** The collections of a resource that examples show items of. */
  names(resource: Resource): Iterable<string> {
    return this.byName(resource).keys();
  }

  /** Where the description shows an item, the place that has the last word last. */
  pointersOf(resource: Resource, name: string, key: Key): readonly string[] {
    this.byName(resource);
    return this.places.get(resource.path)?.get(entryOf(name, key)) ?? [];
  }

  private byName(resource: Resource): ReadonlyMap<string, readonly Item[]> {
    const known = this.known.get(resource.path);
    if (known !== undefined) return known;
    const faults: SourceFinding[] = [];
    const contradictions: SourceFinding[] = [];
    const merged = new Map<string, { readonly name: string; members: JsonObject; pointer: string }>();
    const places = new Map<string, string[]>();
    const shown = this.shownOf(resource).sort((left, right) => Number(left.isDetailed) - Number(right.isDetailed));
    for (const { value, pointer, scope } of shown) {
      const key = resource.kind === 'singleton' ? SINGLE_KEY : keyOf(resource, value);
      if (key === undefined) continue;
      const own = scopeShownIn(resource, value, key, this.resources);
      if (own.kind === 'torn') faults.push(this.tornFinding(resource, pointer, own));
      const name = collectionOfExample(resource, own, scope);
      if (name === undefined) continue;
      const id = entryOf(name, key);
      const before = merged.get(id);
      addToList(places, id, pointer);
      if (before !== undefined) contradictions.push(...this.contradictionsOf(before, { value, pointer }, name, key));
      merged.set(id, { name, members: { ...before?.members, ...value }, pointer });
    }
    const byName = new Map<string, Item[]>();
    for (const { name, members: properties, pointer } of merged.values())
      for (const item of this.judged(resource, properties, pointer, faults))
        byName.set(name, [...(byName.get(name) ?? []), item]);
    this.known.set(resource.path, byName);
    this.places.set(resource.path, places);
    this.faults.set(resource.path, faults);
    this.contradictions.set(resource.path, contradictions);
    return byName;
  }

  /** Of one property only: two examples that have nothing to do with each other differ in every one. */
  private contradictionsOf(
    before: { readonly members: JsonObject; readonly pointer: string },
    { value, pointer }: Pick<Shown, 'value' | 'pointer'>,
    name: string,
    key: Key,
  ): SourceFinding[] {
    const [property] = Object.entries(value).find(([each, now]) => {
      const then = before.members[each];
      return then !== undefined && !equalJson(then, now);
    }) ?? [undefined];
    if (property === undefined) return [];
    return [
      findingAt(this.api.document, joinPointer(pointer, property), {
        rule: 'seed-contradiction',
        severity: 'warning',
        message: `The property "${property}" of ${name} ${stringifyJson(key)} differs from the example at ${before.pointer}: this one is used`,
        expected: stringifyJson(before.members[property] ?? null).slice(0, 200),
        hint: 'Give each item in the examples a key of its own, or the same properties.',
      }),
    ];
  }

  /**
   * Examples of resources that break the schema in which items are stored, and are not used therefore.
   *
   * @param budgetMs - resources that are not looked at by then are left out; without one, examples that contradict each
   *   other are reported as well
   */
  findings(resources: readonly Resource[], budgetMs?: number): SourceFinding[] {
    const end = performance.now() + (budgetMs ?? Infinity);
    return resources.flatMap((resource) => {
      if (performance.now() > end) return [];
      this.byName(resource);
      const { path } = resource;
      return [
        ...(this.faults.get(path) ?? []),
        ...(budgetMs === undefined ? (this.contradictions.get(path) ?? []) : []),
      ];
    });
  }

  private judged(resource: Resource, members: JsonObject, pointer: string, faults: SourceFinding[]): Item[] {
    const item = arrange(resource, members);
    const [violation] = violationsOf(resource, item);
    if (violation === undefined) return [item];
    const place = violation.pointer === '' ? 'The example' : `The property ${violation.pointer} of the example`;
    faults.push(
      findingAt(this.api.document, `${pointer}${violation.pointer}`, {
        rule: 'seed-example',
        severity: 'warning',
        message: `${place} ${violation.message}: it is not used as an item of ${resource.path}`,
        expected: `an item that the schema of ${resource.path} allows`,
      }),
    );
    return [];
  }

  private tornFinding({ path }: Resource, pointer: string, { variable, values }: Torn): SourceFinding {
    const shown = values.map((value) => stringifyJson(value)).join(' and ');
    return findingAt(this.api.document, pointer, {
      rule: 'seed-example',
      severity: 'warning',
      message: `The example shows two values of {${variable}}, ${shown}: it is not used as an item of ${path}`,
      expected: `the same {${variable}} in all properties that show it`,
    });
  }

  private shownOf(resource: Resource): (Shown & { readonly scope: readonly (Key | undefined)[] })[] {
    return (this.bindings.get(resource.path) ?? []).flatMap((binding) => {
      const scope = scopeShownBy(this.api, binding);
      return shownBy(binding).map((each) => ({ ...each, scope }));
    });
  }
}

export function bindingsByPath(model: ResourceModel): Map<string, Binding[]> {
  const byPath = new Map<string, Binding[]>();
  for (const binding of model.bindings.values()) addToList(byPath, binding.resource.path, binding);
  return byPath;
}

function entryOf(name: string, key: Key): string {
  return `${name} ${typeof key} ${key}`;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** The values of the variables of a path that its examples tell. */
function scopeShownBy(api: ApiModel, { operation, scopeParameters }: Binding): (Key | undefined)[] {
  return scopeParameters.map((name) => {
    const parameter = operation.parameters.find((each) => each.in === 'path' && each.name === name);
    if (parameter === undefined) return undefined;
    const { example, examples } = objectOf(getAtPointer(api.document.root, parameter.pointer));
    const [named] = Object.values(objectOf(examples));
    return toKey(
      example ?? objectOf(named)['value'] ?? objectOf(named)['dataValue'] ?? parameter.schema?.value['example'],
    );
  });
}

/**
 * The collection that an example belongs to: by what it shows itself, else by the examples of the path.
 *
 * @returns `undefined` where neither tells, or the example names two
 */
function collectionOfExample(
  { path, scope }: Resource,
  own: ShownScope,
  shown: readonly (Key | undefined)[],
): string | undefined {
  if (own.kind === 'torn') return undefined;
  const values = scope.map((_variable, index) => own.values[index] ?? shown[index]);
  return values.every((each) => each !== undefined) ? fillTemplate(path, values) : undefined;
}

function shownBy({ operation, response, request, behaviour }: Binding): Shown[] {
  const answered = successes(operation).flatMap(({ content }) => content.flatMap(examplesOf));
  const taken =
    behaviour === 'create' || behaviour === 'replace' ? (operation.requestBody?.content.flatMap(examplesOf) ?? []) : [];
  return [
    ...(request === undefined ? [] : taken.flatMap((example) => itemsIn(example, request))),
    ...(response === undefined ? [] : answered.flatMap((example) => itemsIn(example, response))),
  ];
}

/** Examples of a media type, else those of its schema. */
function examplesOf({ examples, schema }: MediaTypeEntry): readonly Example[] {
  return examples.length > 0 || schema === undefined ? examples : schemaExamples(schema);
}

function itemsIn({ value, pointer }: Example, { form, path }: BodyShape): Shown[] {
  let at: JsonValue | undefined = value;
  let place = pointer;
  for (const name of path) {
    at = isJsonObject(at) ? ownProperty(at, name) : undefined;
    place = joinPointer(place, name);
  }
  const entries: [string | number, JsonValue][] =
    form === 'list' && Array.isArray(at)
      ? at.map((item, index) => [index, item])
      : form === 'map' && isJsonObject(at)
        ? Object.entries(at)
        : [];
  if (form === 'item') return isJsonObject(at) ? [{ value: at, pointer: place, isDetailed: true }] : [];
  return entries.flatMap(([name, item]): Shown[] =>
    isJsonObject(item) ? [{ value: item, pointer: joinPointer(place, name), isDetailed: false }] : [],
  );
}
