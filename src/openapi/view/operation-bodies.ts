import { bodyKind } from '../../core/http/media-type';
import type { MediaTypeEntry, Operation, ResponseSpec, Schema } from '../model/operation';

/** Of the entries of a `content` map, the one that JSON comes from or goes into. */
export function jsonEntry(content: readonly MediaTypeEntry[]): MediaTypeEntry | undefined {
  return (
    content.find(({ mediaType }) => /[/+]json\b/i.test(mediaType)) ??
    content.find(({ mediaType }) => /^(?:\*|application)\/\*/.test(mediaType))
  );
}

/**
 * Documented successes, the lowest status first. Where no status of a success or a redirection is documented, the
 * `default` is that of a success (OAS 3.0.3 §4.7.16.2), unless it says that it is an error.
 */
export function successes({ responses }: Operation): ResponseSpec[] {
  const all = [...responses.values()];
  const documented = all.filter(({ status }) => status.startsWith('2'));
  if (documented.length > 0) return documented.sort((left, right) => (left.status < right.status ? -1 : 1));
  const isRedirection = all.some(({ status }) => status.startsWith('3'));
  return isRedirection
    ? []
    : all.filter(({ status, description }) => status === 'default' && !/error|fail/i.test(description));
}

/** Operations are read-only, so that what one responses stays what it is. */
const SUCCESS_SCHEMAS = new WeakMap<Operation, { readonly schema: Schema | undefined }>();

/** Schema of the JSON body of the lowest 2xx response that has one. */
export function successSchema(operation: Operation): Schema | undefined {
  let known = SUCCESS_SCHEMAS.get(operation);
  if (known === undefined) SUCCESS_SCHEMAS.set(operation, (known = { schema: findSuccessSchema(operation) }));
  return known.schema;
}

function findSuccessSchema(operation: Operation): Schema | undefined {
  for (const { content } of successes(operation)) {
    const schema = jsonEntry(content)?.schema;
    if (schema !== undefined) return schema;
  }
  return undefined;
}

/**
 * Schema of the body that the operation takes: JSON before a form, and what is said of an item before the operations of
 * a JSON Patch (RFC 6902), whichever is listed first.
 */
export function requestSchema({ requestBody: judged, ignoredBody }: Operation): Schema | undefined {
  const requestBody = judged ?? ignoredBody;
  if (requestBody === undefined) return undefined;
  const ofItems = requestBody.content.filter(({ mediaType }) => !/json-patch\b/i.test(mediaType));
  const form = requestBody.content.find(({ mediaType }) =>
    /^(?:application\/x-www-form-urlencoded|multipart\/form-data)/i.test(mediaType),
  );
  return (jsonEntry(ofItems) ?? form ?? jsonEntry(requestBody.content))?.schema;
}

const FILE_KINDS: ReadonlySet<string> = new Set(['binary', 'opaque', 'text']);

/** Is the whole body of such a request a file: bytes, an image, or whatever comes? */
export function isFileBody({ mediaType, shape, schema }: MediaTypeEntry): boolean {
  const kind = bodyKind(mediaType);
  if (!FILE_KINDS.has(kind)) return false;
  if (shape.isBinary || /^(?:image|audio|video)\//i.test(mediaType)) return true;
  // Bytes are not object: what is sent as such is the file that the properties tell of.
  const saysFile = shape.names.length > 0 || schema?.value['format'] === 'byte';
  return kind === 'binary' && (schema === undefined || (!mediaType.includes('*') && saysFile));
}

/** Does an operation take a file, as its whole body or as a part? */
export function takesFile({ requestBody }: Operation): boolean {
  return requestBody?.content.some((entry) => bodyKind(entry.mediaType) === 'multipart' || isFileBody(entry)) === true;
}

/** Does a GET answer nothing but files? */
export function returnsFile(operation: Operation): boolean {
  const contents = operation.method === 'GET' ? successes(operation).flatMap(({ content }) => content) : [];
  return contents.length > 0 && contents.every(({ mediaType }) => FILE_KINDS.has(bodyKind(mediaType)));
}
