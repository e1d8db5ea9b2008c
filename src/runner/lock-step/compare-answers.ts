import { headerValue } from '../../core/http/headers';
import { type JsonValue, valueAlong } from '../../core/json/json-value';
import { codeProperty, findResponse, jsonContent } from '../../openapi/view/responses';
import type { ApiModel } from '../../openapi/model/api-model';
import type { Operation } from '../../openapi/model/operation';
import type { Binding } from '../../resources/model/binding';
import { isCompleteList } from '../exchange/list-pages';
import { isAbsentKey } from '../ownership/absent-values';
import { pathOfLocation } from '../ownership/item-location';
import { routeOf } from '../ownership/item-routes';
import { compareItem, type Difference, itemIn } from './compare-items';
import { asksForFields, compareLists } from './compare-lists';
import { compareStatuses } from './compare-status';
import type { MadeItem } from './made-items';
import {
  collectionOfRequest,
  itemOfRequest,
  nameOfItem,
  type NamedItem,
  namedItems,
  type PairedItem,
  type PairedItems,
  shownKey,
} from './paired-items';
import { type AnswerPair, type AnswerReason, isSuccess, type Side } from '../transport/reference';

/** A step at both sides, and what is known of it. */
export interface ComparedStep {
  readonly api: ApiModel;
  readonly operation: Operation;
  /** What the mock takes the operation for; `undefined` where no state stands behind it. */
  readonly binding: Binding | undefined;
  readonly answers: AnswerPair;
  readonly reason: AnswerReason;
  readonly items: PairedItems;
  /** The item that the step made at both sides, as far as the responses tell. */
  readonly made: MadeItem | undefined;
  /** In everything that the run makes up a name for. */
  readonly runId: string;
  /** Base URLs of both sides. */
  readonly baseUrls: Readonly<Record<Side, string>>;
}

/** Why two answers are not compared. */
export interface Incomparable {
  readonly incomparable: string;
}

const DIVERGED: Incomparable = { incomparable: 'an earlier step of the same item went otherwise' };

/**
 * Compares two answers that the contract both lets. First whether they can be: what they are about has to be in the same
 * state at both sides. Then the status; where that is the same, or differs as it may, headers and body.
 */
export function compareAnswers(step: ComparedStep): readonly Difference[] | Incomparable {
  const { answers, binding, items } = step;
  const named = binding === undefined ? [] : namedItems(items, binding, answers);
  if (named.some(({ pair }) => pair?.isDiverged === true)) return DIVERGED;
  const hasStrangers = mayNameOthers(step, named);
  const kind = compareStatuses(answers, step.reason, step.operation, named.length > 0 && !hasStrangers);
  if (kind !== 'free') return differingStatuses(step, kind, named, hasStrangers);
  const { target, mock } = answers;
  if (isSuccess(target) && isSuccess(mock)) return [...compareHeaders(step), ...compareBodies(step)];
  return target.status === mock.status && target.status >= 400 ? compareErrors(step) : [];
}

function differingStatuses(
  step: ComparedStep,
  kind: 'warning' | 'error',
  named: readonly NamedItem[],
  hasStrangers: boolean,
): readonly Difference[] | Incomparable {
  // What one side alone has may be missing at the other, or be in another state there.
  if (hasStrangers) return { incomparable: 'it names something that the run did not make' };
  const followsFromState = !step.reason.isOfRequest && named.some(({ pair }) => pair?.isAltered === true);
  return followsFromState ? DIVERGED : [statusDifference(step, kind)];
}

/** Is something named that the run did not make? What has the id of the run in its name is nobody else's. */
function mayNameOthers(
  { binding, operation, answers, runId, reason }: ComparedStep,
  named: readonly NamedItem[],
): boolean {
  // A request that is wrong in itself is wrong in any state.
  if (reason.isOfRequest) return false;
  // Nobody knows which values of the path of an unbound operation name what the run made.
  if (binding === undefined) return operation.path.includes('{') && [404, 410].includes(answers.mock.status);
  return named.some(
    ({ target, mock, pair }) => pair?.isOwn !== true && !(target === mock && isAbsentKey(target, runId)),
  );
}

function statusDifference({ answers, operation }: ComparedStep, severity: 'warning' | 'error'): Difference {
  const { target, mock } = answers;
  const what = isSuccess(mock)
    ? 'is rejected, where the mock accepts it'
    : isSuccess(target)
      ? 'is accepted, where the mock rejects it'
      : 'is rejected by another status than that of the mock';
  return {
    severity,
    at: '/response/status',
    message: `${operation.id} ${what}`,
    expected: String(mock.status),
    actual: String(target.status),
    spec: operation.pointer,
  };
}

