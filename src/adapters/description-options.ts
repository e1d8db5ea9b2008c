import { ConfigError } from '../errors/harness-error';
import type { LoadedDescription } from '../openapi/load-document';
import type { FetchOptions } from './node/load-description';
import { fetchApi, fetchGivenApi } from './node/load-api';
import { loadOverlay, overlaid } from './node/load-overlay';
import { namedPack, packsByTitle, type Pack } from './node/load-packs';

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
  /** Changes of the description (Overlay Specification 1.0), one after the other: paths of files, or what stands in one. */
  readonly overlays?: readonly (string | object)[] | undefined;
  /**
   * What the API means beyond its description: packs of the package by name, others by their folders; `off` for none.
   * Left out: for a mock, those of the package that were made for the title of the description.
   */
  readonly packs?: 'off' | readonly string[] | undefined;
}

/** A description, and the packs that are used with it. */
export interface ReadDescription extends LoadedDescription {
  readonly packs: readonly Pack[];
}

/** What may be asked of {@link readDescription} beside its options. */
export interface ReadHooks {
  /** Told of each file that the description refers to, as an absolute path. */
  readonly onRead?: ((path: string) => void) | undefined;
  /** Are packs chosen by the title of the description, where none is named? */
  readonly choosesPacks?: boolean | undefined;
}

/**
 * Reads, changes and judges a description.
 *
 * @param description - its path or address, or the document itself
 * @throws SpecError with every finding; ConfigError for overlays and packs that cannot be used
 */
export async function readDescription(
  description: string | object | undefined,
  options: DescriptionOptions,
  { onRead, choosesPacks }: ReadHooks = {},
): Promise<ReadDescription> {
  const { allowRemote, allowFiles, lenient } = options;
  const changes = changesOf(options, choosesPacks);
  const how = { allowRemote, allowFiles, isLenient: lenient, onRead, ...changes.options };
  const isDocument = typeof description === 'object';
  const loaded = await (isDocument ? fetchGivenApi(description, how) : fetchApi(description, how));
  return { ...loaded, packs: changes.packs() };
}

/** In JavaScript nothing else notices a text in the place of a list. */
function requireLists(overlays: unknown, packs: unknown): void {
  for (const [name, value] of Object.entries({ overlays, packs }))
    if (value !== undefined && value !== 'off' && !Array.isArray(value))
      throw new ConfigError('CONFIG_INVALID', `The option ${name} is no list`, { hint: `Put it into brackets.` });
}

/** What is done to a description before it is judged. */
export function changesOf(
  { overlays = [], packs }: DescriptionOptions,
  choosesPacks: boolean | undefined,
): { readonly options: Pick<FetchOptions, 'change' | 'isChanged'>; readonly packs: () => readonly Pack[] } {
  requireLists(overlays, packs);
  const own = overlays.map(loadOverlay);
  const isChosen = packs === undefined && choosesPacks === true;
  let used = packs === undefined || packs === 'off' ? [] : packs.map(namedPack);
  const options: Pick<FetchOptions, 'change' | 'isChanged'> = {
    change(document) {
      if (isChosen) used = packsByTitle(document.root);
      return overlaid(document, [...used.flatMap(({ overlay }) => overlay ?? []), ...own]);
    },
    isChanged: own.length > 0 || used.some(({ overlay }) => overlay !== undefined),
  };
  return { options, packs: () => used };
}
