import { fetchApi } from './node/load-api';
import type { LoadedDescription } from '../openapi/load-document';

/** How a description is read, the same wherever one is. */
export interface DescriptionOptions {
  /** Hosts that a `$ref` may lead to, such as `example.com`. Left out: none, nothing is fetched. */
  readonly allowRemote?: readonly string[] | undefined;
  /**
   * Folders of this machine whose files a `$ref` may lead to. Without them it leads to files in the folder of the
   * description and below, and to JSON and YAML documents of the project (the repository) that it stands in.
   */
  readonly allowFiles?: readonly string[] | undefined;
  /** Take what can be modelled in spite of errors in the description. */
  readonly lenient?: boolean | undefined;
}

/**
 * @param onRead - told of each file that the description refers to, as an absolute path
 * @throws SpecError with every finding
 */
export async function readDescription(
  file: string | undefined,
  { allowRemote, allowFiles, lenient }: DescriptionOptions,
  onRead?: (path: string) => void,
): Promise<LoadedDescription> {
  return fetchApi(file, { allowRemote, allowFiles, isLenient: lenient, onRead });
}
