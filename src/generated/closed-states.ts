import type { JsonObject } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import { documentedInitialState, initialStatesAmong, isStateName, stateWordsOf } from '../openapi/naming/states';
import { viewOf } from '../openapi/view/schema-view';
import { inferResourceModel } from '../resources/infer-resource-model';
import { written } from './bodies';
import type { Draft } from './draft';
import { actionsOf, type ItemAction } from './item-actions';
import { type Subject, successStatuses } from './subject';
import type { MadeThing } from './thing';

/** An action after which a thing is in a state, and what the description says cannot be done then. */
interface Way {
  readonly action: ItemAction;
  readonly word: string;
  readonly closed: readonly ItemAction[];
}

/** What can be done only in some states is refused in another one, which an action leads to. */
export function addClosedStates(draft: Draft, subject: Subject): void {
  // Of several the last one: what ends a thing stands behind what goes on with it.
  const ways = waysOf(draft, subject).toReversed();
  const [way] = ways.toSorted((one, other) => other.closed.length - one.closed.length);
  const own = way === undefined || subject.comesWith !== undefined ? undefined : draft.ingredients(subject);
  if (way === undefined || own === undefined) return;
  const thing = draft.make(own, 'setup');
  const { word, closed } = way;
  draft.add('setup', {
    name: `${verbOf(way.action)} of the ${draft.noun}`,
    ...requestOf(draft, thing, way.action),
    mayBeRefused: true,
    expect: { status: successStatuses(way.action.operation, [200, 204]) },
  });
  for (const action of closed)
    draft.add('steps', {
      name: `${verbOf(action)} of the ${draft.noun} that is ${word}`,
      ...requestOf(draft, thing, action),
      // Words are read by a rule that may be wrong: a service that does it is told of, and does not fail.
      mayBeRefused: successStatuses(action.operation, [200, 201, 202, 204]),
      expect: { status: [400, 403, 409, 410, 412, 422] },
    });
}

const verbOf = ({ operation }: ItemAction): string => operation.path.split('/').at(-1) ?? '';

function requestOf(draft: Draft, thing: MadeThing, { operation, body }: ItemAction): JsonObject {
  const sent = body === undefined ? {} : { body: written(body, []) };
  return { ...draft.actionAt(thing, operation), ...sent, touches: 'own' };
}

/** Of actions that a new thing lets be done, and after which it can still be removed. */
function waysOf({ api, actsFreely }: Draft, subject: Subject): Way[] {
  const { properties } = subject.resource;
  const state = [...properties.values()].find(({ name }) => isStateName(name));
  const words = state === undefined ? [] : stateWordsOf(viewOf(api), state);
  if (state === undefined || words.length < 2) return [];
  const { operation: create } = subject.create;
  const initial = documentedInitialState(words, [], [create.description]) ?? initialStatesAmong(words)[0] ?? '';
  const remove = subject.of('remove')?.operation;
  const isOpen = (operation: Operation | undefined, word: string): boolean => {
    const needed = operation === undefined ? [] : statesNeeded(operation, words);
    return needed.length === 0 || needed.includes(word);
  };
  const actions = actionsOf(api, subject, actsFreely).filter(({ operation }) => operation.method !== 'GET');
  return actions.flatMap((action): Way[] => {
    const word = wordAfter(api, action.operation, state.name);
    if (word === undefined || !isOpen(action.operation, initial) || !isOpen(remove, word)) return [];
    const closed = actions.filter(({ operation }) => !isOpen(operation, word));
    return closed.length === 0 ? [] : [{ action, word, closed }];
  });
}

/** The word of its state that an action gives a thing, as far as the description of the action has that word. */
function wordAfter(api: ApiModel, operation: Operation, property: string): string | undefined {
  const { assignments = [] } = inferResourceModel(api).bindings.get(operation)?.action ?? {};
  const word = assignments.find((each) => each.property === property)?.value;
  const isTold = typeof word === 'string' && new RegExp(`\\b${word}\\b`, 'i').test(textOf(operation));
  return isTold ? word : undefined;
}

function textOf({ summary, description }: Operation): string {
  return `${summary}. ${description}`.replaceAll(/\s+/g, ' ');
}

/** "Only a subscription in status paused can be resumed", of an operation that documents a conflict. */
const ONLY = /\bonly\b([^.;]{1,60}?)\b(?:can|may)\b(?! not)/gi;

/** The states in which an operation can be done alone; none where nothing is said of any. */
function statesNeeded(operation: Operation, words: readonly string[]): string[] {
  if (!operation.responses.has('409')) return [];
  const told = [...textOf(operation).matchAll(ONLY)].map(([, each = '']) => each).join(' ');
  return words.filter((word) => new RegExp(`\\b${word.replaceAll(/\W/g, '.')}\\b`, 'i').test(told));
}
