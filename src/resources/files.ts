import { bodyKind } from '../http/body-kind';
import type { MediaTypeEntry, Operation } from '../openapi/model';
import { successes } from './bodies';

const FILE_KINDS: ReadonlySet<string> = new Set(['binary', 'opaque', 'text']);

/** Is the whole body of such a request a file: octets, an image, or whatever comes? */
export function isFileBody({ mediaType, shape, schema }: MediaTypeEntry): boolean {
  const kind = bodyKind(mediaType);
  if (!FILE_KINDS.has(kind)) return false;
  if (shape.isBinary || /^(?:image|audio|video)\//i.test(mediaType)) return true;
  // Octets are no object: what is sent as such is the file that the members tell of.
  return kind === 'binary' && (schema === undefined || (!mediaType.includes('*') && shape.names.length > 0));
}

/** Does an operation take a file, as its whole body or as a part? */
export function takesFile({ requestBody }: Operation): boolean {
  return requestBody?.content.some((entry) => bodyKind(entry.mediaType) === 'multipart' || isFileBody(entry)) === true;
}

/** Does a GET answer nothing but files? */
export function answersFile(operation: Operation): boolean {
  const contents = operation.method === 'GET' ? successes(operation).flatMap(({ content }) => content) : [];
  return contents.length > 0 && contents.every(({ mediaType }) => FILE_KINDS.has(bodyKind(mediaType)));
}
