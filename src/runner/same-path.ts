import { decodePathSegment, splitPath } from '../http/request-target';

/** Segments of nothing but characters that `encodeURIComponent` leaves as they are. */
const UNRESERVED = /^\/[\w\-.!~*'()/]*$/;

/** Do two paths name the same thing, however their segments are percent-encoded (RFC 3986 §6.2.2)? */
export function isSamePath(left: string, right: string): boolean {
  return left === right || keyOf(left) === keyOf(right);
}

/** Does a path name something, or what stands below it? */
export function isAtOrBelow(path: string | undefined, item: string): boolean {
  return path !== undefined && `${keyOf(path)}/`.startsWith(`${keyOf(item)}/`);
}

/** Segments in one spelling each. */
function keyOf(path: string): string {
  // Most paths are spelt in the only way there is.
  if (UNRESERVED.test(path)) return path.slice(1);
  return splitPath(path)
    .map((segment) => encodeURIComponent(decodePathSegment(segment) ?? segment))
    .join('/');
}
