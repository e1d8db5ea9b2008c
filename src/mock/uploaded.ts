import type { SentFile } from '../checks/request/body-check';
import type { HttpResponse } from '../http/message';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { memberOf, setMember } from '../json/member';
import { octetText } from '../checks/request/body-text';
import { wordsOf } from '../resources/inflection';
import { lastLiteral, type PathTemplate } from '../resources/path-template';
import type { Operation } from '../openapi/model';
import type { Binding } from '../resources/resource-model';
import type { Above } from './above';
import type { Call } from './call';
import type { Draft } from './draft';
import type { ItemDraft } from './item';
import type { OperationPlan } from './operation-plan';
import type { Resource } from './resource';

/** The hidden member under which the octets of an upload are kept beside the item that was made of it. */
export const CONTENT = '$content';

const FILE_NAME = /^(?:file|original|originalfile|display)name$/;
const ANY_NAME = /^(?:name|title)$/;
const MEDIA_TYPE = /^(?:(?:content|mime|media|file)type|mime)$/;
const SIZE = /^(?:(?:file|byte|content)?(?:size|length)|bytes|size(?:in)?bytes)$/;
/** Places below an item at which it is downloaded. */
const DOWNLOAD = /^(?:contents?|download|raw|data|file|media|binary|body|blob|original|stream)$/;

/** Do operations of a resource make items of files that are sent? */
export function takesFiles(bindings: readonly Binding[]): boolean {
  return bindings.some(({ behaviour, operation }) => {
    const isMade = behaviour === 'create' || behaviour === 'upsert' || behaviour === 'replace';
    return isMade && operation.requestBody?.mediaTypes.some((type) => /^multipart\//i.test(type)) === true;
  });
}

/**
 * Sets what an item tells of the file that it was made of: its name, its type, its size, where nothing else was sent for
 * them, and its octets, which {@link downloaded} answers.
 */
export function setUploaded(
  { properties, hidden }: Resource,
  item: ItemDraft,
  { name: fileName, mediaType, bytes }: SentFile,
  takes: (member: string, value: string | number) => boolean,
): void {
  const names = [...properties.keys()];
  const hasOwn = names.some((name) => FILE_NAME.test(wordsOf(name).join('')));
  for (const name of names) {
    const folded = wordsOf(name).join('');
    const isName = FILE_NAME.test(folded) || (!hasOwn && ANY_NAME.test(folded));
    const value = isName
      ? fileName
      : MEDIA_TYPE.test(folded)
        ? mediaType
        : SIZE.test(folded)
          ? bytes.length
          : undefined;
    if (value !== undefined && memberOf(item, name) === undefined && takes(name, value)) setMember(item, name, value);
  }
  if (hidden.has(CONTENT)) setMember(item, CONTENT, { type: mediaType, octets: octetText(bytes) });
}

/** What is shown of an upload in place of its octets. */
export function noteOf(content: JsonValue): JsonValue {
  const { type = null, octets } = isJsonObject(content) ? content : {};
  return { type, bytes: typeof octets === 'string' ? octets.length : null };
}

/** Is an operation a download of what the item above it was made of? */
export function isDownload(
  { method }: Operation,
  above: Pick<Above, 'keepsFiles'> | undefined,
  template: PathTemplate | undefined,
): boolean {
  if (method !== 'GET' || above?.keepsFiles !== true || template === undefined) return false;
  return DOWNLOAD.test(wordsOf(lastLiteral(template.segments)).join(''));
}

/** The octets of the item above a place at which it is downloaded, as they were sent; `undefined` where none are kept. */
export function downloaded(plan: OperationPlan, call: Call, draft: Draft): HttpResponse | undefined {
  const { downloads, above, successStatus: status } = plan;
  if (!downloads || status >= 300) return undefined;
  const item = above?.item(call, draft);
  const content = item === undefined ? undefined : memberOf(item, CONTENT);
  if (!isJsonObject(content)) return undefined;
  const { type, octets } = content;
  if (typeof type !== 'string' || typeof octets !== 'string') return undefined;
  const body = Buffer.from(octets, 'latin1');
  // What a client sent must not run as a page of this origin, whose admin routes are open to it.
  const harmless = ['Content-Security-Policy', 'sandbox', 'X-Content-Type-Options', 'nosniff'];
  const headers = [
    'Cache-Control',
    'no-cache',
    'Content-Type',
    type,
    'Content-Length',
    String(body.length),
    ...harmless,
  ];
  return { status, headers, body };
}
