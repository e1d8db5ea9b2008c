import { decodePathSegment, splitPath } from '../http/request-target';

/** Encoded twice is what some proxies decode twice; nobody is known to decode more often. */
const MOST_DECODED = 3;

/**
 * A segment of a path that leads out of it: a dot segment, or one behind an encoded slash. Proxies and servers that
 * decode before they route take `/items/..%2Fadmin%2Fusers%2F7` for `/admin/users/7` (RFC 3986 §5.2.4, §7.3).
 *
 * @param path - raw, without its query
 * @returns the segment, decoded; `undefined` where the path leads to what it says
 */
export function wayOut(path: string): string | undefined {
  for (const raw of splitPath(path)) {
    let text: string | undefined = raw;
    for (let times = 0; times <= MOST_DECODED && text !== undefined; times += 1) {
      // `..;x` is a dot segment to servers that know parameters of segments.
      if (text.split(/[/\\]/).some((part) => /^\.\.?(?:;.*)?$/s.test(part))) return text;
      const decoded = decodePathSegment(text);
      text = decoded === text ? undefined : decoded;
    }
  }
  return undefined;
}
