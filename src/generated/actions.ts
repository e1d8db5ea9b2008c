import { pointerTo } from '../core/json/json-pointer';
import { isStateName, stateWordsOf } from '../openapi/naming/states';
import { viewOf } from '../openapi/view/schema-view';
import { samplerOf } from '../payload/sampler/sampler';
import { inferResourceModel } from '../resources/infer-resource-model';
import { withArticle } from '../traffic/contract/names';
import type { Draft } from './draft';
import { actionsOf, type ItemAction, NOT_NOW, verbOf } from './item-actions';
import { list, read } from './lifecycle';
import { GONE, keyPathOf, requestOf, type Subject, successStatuses } from './subject';
import type { MadeThing } from './thing';

/**
 * What can be done with a thing that the run made, below its path (`POST /orders/{id}/cancel`): in the order of the
 * description at one thing, and each at a thing of its own, since one may rule out the next. A service may refuse any.
 */
export function addActions(draft: Draft, subject: Subject): void {
  const actions = actionsOf(draft.api, subject, draft.actsFreely);
  if (actions.length === 0 || subject.comesWith !== undefined) return;
  const first = draft.ingredients(subject);
  if (first === undefined) return;
  const thing = draft.make(first, 'setup');
  // The entity tag before is another one than that after.
  read(draft, thing, `read the ${draft.noun} before that`, {});
  for (const action of actions) act(draft, thing, action);
  for (const action of actions.slice(1)) {
    if (action.operation.method === 'GET') continue;
    const own = draft.ingredients(subject);
    if (own === undefined) return;
    act(draft, draft.make(own, 'setup', `add ${withArticle(draft.noun)} of its own`), action);
  }
}

function act(draft: Draft, thing: MadeThing, action: ItemAction): void {
  const { operation } = action;
  const name = `${verbOf(action)} of the ${draft.noun}${wordOf(draft, action)}`;
  const isRead = operation.method === 'GET';
  const capture = isRead ? new Map<string, string>() : statesShown(draft, action);
  draft.add('steps', {
    name,
    ...draft.actionAt(thing, action),
    mayBeRefused: true,
    expect: { status: successStatuses(operation, [200, 201, 202, 204]) },
    ...(capture.size === 0 ? {} : { capture: Object.fromEntries(capturesOf(draft, action, capture)) }),
  });
  if (isRead || capture.size === 0) return;
  // Where the action was refused nothing was captured, and this is skipped.
  const shown = Object.fromEntries([...capture].map(([property, called]) => [property, `\${${called}}`]));
  read(draft, thing, `the ${draft.noun} is as ${verbOf(action)} showed it`, shown);
  if (!isDoneOnce(draft, action)) return;
  draft.add('steps', {
    name: `${name}, once more`,
    ...draft.actionAt(thing, action),
    // That it is a fault is seen by the check `said-rules`, where a read shows the state.
    mayBeRefused: successStatuses(operation, [200, 201, 202, 204]),
    expect: { status: NOT_NOW },
  });
}

/** The word that is sent, where it is one of a few. */
function wordOf({ api }: Draft, { operation, body }: ItemAction): string {
  const schema = requestOf({ operation });
  const nodes = schema === undefined ? [] : samplerOf(api).nodeOf(schema, 'request').properties;
  const words = nodes.flatMap(({ name, node }) => {
    const word = node.values === undefined ? undefined : body?.[name];
    return typeof word === 'string' ? [`, ${name} ${word}`] : [];
  });
  return words[0] ?? '';
}

/** Words for a state that a service leaves by itself: `closing`, `in_progress`. What is pending may be so for long. */
const PASSING = /^(?!pending$|awaiting|waiting|outstanding$|missing$)\w*(?:ing|progress)(?:_|$)|^queued$/i;

/** After which a thing may not be where it was. */
const MOVES = /^(?:archive|delete|destroy|discard|merge|move|purge|remove|transfer|trash)/i;

/**
 * Names for the words of its state that a thing shows in the response to an action, by property: as far as the response
 * shows the thing itself, and nothing else changes it.
 */
function statesShown(draft: Draft, action: ItemAction): Map<string, string> {
  const { api, noun } = draft;
  const { operation } = action;
  const { response, action: effect, resource } = inferResourceModel(api).bindings.get(operation) ?? {};
  const isLater = successStatuses(operation, [200]).includes(202) || MOVES.test(verbOf(action));
  if (response?.form !== 'item' || response.item === undefined || resource === undefined || isLater) return new Map();
  // What is null after it may be left out, and what goes with the first one may not be shown at all.
  const [assigned] = effect?.assignments.filter(({ value }) => value !== null) ?? [];
  const states = [...api.propertiesOf(response.item).values()].filter((property) => {
    const own = resource.properties.get(property.name);
    const words = stateWordsOf(viewOf(api), property);
    const isSame = own !== undefined && stateWordsOf(viewOf(api), own).join() === words.join();
    return (
      (property.name === assigned?.property || isStateName(property.name)) &&
      isSame &&
      !words.some((word) => PASSING.test(word))
    );
  });
  return new Map(states.slice(0, 2).map(({ name }) => [name, draft.freeName(`${name} of the ${noun}`)]));
}