/** The code of an error, where the description lists the codes that there are; never its words. */
function compareErrors({ api, operation, answers, reason }: ComparedStep): Difference[] {
  const schema = jsonContent(findResponse(operation, answers.mock.status))?.schema;
  const name = schema === undefined ? undefined : codeProperty(api, schema);
  const property = name === undefined || schema === undefined ? undefined : api.propertiesOf(schema).get(name);
  if (property === undefined || !Array.isArray(property.schema['enum'])) return [];
  const [there, here] = [answers.target.body, answers.mock.body].map((body) => valueAlong(body, [property.name]));
  if (typeof there !== 'string' || typeof here !== 'string' || there === here) return [];
  return [
    {
      severity: reason.basis === 'stated' ? 'error' : 'warning',
      at: `/response/body/${property.name}`,
      message: 'The error has another code than that of the mock',
      expected: here,
      actual: there,
      spec: property.pointer,
    },
  ];
}

/** Documented headers are there; Location leads to what was made. What stands in the others is the service's own. */
function compareHeaders(step: ComparedStep): Difference[] {
  const { answers, operation } = step;
  const documented = findResponse(operation, answers.target.status);
  const missing = [...(documented?.headers ?? [])].flatMap(([name, { required, pointer }]): Difference[] => {
    const [there, here] = [answers.target, answers.mock].map(({ response }) => headerValue(response.headers, name));
    // What has to be there, and Location, other checks look for.
    if (required || name === 'location' || name === 'link' || here === undefined || there !== undefined) return [];
    const message = `The documented header ${name} is missing, which the mock sends`;
    return [{ severity: 'warning', at: `/response/headers/${name}`, message, actual: 'no header', spec: pointer }];
  });
  return [...missing, ...compareLocation(step)];
}

function compareLocation({ answers, made, baseUrls, api, binding }: ComparedStep): Difference[] {
  if (made?.kind !== 'paired' || binding === undefined) return [];
  const keyAt = (side: Side): string | undefined => {
    const { response } = answers[side];
    const location = headerValue(response.headers, 'location');
    const path = location === undefined ? undefined : pathOfLocation(location, baseUrls[side]);
    const match = path === undefined ? undefined : routeOf(api, path);
    if (match?.route.path !== binding.resource.itemPath) return undefined;
    return Object.values(match?.pathParameters ?? {}).at(-1);
  };
  const [there, here] = [keyAt('target'), keyAt('mock')];
  if (there === undefined || here !== made.pair.mock || there === made.pair.target) return [];
  return [
    {
      severity: 'error',
      at: '/response/headers/location',
      message: 'Location leads to another item than the one in the response',
      expected: made.pair.target,
      actual: there,
      spec: binding.operation.pointer,
    },
  ];
}

/** Bodies that stand for a state. An example, a file or a text of the mock says nothing of what another service sends. */
function compareBodies({ binding, reason, ...step }: ComparedStep): readonly Difference[] {
  if (binding === undefined || !reason.isStateful || step.answers.target.body === undefined) return [];
  if (binding.behaviour !== 'list') return compareItems({ ...step, reason }, binding);
  return compareLists(step.items, binding, step.answers, reason, ({ response: { headers }, body }, count) =>
    isCompleteList(binding.operation, { headers, body }, count),
  );
}

type OfItem = Omit<ComparedStep, 'binding'>;

function compareItems(step: OfItem, binding: Binding): readonly Difference[] {
  const { answers, items, made } = step;
  const { response: shape, resource } = binding;
  if (shape?.form !== 'item') return [];
  const { path } = shape;
  const [target, mock] = [itemIn(answers.target.body, path), itemIn(answers.mock.body, path)];
  if (target === undefined || mock === undefined) return [];
  const at = `/response/body${path.map((name) => `/${name}`).join('')}`;
  if (made?.kind === 'taken') return [identityDifference(at, binding, 'a key of its own', made.target)];
  const pair = made?.pair ?? shownPair(step, binding, { target, mock });
  if (pair !== undefined && 'severity' in pair) return [pair];
  const isSparse = asksForFields(binding, answers.target);
  const { operation } = binding;
  return compareItem(items, resource, { at, target, mock, pair, isNew: made !== undefined, isSparse, operation });
}

/** The pair of the item that both sides show, or that the target shows another one. */
function shownPair(
  { answers, items }: OfItem,
  binding: Binding,
  shown: Readonly<Record<Side, JsonValue>>,
): PairedItem | Difference | undefined {
  const { resource } = binding;
  const names = (['target', 'mock'] as const).map((side) => {
    const collection = collectionOfRequest(binding, answers[side]);
    const key = shownKey(resource, shown[side]);
    if (resource.kind === 'singleton') return collection;
    // An item that shows no key is the one that was asked for.
    if (key === undefined || collection === undefined) return itemOfRequest(binding, answers[side]);
    return nameOfItem(collection, key);
  });
  const [target, mock] = names;
  if (target === undefined || mock === undefined) return undefined;
  const meant = items.at('mock', mock);
  if (meant === undefined || !meant.isOwn || meant === items.at('target', target)) return items.find({ target, mock });
  const at = `/response/body/${(resource.key.propertyPath.length > 0 ? resource.key.propertyPath : [resource.key.name]).join('/')}`;
  return identityDifference(at, binding, meant.target, shownKey(resource, shown.target) ?? 'no key');
}

function identityDifference(at: string, { operation }: Binding, expected: string, actual: string): Difference {
  const message = 'The response shows another item than the mock does';
  return { severity: 'error', at, message, expected, actual, spec: operation.pointer };
}
