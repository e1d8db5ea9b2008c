import { bestMediaType, negotiate } from '../http/accept';
import { isJsonMediaType } from '../http/media-type';
import type { MediaTypeEntry, ResponseSpec } from '../openapi/model';

/** The entry of a response that is answered with: the first JSON, else the first. */
export function chooseContent(response: ResponseSpec | undefined): MediaTypeEntry | undefined {
  return response?.content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? response?.content[0];
}

const OFFERED = new WeakMap<ResponseSpec, readonly string[]>();
const NO_TYPES: readonly string[] = [];

/** The keys of `content`, that of {@link chooseContent} first, so that it wins a tie; always the same array. */
export function offeredTypes(response: ResponseSpec | undefined): readonly string[] {
  if (response === undefined) return NO_TYPES;
  let offered = OFFERED.get(response);
  if (offered === undefined) {
    const usual = chooseContent(response)?.mediaType;
    const others = response.mediaTypes.filter((mediaType) => mediaType !== usual);
    OFFERED.set(response, (offered = usual === undefined ? others : [usual, ...others]));
  }
  return offered;
}

/**
 * The entries of a response in the order in which they are tried: the one that Accept prefers, then the others that it
 * lets through. Where it lets none through, all of them, the nearest first.
 */
export function contentInOrder(response: ResponseSpec, accept: string | undefined): readonly MediaTypeEntry[] {
  const offered = offeredTypes(response);
  const all = offered.flatMap((key) => response.content.find(({ mediaType }) => mediaType === key) ?? []);
  if (accept === undefined || all.length === 0) return all;
  const found = negotiate(accept, offered);
  if (found.kind === 'excluded') return all;
  const first = all.find(({ mediaType }) => mediaType === found.mediaType);
  const accepted = all.filter(({ mediaType }) => bestMediaType(accept, [mediaType]) !== undefined);
  const rest = (accepted.length === 0 ? all : accepted).filter((entry) => entry !== first);
  return first === undefined ? rest : [first, ...rest];
}
