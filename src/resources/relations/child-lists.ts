import { foldedName } from '../../core/text/inflection';
import { lastLiteral, parseTemplate } from '../../openapi/view/path-template';
import type { ChildList, ResourceDescription } from '../model/resource';
import type { CountedTargets } from './child-counts';

/**
 * The lists in items of a resource that show what is kept below each, `labels` of `/things/{id}/labels`, or was made there
 * and is kept elsewhere: under the name that the path has, in entries of the schema in which it is kept.
 */
export function childListsOf(
  { path, scope, kind, properties }: ResourceDescription,
  { resources, bindings, view }: CountedTargets,
): ChildList[] {
  if (kind === 'singleton') return [];
  const below = resources
    .filter((child) => child.scope.at(-1)?.parent === path && child.scope.length === scope.length + 1)
    .map((child) => ({ child, by: undefined }));
  const linked = bindings.flatMap(({ resource: child, restrictions, linkedBy, behaviour }) =>
    (linkedBy === undefined && behaviour !== 'create') || child.scope.length !== scope.length
      ? []
      : restrictions
          .filter(
            ({ parent, property, shownIn }) => parent === path && shownIn === undefined && property.startsWith('$'),
          )
          .map(({ property }) => ({ child, by: property })),
  );
  const found = [...below, ...linked].filter(({ child }) => child.kind === 'collection' && !child.key.isHidden);
  return [...properties.values()].flatMap((property): ChildList[] => {
    const list = property.writeOnly ? undefined : view.schemaOf(property);
    const entry = list && view.items(list);
    const shown = found.find(
      ({ child }) =>
        entry !== undefined &&
        foldedName(lastLiteral(parseTemplate(child.path)?.segments ?? [])) === foldedName(property.name) &&
        view.areSameType(view.unwrap(entry) ?? entry, child.schema),
    );
    return shown === undefined ? [] : [{ property: property.name, child: shown.child.path, by: shown.by }];
  });
}
