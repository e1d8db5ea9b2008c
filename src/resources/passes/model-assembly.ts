import type { Operation } from '../../openapi/model/operation';
import { shapeOf } from '../../openapi/view/path-template';
import type { Inference } from '../drafts/draft';
import type { DraftModel } from '../drafts/draft-model';
import { type ParentAt, withScopeObjects } from '../keys/scope-variables';
import type { Binding, ResourceModel } from '../model/binding';
import type { ResourceDescription } from '../model/resource';
import type { ResourceStatement } from '../overrides/statements';
import { childListsOf } from '../relations/child-lists';
import { childCountsOf } from '../relations/child-counts';
import { itemSourceOf, parentAtOtherPath, referencesOf, ReferenceTargets } from '../relations/references';
import { describeRelationships } from '../relations/relationships';
import { withInverses, withShownItems } from '../relations/shown-items';
import { withSaidRules } from '../relations/said-rules';
import { withEntryCollection } from './item-parts';
import { describeResource, orderOf, toBinding } from './resource-assembly';

/**
 * The finished model. Each step reads the finished result of the one before: the resources by themselves, then what
 * their variables and properties refer to, then the bindings, then the counts, which are read from the bindings.
 */
export function assembleModel(inference: Inference, model: DraftModel): ResourceModel {
  const { api, view, index, statements } = inference;
  const position = orderOf(api.operations);
  const drafts = model.all.sort((left, right) => position(left) - position(right));
  const parentAt = parentFinder(inference, model);
  const described = drafts.map((draft) => ({ draft, description: describeResource(inference, draft, parentAt) }));
  const byPath = new Map(described.map(({ description }) => [description.path, description]));
  const drawn = drafts.filter(({ kind }) => kind === 'collection');
  const alone = described.map(({ draft, description }): ResourceDescription => {
    const scope = withScopeObjects(description, draft, byPath, view);
    const itemsOf = itemSourceOf(inference, draft, described);
    const source = byPath.get(itemsOf ?? '');
    // What is put here by its key has that key here, too.
    const isKeyed = source?.scope.length === 0 && description.properties.has(source.key.name);
    const key = isKeyed ? source.key : description.key;
    const relationships = describeRelationships(inference, draft, drawn);
    return { ...description, scope, itemsOf, key, relationships, variableMeans: description.key.name };
  });
  const targets = new ReferenceTargets(
    alone,
    drafts.map(({ uses }) => uses),
    view,
  );
  const statementOf = (at: number): ResourceStatement | undefined =>
    statements.resource(drafts[at]?.template.shape ?? '');
  const referring: readonly ResourceDescription[] = withInverses(
    alone.map((resource, at) => {
      const sent = (drafts[at]?.uses ?? []).flatMap(({ request: { item } = {} }) =>
        item === undefined ? [] : [...view.properties(item).values()],
      );
      const references = referencesOf(resource, targets, view, { stated: statementOf(at), sent });
      return { ...resource, references: withShownItems(resource, references, targets, view, sent) };
    }),
  );
  const bound = drafts.flatMap(({ uses }, at): Binding[] => {
    const resource = referring[at];
    if (resource === undefined) return [];
    return uses.map((use) =>
      toBinding(inference, withEntryCollection(inference, use, resource, referring), resource, parentAt),
    );
  });
  // An operation that is used twice is what its last use says.
  const last = withSaidRules(view, [...new Map(bound.map((binding) => [binding.operation, binding])).values()]);
  const counted = { resources: referring, bindings: last, view };
  const finished = new Map(
    referring.map((resource, at) => [
      resource,
      {
        ...resource,
        counts: childCountsOf(resource, counted, statementOf(at)),
        lists: childListsOf(resource, counted),
      },
    ]),
  );
  const bindings = new Map(
    last.map((binding) => [
      binding.operation,
      { ...binding, resource: finished.get(binding.resource) ?? binding.resource },
    ]),
  );
  const unboundReasons = new Map<Operation, string>();
  for (const operation of api.operations)
    if (!bindings.has(operation))
      unboundReasons.set(operation, model.reasons.get(operation) ?? 'no rule fits what it does');
  return { resources: [...finished.values()], bindings, templateOf: index.templateOf, unboundReasons };
}

function parentFinder({ index: { nodes } }: Inference, model: DraftModel): ParentAt {
  const pathAt = (shape: string): string | undefined => {
    // `/teams/{team}/things/{owner}/{thing}`: what stands behind the list is not a key of what it lists.
    const isOwner = nodes.has(`${shape}/{}/{}`) && !nodes.has(`${shape}/{}`);
    const { template } = model.draftAt(shape) ?? {};
    return isOwner && template?.segments.at(-1)?.kind === 'variable' ? undefined : template?.path;
  };
  const drafts = model.all;
  return (segments, index) => pathAt(shapeOf(segments.slice(0, index))) ?? parentAtOtherPath(drafts, segments, index);
}
