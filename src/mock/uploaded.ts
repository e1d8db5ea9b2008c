import type { SentFile } from '../checks/request/body-check';
import { octetText } from '../checks/request/body-text';
import { problem, type Problem } from '../checks/problem';
import type { HttpResponse } from '../http/message';
import { memberOf, setMember } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { wordsOf } from '../resources/inflection';
import type { Call } from './call';
import { arrange } from './conform';
import type { MockContext } from './context';
import type { Draft } from './draft';
import { CONTENT } from './file-places';
import type { ItemDraft } from './item';
import { itemAbove } from './item-above';
import type { OperationPlan } from './operation-plan';
import type { Resource } from './resource';

const FILE_NAME = /^(?:file|original|originalfile|display)name$/;
const ANY_NAME = /^(?:name|title)$/;
const MEDIA_TYPE = /^(?:(?:content|mime|media|file)type|mime)$/;
const SIZE = /^(?:(?:file|byte|content)?(?:size|length)|bytes|size(?:in)?bytes)$/;
/** How a file is kept with an item. */
export interface Keeping {
  /** See {@link FilePlace}. */
  readonly member: string;
  /** Was the item there before? Then what it told of the file that it had is true no longer. */
  readonly isChange: boolean;
  /** May a member have a value? */
  takes(member: string, value: string | number): boolean;
}

/**
 * Sets what an item tells of the file that it is made of: its name, its type, its size, where nothing else was sent for
 * them, and its octets, which {@link downloaded} answers. Of another file it tells nothing.
 */
export function setUploaded(
  { properties, hidden }: Pick<Resource, 'properties' | 'hidden'>,
  item: ItemDraft,
  file: SentFile,
  keeping: Keeping,
): void {
  const { member, isChange } = keeping;
  const names = member === CONTENT ? [...properties.keys()] : [];
  const hasOwn = names.some((name) => FILE_NAME.test(wordsOf(name).join('')));
  for (const name of names) {
    const value = toldOf(file, wordsOf(name).join(''), !hasOwn && !isChange);
    if (value === undefined || (!isChange && memberOf(item, name) !== undefined)) continue;
    if (keeping.takes(name, value)) setMember(item, name, value);
  }
  const { mediaType, bytes } = file;
  if (hidden.has(member)) setMember(item, member, { type: mediaType, octets: octetText(bytes) });
}

/**
 * What a member tells of a file.
 *
 * @param member - its name, folded
 * @param isNamed - is a plain `name` that of the file?
 */
function toldOf({ name, mediaType, bytes }: SentFile, member: string, isNamed: boolean): string | number | undefined {
  if (FILE_NAME.test(member) || (isNamed && ANY_NAME.test(member))) return name;
  if (MEDIA_TYPE.test(member)) return mediaType;
  return SIZE.test(member) ? bytes.length : undefined;
}

/** What is shown of an upload in place of its octets. */
export function noteOf(content: JsonValue): JsonValue {
  const { type = null, octets } = isJsonObject(content) ? content : {};
  return { type, bytes: typeof octets === 'string' ? octets.length : null };
}

/**
 * The octets of a file that is kept beside the item above a place, as they were sent.
 *
 * @returns `undefined` where none was sent; 404 where it was removed
 */
export function downloaded(plan: OperationPlan, call: Call, draft: Draft): HttpResponse | Problem | undefined {
  const { file, above, successStatus: status } = plan;
  if (file?.does !== 'download' || status >= 300) return undefined;
  const placed = above?.item(call, draft);
  const content = placed === undefined ? undefined : memberOf(placed.item, file.member);
  return content === null ? gone(call) : fileAnswer(content, status);
}

/** @param content - a file as it is kept */
export function fileAnswer(content: JsonValue | undefined, status: number): HttpResponse | undefined {
  const { type, octets } = isJsonObject(content) ? content : {};
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

/**
 * Keeps a file with the item above the place to which it is sent, or takes it away.
 *
 * @returns 404 where it was removed before
 */
export function keepFile(context: MockContext, plan: OperationPlan, call: Call, draft: Draft): Problem | undefined {
  const { file } = plan;
  const above = file === undefined || file.does === 'download' ? undefined : itemAbove(context, plan, call, draft);
  if (file === undefined || above === undefined) return undefined;
  const { resource, making, kept } = above;
  const { member } = file;
  const item: ItemDraft = { ...kept.item };
  if (file.does === 'remove') {
    if (memberOf(item, member) === null) return gone(call);
    setMember(item, member, null);
  } else if (call.file !== undefined) {
    const takes = (name: string, value: string | number): boolean => making.takes(name, value);
    setUploaded(resource, item, call.file, { member, isChange: true, takes });
  }
  draft.put(kept.collection, kept.key, arrange(resource, item));
  return undefined;
}

function gone({ operation }: Call): Problem {
  return problem('resource_not_found', `What was at ${operation.written} was removed`);
}
