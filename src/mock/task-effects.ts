import { memberOf } from '../json/member';
import { isJsonObject, type JsonValue } from '../json/json-value';
import { mergePatch } from '../json/merge-patch';
import { effectOfWord } from '../resources/action-effect';
import { wordsOf } from '../resources/inflection';
import { parseTemplate } from '../resources/path-template';
import { readerOf } from '../resources/schema-reader';
import type { Call } from './call';
import type { MockContext } from './context';
import type { Draft } from './draft';
import type { Item, ItemDraft } from './item';
import { itemAbove, putMembers, takes } from './item-above';
import type { OperationPlan } from './operation-plan';
import type { Resource } from './resource';
import { isVerb, namesVerb } from './task-facts';

/** Verbs of tasks whose bodies say what members of the thing are to be. */
const CHANGES = /^(?:rename|resize|rescale|scale|change|update|set|modify|edit|reassign)$/;

/**
 * Does to an item what a task that was asked for below it says in plain words, for a task is done when it is read:
 * `{ "type": "power_off" }` and `POST /things/{id}/actions/power_off` make its `status` `off`, `rename` gives it the name
 * that was sent. A word that says nothing of the item, and what the item cannot hold, change nothing; so do operations
 * that are bound to the item, which they changed already, and those that a rule speaks of.
 */
export function doToSubject(context: MockContext, plan: OperationPlan, call: Call, draft: Draft): void {
  const word = wordOf(context, call);
  const subject = word === undefined ? undefined : itemAbove(context, plan, call, draft);
  if (word === undefined || subject === undefined || changes(plan, subject.resource)) return;
  const { resource, kept } = subject;
  const members = { ...membersSent(word, resource, call.body), ...effect(context, word, resource, kept.item) };
  putMembers(subject, members, draft);
}

/** Names of members that were sent with a task for the item that it is asked for. */
export function namesForSubject(context: MockContext, plan: OperationPlan, call: Call, draft: Draft): string[] {
  const word = plan.tasks().length === 0 ? undefined : wordOf(context, call);
  const subject = word === undefined ? undefined : itemAbove(context, plan, call, draft);
  if (word === undefined || subject === undefined || changes(plan, subject.resource)) return [];
  const members = membersSent(word, subject.resource, call.body);
  return takes(subject, members) ? Object.keys(members) : [];
}

/** Is the operation bound to the item, so that it changed it already? */
function changes({ behaviour }: OperationPlan, resource: Resource): boolean {
  const isIdle = behaviour?.kind === 'act' && behaviour.binding.action?.sets.length === 0;
  return behaviour?.resource === resource && !isIdle;
}

function effect({ api }: MockContext, word: string, { name, properties }: Resource, item: Item): ItemDraft {
  const found = effectOfWord(word, name, properties, readerOf(api));
  if (found === undefined) return {};
  const { member, value, isMerged } = found;
  return { [member]: isMerged === true ? mergePatch(memberOf(item, member), value) : value };
}

/** The word of a task that no rule speaks of. */
function wordOf({ rules }: MockContext, call: Call): string | undefined {
  return rules?.operations?.[call.operation.id] === undefined ? wordIn(call) : undefined;
}

/** The word for what is done: in the body, else at the end of the path. */
function wordIn({ body, operation }: Call): string | undefined {
  const named = Object.entries(isJsonObject(body) ? body : {}).find(
    ([name, value]) => namesVerb(name) && typeof value === 'string',
  );
  if (typeof named?.[1] === 'string') return named[1];
  const last = parseTemplate(operation.path)?.segments.at(-1);
  return operation.method === 'POST' && last?.kind === 'literal' && isVerb(last.text) ? last.text : undefined;
}

function membersSent(word: string, { properties, keyMember }: Resource, body: JsonValue | undefined): ItemDraft {
  if (!CHANGES.test(wordsOf(word)[0] ?? '') || !isJsonObject(body)) return {};
  return Object.fromEntries(
    Object.entries(body).filter(
      ([name, value]) => name !== keyMember && !namesVerb(name) && value !== null && properties.has(name),
    ),
  );
}
