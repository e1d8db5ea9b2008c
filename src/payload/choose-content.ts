import { bestMediaType } from '../http/accept';
import { isJsonMediaType } from '../http/media-type';
import type { MediaTypeEntry, ResponseSpec } from '../openapi/model';

/** The entry of a response that is answered with: the first JSON, else the first. */
export function chooseContent(response: ResponseSpec | undefined): MediaTypeEntry | undefined {
  return response?.content.find(({ mediaType }) => isJsonMediaType(mediaType)) ?? response?.content[0];
}

/**
 * The entries of a response in the order in which they are tried: the one that Accept prefers, then the others that it
 * lets through. Where it lets none through, all of them: a forced error is told whatever was asked for.
 */
export function contentInOrder(response: ResponseSpec, accept: string | undefined): readonly MediaTypeEntry[] {
  const usual = chooseContent(response);
  const { content } = response;
  const all = usual === undefined ? content : [usual, ...content.filter((entry) => entry !== usual)];
  if (accept === undefined || all.length === 0) return all;
  const accepted = all.filter(({ mediaType }) => bestMediaType(accept, [mediaType]) !== undefined);
  const best = bestMediaType(accept, response.mediaTypes);
  const first = accepted.find(({ mediaType }) => mediaType === best);
  if (first === undefined) return accepted.length === 0 ? all : accepted;
  return [first, ...accepted.filter((entry) => entry !== first)];
}
