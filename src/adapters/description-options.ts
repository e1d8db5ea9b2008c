import { fetchApi } from './node/load-api';
import type { LoadedDescription } from '../openapi/load-document';

/** How a description is read, the same wherever one is. */
export interface DescriptionOptions {
  /** Hosts that a `$ref` may lead to, such as `example.com`. Left out: none, nothing is fetched. */
  readonly allowRemote?: readonly string[] | undefined;
  /** Take what can be modelled in spite of errors in the description. */
  readonly lenient?: boolean | undefined;
}

/**
 * @param onRead - told of each file that the description refers to, as an absolute path
 * @throws SpecError with every finding
 */
export async function readDescription(
  file: string | undefined,
  { allowRemote, lenient }: DescriptionOptions,
  onRead?: (path: string) => void,
): Promise<LoadedDescription> {
  return fetchApi(file, { allowRemote, isLenient: lenient, onRead });
}
