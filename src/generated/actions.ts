import { isRequired } from '../checks/request/parameters';
import { isJsonObject, type JsonObject, pickProperties } from '../core/json/json-value';
import type { ApiModel } from '../openapi/model/api-model';
import type { Operation } from '../openapi/model/operation';
import { samplerOf } from '../payload/sampler/sampler';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { Binding } from '../resources/model/binding';
import { withArticle } from '../traffic/contract/names';
import { written } from './bodies';
import type { Draft } from './draft';
import { requestOf, type Subject, successStatuses } from './subject';
import type { MadeThing } from './thing';
import { opensWebSocket } from './uncalled';

/** More of them say nothing new of a kind. */
const MOST_ACTIONS = 8;

/**
 * What can be done with a thing that the run made, below its path (`POST /orders/{id}/cancel`): in the order of the
 * description at one thing, and each at a thing of its own, since one may rule out the next. A service may refuse any.
 */
export function addActions(draft: Draft, subject: Subject): void {
  const actions = actionsOf(draft, subject);
  if (actions.length === 0 || subject.comesWith !== undefined) return;
  const first = draft.ingredients(subject);
  if (first === undefined) return;
  const thing = draft.make(first, 'setup');
  for (const action of actions) act(draft, thing, action);
  for (const action of actions.slice(1)) {
    if (action.operation.method === 'GET') continue;
    const own = draft.ingredients(subject);
    if (own === undefined) return;
    act(draft, draft.make(own, 'setup', `add ${withArticle(draft.noun)} of its own`), action);
  }
}

/** An operation below a thing, and its body where it needs one. */
interface ItemAction {
  readonly operation: Operation;
  readonly body: JsonObject | undefined;
}

/**
 * Reads below the path of a thing, and what plainly changes that thing alone: a word of its state, or a time of it. Of
 * anything else nobody knows what comes of it: an invoice, a message to somebody, a row of others. What is listed below a
 * thing is a kind of its own.
 */
function actionsOf({ api }: Draft, { of, resource }: Subject): ItemAction[] {
  const item = (of('read') ?? of('remove'))?.operation.path.replace(/\/$/, '');
  if (item === undefined) return [];
  const { bindings } = inferResourceModel(api);
  const isBelow = ({ path }: Operation): boolean =>
    path.startsWith(`${item}/`) && !path.slice(item.length).includes('{');
  const isAsked = (operation: Operation): boolean => {
    const binding = bindings.get(operation);
    const depth = binding?.resource.scope.length ?? 0;
    const needsNothing = !operation.parameters.some((each) => each.in !== 'path' && isRequired(each));
    if (!isBelow(operation) || !needsNothing || opensWebSocket(operation)) return false;
    return operation.method === 'GET' ? depth <= resource.scope.length : binding !== undefined && isOwn(binding);
  };
  const isOwn = ({ behaviour, resource: own, action, operation, response }: Binding): boolean =>
    behaviour === 'act' &&
    own === resource &&
    action?.creates === undefined &&
    !operation.responses.has('201') &&
    (action?.assignments.length ?? 0) + (action?.timestamps.length ?? 0) > 0 &&
    (response === undefined || response.form === 'item');
  return api.operations
    .filter(isAsked)
    .flatMap((operation) => {
      const body = wordsAlone(api, operation);
      return body === undefined ? [] : [{ operation, body: Object.keys(body).length === 0 ? undefined : body }];
    })
    .slice(0, MOST_ACTIONS);
}

/** What people write, and a yes or no: neither names anything. */
const PROSE = /^(?:reason|note|notes|comment|comments|message|description|text|remark|remarks|title|summary)$/i;

/** The body of an action, of words alone; empty where it needs none, `undefined` where it has to name or count something. */
function wordsAlone(api: ApiModel, operation: Operation): JsonObject | undefined {
  if (operation.requestBody?.required !== true) return {};
  const schema = requestOf({ operation });
  const made = schema && samplerOf(api).sample(schema, { seed: operation.id, direction: 'request' });
  if (made?.kind !== 'made' || !isJsonObject(made.value)) return undefined;
  const words = pickProperties(made.value, (name, value) => typeof value === 'boolean' || PROSE.test(name));
  return schema?.accepts(words, 'request') === true ? words : undefined;
}

function act(draft: Draft, thing: MadeThing, { operation, body }: ItemAction): void {
  const { subject } = thing;
  const item = subject.of('read') ?? subject.of('remove');
  if (item === undefined) return;
  // The variables of an action are those of the thing.
  const request = draft.at(thing, { ...item, operation });
  const isRead = operation.method === 'GET';
  draft.add('steps', {
    name: `${operation.path.split('/').at(-1) ?? ''} of the ${draft.noun}`,
    ...request,
    ...(body === undefined ? {} : { body: written(body, []) }),
    ...(isRead ? {} : { touches: 'own' }),
    mayBeRefused: true,
    expect: { status: successStatuses(operation, [200, 201, 202, 204]) },
  });
}
