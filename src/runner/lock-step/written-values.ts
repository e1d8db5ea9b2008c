import { isSameValue } from '../../checks/run/sent-values';
import { isJsonObject, type JsonObject, type JsonValue, ownProperty, valueAlong } from '../../core/json/json-value';
import type { Property } from '../../openapi/model/operation';
import { typesOf } from '../../openapi/view/schema-view';
import { BEHAVIOURS, type Binding } from '../../resources/model/binding';
import { nameOfItem, type PairedItem, type PairedItems } from './paired-items';
import type { AnswerPair, AnswerReason, ItemChange, Side } from '../transport/reference';

/** A write that both sides did. */
interface DoneWrite {
  readonly binding: Binding;
  readonly answers: AnswerPair;
  readonly reason: AnswerReason;
  /** The item that it names or made; `undefined` where there is none. */
  readonly pair: PairedItem | undefined;
  readonly isNew: boolean;
}

/**
 * Takes up what a write that both sides did says of items: of its own what was sent, what a replacement left out and which
 * defaults hold, of that and of others what the mock changed besides.
 */
export function noteWrite(items: PairedItems, write: DoneWrite): void {
  const { pair, reason } = write;
  const sent = pair === undefined ? undefined : sentProperties(write);
  if (pair !== undefined && sent !== undefined && isReplacement(write)) noteCleared(pair, sent.target, reason);
  for (const change of reason.changes) noteChange(items, change, write, sent);
  if (pair !== undefined && sent !== undefined) noteSent(pair, sent);
}

function noteChange(items: PairedItems, change: ItemChange, write: DoneWrite, sent: SentItem | undefined): void {
  const changed = items.at('mock', nameOfItem(change.collection, change.key));
  if (changed === undefined) return;
  const isIt = changed === write.pair;
  const names = changedNames(change, isIt ? sent?.target : undefined);
  for (const name of names) noteEffect(changed, name, change, write.reason, isIt && write.isNew);
  if (change.after === undefined) changed.isRemoved = true;
}

function noteSent({ written }: PairedItem, { target, mock }: SentItem): void {
  for (const [name, value] of Object.entries(target)) {
    const other = ownProperty(mock, name);
    if (other === undefined) written.delete(name);
    else written.set(name, { kind: 'sent', target: value, mock: other });
  }
}

type SentItem = Readonly<Record<Side, JsonObject>>;

/** The properties that were sent for the item; none where the body is something else, such as a patch of operations. */
function sentProperties({ binding, answers }: DoneWrite): SentItem | undefined {
  const { behaviour, action, request } = binding;
  const isItem = request?.form === 'item' && (behaviour !== 'act' || action?.mergesBody === true);
  if (!isItem || behaviour === 'part' || behaviour === 'hold') return undefined;
  const of = (sent: JsonValue | undefined): JsonObject | undefined => {
    const item = valueAlong(sent, request.path);
    return isJsonObject(item) ? item : undefined;
  };
  const [target, mock] = [of(answers.target.sent), of(answers.mock.sent)];
  return target === undefined || mock === undefined ? undefined : { target, mock };
}

/** @param sent - what was sent of it, whatever became of that, is no effect */
function changedNames({ before, after }: ItemChange, sent: JsonObject = {}): string[] {
  if (after === undefined) return [];
  const names = new Set([...Object.keys(before ?? {}), ...Object.keys(after)]);
  return [...names].filter((name) => {
    if (name.startsWith('$') || Object.hasOwn(sent, name)) return false;
    const [old, now] = [before === undefined ? undefined : ownProperty(before, name), ownProperty(after, name)];
    return old === undefined || now === undefined ? old !== now : !isSameValue(old, now);
  });
}

/**
 * What the mock set that nobody sent. Only words of a list and truth values are the same at every service, and numbers that
 * a rule counts: a time, a token or a made-up text is not.
 */
function noteEffect(
  item: PairedItem,
  name: string,
  { after, resource }: ItemChange,
  { basis }: AnswerReason,
  isNew: boolean,
): void {
  const isStated = basis === 'stated';
  const property = resource.properties.get(name);
  const value = after === undefined ? undefined : ownProperty(after, name);
  if (item.written.get(name)?.kind !== 'cleared') item.written.delete(name);
  if (property === undefined || value === undefined) return;
  const meant = property.schema['default'];
  if (isNew && meant !== undefined && isSameValue(meant, value, property.schema))
    item.written.set(name, { kind: 'default', isStated });
  // What a new item begins with where nothing says so is made up.
  else if (isState(property) && (!isNew || isStated)) item.written.set(name, { kind: 'effect', isStated });
}

function isState({ schema }: Property): boolean {
  return Array.isArray(schema['enum']) || typesOf(schema).includes('boolean');
}

function isReplacement({ binding }: DoneWrite): boolean {
  const { behaviour, operation } = binding;
  return operation.method === 'PUT' && BEHAVIOURS[behaviour].takesWholeItems === true;
}

/** Services that merge what a PUT sends are many: that it replaces holds where somebody says so (RFC 9110 §9.3.4). */
function noteCleared(pair: PairedItem, sent: JsonObject, { basis }: AnswerReason): void {
  for (const [name, written] of pair.written) {
    if (Object.hasOwn(sent, name)) continue;
    if (written.kind === 'sent' && basis === 'stated')
      pair.written.set(name, { kind: 'cleared', before: written.target });
    else if (written.kind !== 'cleared') pair.written.delete(name);
  }
}
