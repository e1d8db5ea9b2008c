import { decodePathSegment, splitPath } from '../http/request-target';

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
  return splitPath(path)
    .map((segment) => encodeURIComponent(decodePathSegment(segment) ?? segment))
    .join('/');
}
