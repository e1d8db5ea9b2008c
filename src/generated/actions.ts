import { isJsonObject, type JsonObject } from '../core/json/json-value';
import type { Operation } from '../openapi/model/operation';
import { samplerOf } from '../payload/sampler/sampler';
import { inferResourceModel } from '../resources/infer-resource-model';
import type { Binding } from '../resources/model/binding';
import { withArticle } from '../traffic/contract/names';
import { written } from './bodies';
import type { Draft } from './draft';
import { requestOf, type Subject, successStatuses } from './subject';
import type { MadeThing } from './thing';

/** More of them say nothing new of a kind. */
const MOST_ACTIONS = 8;
const METHODS: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH']);

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
 * Operations below the path of a thing that name nothing else, and of which no other thing comes that would stay. What is
 * listed below it is a kind of its own.
 */
function actionsOf({ api }: Draft, { of, resource }: Subject): ItemAction[] {
  const item = (of('read') ?? of('remove'))?.operation.path.replace(/\/$/, '');
  if (item === undefined) return [];
  const { bindings } = inferResourceModel(api);
  const isBelow = ({ path, method }: Operation): boolean =>
    path.startsWith(`${item}/`) && !path.slice(item.length).includes('{') && METHODS.has(method);
  const isPart = ({ behaviour, resource: own, action }: Binding): boolean =>
    behaviour === 'act' && own === resource && action?.creates === undefined;
  return api.operations
    .filter((operation) => {
      const binding = bindings.get(operation);
      const mayStay = operation.method === 'POST' && operation.responses.has('201');
      const isOther = operation.method === 'GET' && (binding?.resource.scope.length ?? 0) <= resource.scope.length;
      return isBelow(operation) && (binding === undefined ? !mayStay : isPart(binding) || isOther);
    })
    .flatMap((operation): ItemAction[] => {
      const schema = requestOf({ operation });
      if (schema === undefined) return operation.requestBody?.required === true ? [] : [{ operation, body: undefined }];
      const made = samplerOf(api).sample(schema, { seed: operation.id, direction: 'request' });
      return made.kind === 'made' && isJsonObject(made.value) ? [{ operation, body: made.value }] : [];
    })
    .slice(0, MOST_ACTIONS);
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
