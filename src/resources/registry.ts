import type { InferencePass } from './drafts/draft-model';
import { bulkOperations } from './passes/bulk-operations';
import { arrayProperties } from './passes/item-parts';
import { collections } from './passes/collections';
import { currentUser } from './passes/current-user';
import { itemViews } from './passes/item-views';
import { linkedItems } from './passes/linked-items';
import { memberships } from './passes/memberships';
import { mergedCollections } from './passes/merged-collections';
import { relationships } from './passes/relationships';
import { singletons } from './passes/singletons';
import { statedBehaviours, statelessResources } from './passes/stated-behaviours';
import { subPaths } from './passes/remaining-operations';
import { unkeptResources } from './passes/unkept-resources';

/**
 * The passes of the inference, in the order in which they run. Each sees what those before it drafted and bound; keys,
 * scopes, references and counts are read from the result, when all of it is known (`passes/resource-assembly.ts`).
 */
export const INFERENCE_PASSES: readonly InferencePass[] = [
  collections,
  relationships,
  arrayProperties,
  linkedItems,
  mergedCollections,
  bulkOperations,
  statelessResources,
  statedBehaviours,
  unkeptResources,
  itemViews,
  currentUser,
  singletons,
  memberships,
  subPaths,
];
