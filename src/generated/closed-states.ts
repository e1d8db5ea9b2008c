import type { JsonObject } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import { documentedInitialState, initialStatesAmong, isStateName, stateWordsOf } from '../openapi/naming/states';
import { viewOf } from '../openapi/view/schema-view';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { Draft } from './draft';
import { actionsOf, type ItemAction, NOT_NOW, verbOf } from './item-actions';
import type { Binding } from '../resources/model/binding';
import { read } from './lifecycle';
import { type Subject, successStatuses } from './subject';

/** An action after which a thing is in a state, and what the description says cannot be done then. */
interface Way {
  readonly action: ItemAction;
  readonly word: string;
  readonly closed: readonly ItemAction[];
  readonly changes: readonly Binding[];
}

/** What can be done only in some states is refused in another one, which an action leads to. */
export function addClosedStates(draft: Draft, subject: Subject): void {
  // Of several the last one: what ends a thing stands behind what goes on with it.
  const ways = waysOf(draft, subject).toReversed();
  const sizeOf = ({ closed, changes }: Way): number => closed.length + changes.length;
  const [way] = ways.toSorted((one, other) => sizeOf(other) - sizeOf(one));
  const own = way === undefined || subject.comesWith !== undefined ? undefined : draft.ingredients(subject);
  if (way === undefined || own === undefined) return;
  const thing = draft.make(own, 'setup');
  const { word, closed, changes } = way;
  draft.add('setup', {
    name: `${verbOf(way.action)} of the ${draft.noun}`,
    ...draft.actionAt(thing, way.action),
    mayBeRefused: true,
    expect: { status: successStatuses(way.action.operation, [200, 204]) },
  });
  read(draft, thing, `read the ${draft.noun} after that`, {});
  // That one is done all the same is a fault where that read shows the state: so says the check `said-rules`.
  const refused = (operation: Operation, name: string, request: JsonObject): void => {
    const mayBeRefused = successStatuses(operation, [200, 201, 202, 204]);
    draft.add('steps', {
      name: `${name} of the ${draft.noun} that is ${word}`,
      ...request,
      mayBeRefused,
      expect: { status: NOT_NOW },
    });
  };
  for (const action of closed) refused(action.operation, verbOf(action), draft.actionAt(thing, action));
  for (const change of changes) {
    const body = draft.changeOf(thing, change);
    if (body !== undefined) refused(change.operation, 'change', { ...draft.at(thing, change), body: body.sent });
  }
}

/** Of actions that a new thing lets be done, and after which it can still be removed. */
function waysOf({ api, actsFreely }: Draft, subject: Subject): Way[] {
  const { properties } = subject.resource;
  const state = [...properties.values()].find(({ name }) => isStateName(name));
  const words = state === undefined ? [] : stateWordsOf(viewOf(api), state);
  if (state === undefined || words.length < 2) return [];
  const { operation: create } = subject.create;
  const initial = documentedInitialState(words, [], [create.description]) ?? initialStatesAmong(words)[0] ?? '';
  const isOpen = ({ said }: Binding, word: string): boolean => said.closed?.values.includes(word) !== true;
  const { bindings } = inferResourceModel(api);
  const isDone = ({ operation }: ItemAction, word: string): boolean => {
    const binding = bindings.get(operation);
    return binding === undefined || isOpen(binding, word);
  };
  const remove = subject.of('remove');
  const all = [subject.of('replace') ?? subject.of('upsert'), subject.of('update')].filter(
    (each) => each !== undefined,
  );
  const actions = actionsOf(api, subject, actsFreely).filter(({ operation }) => operation.method !== 'GET');
  return actions.flatMap((action): Way[] => {
    const word = wordAfter(api, action.operation, state.name);
    if (word === undefined || !isDone(action, initial) || (remove !== undefined && !isOpen(remove, word))) return [];
    const closed = actions.filter((each) => each.operation !== action.operation && !isDone(each, word));
    const changes = all.filter((each) => !isOpen(each, word));
    return closed.length + changes.length === 0 ? [] : [{ action, word, closed, changes }];
  });
}

/** The word of its state that an action gives a thing, as far as the description of the action has that word. */
function wordAfter(api: ApiModel, operation: Operation, property: string): string | undefined {
  const { assignments = [] } = inferResourceModel(api).bindings.get(operation)?.action ?? {};
  const word = assignments.find((each) => each.property === property)?.value;
  const isTold =
    typeof word === 'string' && new RegExp(`\\b${word}\\b`, 'i').test(`${operation.summary} ${operation.description}`);
  return isTold ? word : undefined;
}
