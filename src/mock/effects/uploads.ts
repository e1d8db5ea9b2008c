import type { UploadedFile } from '../../checks/request/body-validation';
import { octetText } from '../../core/http/body-text';
import type { HttpResponse } from '../../core/http/message';
import { problem, type Problem } from '../../core/http/problem';
import { isJsonObject, type JsonValue, ownProperty, setProperty } from '../../core/json/json-value';
import { wordsOf } from '../../core/text/inflection';
import type { Call } from '../calls/call';
import type { MockContext } from '../context/context';
import type { BehaviourContext, OperationPlan } from '../plans/operation-plan';
import type { Draft } from '../state/draft';
import type { Item, ItemDraft } from '../state/item';
import { CONTENT } from '../state/item-paths';
import { arrange } from '../state/item-representation';
import type { Resource } from '../state/prepared-resource';
import { findStoredParent } from './parent-item-changes';

const FILE_NAME = /^(?:file|original|originalfile|display)name$/;
const ANY_NAME = /^(?:name|title)$/;
const MEDIA_TYPE = /^(?:(?:content|mime|media|file)type|mime)$/;
const SIZE = /^(?:(?:file|byte|content)?(?:size|length)|bytes|size(?:in)?bytes)$/;
/** How a file is stored with an item. */
interface UploadTarget {
  readonly member: string;
  /** Was the item there before? Then what it told of the file that it had is true no longer. */
  readonly isChange: boolean;
  takes(property: string, value: string | number): boolean;
}

/**
 * Sets what an item tells of the file that it is made of: its name, its type, its size, where nothing else was sent for
 * them, and its bytes, which {@link storedFileResponse} answers. Of another file it tells nothing.
 */
function setUploaded(
  { properties, hidden }: Pick<Resource, 'properties' | 'hidden'>,
  item: ItemDraft,
  file: UploadedFile,
  keeping: UploadTarget,
): void {
  const { member: property, isChange } = keeping;
  const names = property === CONTENT ? [...properties.keys()] : [];
  const hasOwn = names.some((name) => FILE_NAME.test(wordsOf(name).join('')));
  for (const name of names) {
    const value = filePropertyValue(file, wordsOf(name).join(''), !hasOwn && !isChange);
    if (value === undefined || (!isChange && ownProperty(item, name) !== undefined)) continue;
    if (keeping.takes(name, value)) setProperty(item, name, value);
  }
  const { mediaType, bytes } = file;
  if (hidden.has(property)) setProperty(item, property, { type: mediaType, octets: octetText(bytes) });
}

/**
 * What a property tells of a file.
 *
 * @param property - its name, folded
 * @param isNamed - is a plain `name` that of the file?
 */
function filePropertyValue(
  { name, mediaType, bytes }: UploadedFile,
  property: string,
  isNamed: boolean,
): string | number | undefined {
  if (FILE_NAME.test(property) || (isNamed && ANY_NAME.test(property))) return name;
  if (MEDIA_TYPE.test(property)) return mediaType;
  return SIZE.test(property) ? bytes.length : undefined;
}

/**
 * The bytes of a file that is stored beside the item above a place, as they were sent.
 *
 * @returns `undefined` where none was sent; 404 where it was removed
 */
export function storedFileResponse(plan: OperationPlan, call: Call, draft: Draft): HttpResponse | Problem | undefined {
  const { file, parentItem, successStatus: status } = plan;
  if (file?.does !== 'download' || status >= 300) return undefined;
  const placed = parentItem?.item(call, draft);
  const content = placed === undefined ? undefined : ownProperty(placed.item, file.member);
  return content === null ? gone(call) : fileResponse(content, status);
}

/** @param content - a file as it is stored */
export function fileResponse(content: JsonValue | undefined, status: number): HttpResponse | undefined {
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
export function storeFile(context: MockContext, plan: OperationPlan, call: Call, draft: Draft): Problem | undefined {
  const { file } = plan;
  const above =
    file === undefined || file.does === 'download' ? undefined : findStoredParent(context, plan, call, draft);
  if (file === undefined || above === undefined) return undefined;
  const { resource, serverValues, stored } = above;
  const { member: property } = file;
  const item: ItemDraft = { ...stored.item };
  if (file.does === 'remove') {
    if (ownProperty(item, property) === null) return gone(call);
    setProperty(item, property, null);
  } else if (call.file !== undefined) {
    const takes = (name: string, value: string | number): boolean => serverValues.accepts(name, value);
    setUploaded(resource, item, call.file, { member: property, isChange: true, takes });
  }
  draft.put(stored.collection, stored.key, arrange(resource, item));
  return undefined;
}

function gone({ operation }: Call): Problem {
  return problem('resource_not_found', `What was at ${operation.written} was removed`);
}

/**
 * Gives an item the file that was sent, where files are something to such items.
 *
 * @param before - the item as it was; `undefined` for a new one
 */
export function storeUpload(
  { call, plan, resource }: BehaviourContext,
  item: ItemDraft,
  before: Item | undefined,
): void {
  const property = plan.fileMember;
  if (call.file === undefined || property === undefined) return;
  const takes = (name: string, value: string | number): boolean => plan.serverValues.accepts(name, value);
  setUploaded(resource, item, call.file, { member: property, isChange: before !== undefined, takes });
}
