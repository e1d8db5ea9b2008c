import { shapeOf, type PathTemplate } from '../resources/path-template';
import type { Behaviour, Binding, ResourceModel } from '../resources/resource-model';

/** The templates that name one item each, by shape, with an operation that does. */
export type ItemPlaces = ReadonlyMap<string, ItemPlace>;

/** A template that names an item, and an operation there. */
export interface ItemPlace {
  readonly template: PathTemplate;
  readonly binding: Binding;
}

const ON_ITEM: ReadonlySet<Behaviour> = new Set(['read', 'replace', 'update', 'upsert', 'remove']);

export function itemPlaces(model: ResourceModel): ItemPlaces {
  const places = new Map<string, ItemPlace>();
  for (const binding of model.bindings.values()) {
    if (!ON_ITEM.has(binding.behaviour) || binding.keyParameter === undefined) continue;
    const template = model.templateOf(binding.operation);
    const last = template?.segments.at(-1);
    if (template === undefined || last?.kind !== 'variable' || last.name !== binding.keyParameter) continue;
    if (!places.has(template.shape)) places.set(template.shape, { template, binding });
  }
  return places;
}

/** The longest beginning of a template that names an item. */
export function nearestItem({ segments }: PathTemplate, places: ItemPlaces): ItemPlace | undefined {
  for (let length = segments.length - 1; length > 0; length--) {
    const place = places.get(shapeOf(segments.slice(0, length)));
    if (place !== undefined) return place;
  }
  return undefined;
}