function capturesOf(draft: Draft, { operation }: ItemAction, called: ReadonlyMap<string, string>): [string, string][] {
  const path = inferResourceModel(draft.api).bindings.get(operation)?.response?.path ?? [];
  return [...called].map(([property, name]) => [name, `$response.body#${pointerTo([...path, property])}`]);
}

/** Says the description that an action is refused in the state that it leads to? */
function isDoneOnce({ api }: Draft, { operation }: ItemAction): boolean {
  const { action, said } = inferResourceModel(api).bindings.get(operation) ?? {};
  const { property, values = [] } = said?.closed ?? {};
  const made = action?.assignments.find((each) => each.property === property);
  return made !== undefined && values.some((each) => each === made.value);
}

/** What a thing takes from another one, and gives back, as the check `said-rules` sees in the reads beside; then the last. */
export function addAmounts(draft: Draft, subject: Subject): void {
  const [rule] = subject.create.said.amounts;
  if (rule === undefined || subject.comesWith !== undefined) return;
  for (const isLeast of [false, true]) {
    draft.renewNeeds();
    const own = draft.ingredients(subject, 0, isLeast);
    const other = draft.needs(rule.of);
    if (own === undefined || other === undefined) return;
    const noun = other.subject.resource.name;
    const look = (when: string): void => {
      read(draft, other, `read the ${noun} ${when}`, {});
    };
    look('before that');
    const thing = draft.make(own, 'steps', `add ${withArticle(draft.noun)} of the ${noun}`, { mayBeRefused: true });
    look('after that');
    const { bindings } = inferResourceModel(draft.api);
    for (const action of isLeast ? [] : actionsOf(draft.api, subject, draft.actsFreely)) {
      if (bindings.get(action.operation)?.said.amounts.length === 0) continue;
      const expect = { status: successStatuses(action.operation, [200, 201, 204]) };
      const name = `${verbOf(action)} of the ${draft.noun} of the ${noun}`;
      draft.add('steps', { name, ...draft.actionAt(thing, action), mayBeRefused: true, expect });
      look(`after ${verbOf(action)}`);
    }
    if (!isLeast) continue;
    draft.make(own, 'steps', `add ${withArticle(draft.noun)} of the ${noun} once more`, { mayBeRefused: true });
    look('after the last');
  }
}

/** What brings back a removed thing that is still there. */
const RESTORES = /\/(?:restore|undelete|un-delete|undo-?delete|recover|unarchive|reinstate|reactivate)\/?$/i;

/** A thing that was removed is brought back, and is there again. */
export function addRestoration(draft: Draft, subject: Subject): void {
  const [restore] = actionsOf(draft.api, subject, draft.actsFreely).filter(
    ({ operation }) => operation.method !== 'GET' && RESTORES.test(operation.path),
  );
  const removal = subject.of('remove');
  const own = restore === undefined || removal === undefined ? undefined : draft.ingredients(subject);
  if (restore === undefined || removal === undefined || own === undefined || subject.comesWith !== undefined) return;
  const thing = draft.make(own, 'setup');
  const { noun } = draft;
  draft.addAt('setup', thing, removal, { name: `remove the ${noun}`, mayBeRefused: true });
  const look = `look whether the ${noun} is still there`;
  draft.addAt('setup', thing, subject.of('read'), { name: look, mayBeRefused: GONE });
  const key = keyShownBy(draft, restore);
  const called = key === undefined ? undefined : draft.freeName(`${noun} that is back`);
  draft.add('setup', {
    name: `${verbOf(restore)} of the ${noun}`,
    ...draft.actionAt(thing, restore),
    mayBeRefused: true,
    expect: { status: successStatuses(restore.operation, [200, 201, 204]) },
    ...(key === undefined || called === undefined ? {} : { capture: { [called]: key } }),
  });
  // It may be back with another key.
  const again = called === undefined ? thing : { ...thing, key: `\${${called}}` };
  read(draft, again, `the ${noun} is there again`, {});
  list(draft, again);
}

/** Where the response to an action has the key of the thing, as far as each response has it. */
function keyShownBy({ api }: Draft, { operation }: ItemAction): string | undefined {
  const { response, resource } = inferResourceModel(api).bindings.get(operation) ?? {};
  if (response?.form !== 'item' || response.item === undefined || resource === undefined) return undefined;
  const [name, ...inner] = keyPathOf(resource);
  const isShown = name !== undefined && inner.length === 0 && api.propertiesOf(response.item).has(name);
  return isShown ? `$response.body#${pointerTo([...response.path, name])}` : undefined;
}
