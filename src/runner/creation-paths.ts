import type { ApiModel } from '../openapi/model';
import type { Creation } from './creation';
import { otherPaths } from './item-place';

interface Known {
  readonly item: string;
  readonly paths: readonly string[];
}

/** Found once: each answer is compared with the paths of all creations. */
const KNOWN = new WeakMap<Creation, Known>();

/** Every path of what a creation made, below the base URL: the description may have several for one thing. */
export function pathsOf(api: ApiModel, creation: Creation): readonly string[] {
  const { operation, path, item } = creation;
  if (item === undefined) return [];
  let known = KNOWN.get(creation);
  if (known?.item !== item) {
    known = { item, paths: [item, ...otherPaths(api, operation, path, item)] };
    KNOWN.set(creation, known);
  }
  return known.paths;
}
