import type { ApiModel } from '../../openapi/model/api-model';
import { inferResourceModel } from '../../resources/infer-resource-model';

/**
 * The resource that a key really belongs to: a record that is found by the key of another thing, such as the stock of an
 * article, has none of its own.
 *
 * @param path - of a resource
 * @returns the path of the resource whose key it is; mostly the same
 */
export function keyOwner(api: ApiModel, path: string): string {
  const resource = inferResourceModel(api).resources.find((each) => each.path === path);
  const to = resource?.references.find(({ property, form }) => form === 'key' && property === resource.key.name)?.to;
  return to ?? path;
}
