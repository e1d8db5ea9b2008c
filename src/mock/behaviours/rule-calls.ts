import type { Problem } from '../../core/http/problem';
import { equalJson, type JsonValue, ownProperty } from '../../core/json/json-value';
import { BEHAVIOURS } from '../../resources/model/binding';
import { sentValue } from '../calls/call';
import type { ItemTest } from '../lists/item-filters';
import type { BehaviourContext, RuleFilters } from '../plans/operation-plan';
import { DraftRuleStore } from '../rules/rule-store';
import { Rejection, type RuleEvent, type RuleStore } from '../rules/rules';
import type { Item, ItemDraft } from '../state/item';

/** What a write is about to do, before its rule has spoken. */
interface Write {
  readonly item: ItemDraft;
  readonly before: Item | undefined;
  readonly input: Item;
}

/** Calls the operation's rule. It changes `item` and the store, or rejects. */
export function applyRule(task: BehaviourContext, write: Write): Problem | undefined {
  const { operation } = task.call;
  const rule = task.rules?.operations?.[operation.id];
  if (rule === undefined) return undefined;
  try {
    // JavaScript may return what the type does not allow.
    const run: (event: RuleEvent) => unknown = rule;
    const returned = run(new Event(write, task));
    if (isThenable(returned)) throw asyncRule(operation.id, returned);
    return undefined;
  } catch (error) {
    return problemOf(error);
  }
}

/** Why a rule rejects a request. @throws what it threw, where that is not a rejection */
function problemOf(error: unknown): Problem {
  if (!(error instanceof Rejection)) throw error;
  const { status, code, message, pointer } = error;
  return { status, code, message, pointer };
}

/** Does a rule speak for the operation, and say all of what an item is like? Not where it can live with what is generated. */
export function isRuled({ rules, call }: BehaviourContext): boolean {
  return rules?.operations?.[call.operation.id] !== undefined && rules.beginning !== 'seeded';
}

const NO_PATH: RuleEvent['path'] = Object.freeze({});

class Event implements RuleEvent {
  readonly item: ItemDraft;
  readonly before: Item | undefined;
  readonly input: Item;
  readonly collection: string;
  readonly path: Readonly<Record<string, JsonValue>>;
  readonly store: RuleStore;
  readonly refuse = reject;
  private readonly nowMs: number;

  constructor({ item, before, input }: Write, { call, scope, draft, resources, rules, nowMs }: BehaviourContext) {
    this.item = item;
    this.before = before;
    this.input = input;
    this.collection = scope.collection;
    const { path } = call.parameters;
    this.path = path.size === 0 ? NO_PATH : Object.freeze(Object.fromEntries(path));
    this.store = new DraftRuleStore(draft, resources, rules?.references);
    this.nowMs = nowMs;
  }

  get now(): string {
    return new Date(this.nowMs).toISOString();
  }

  changes(property: string): boolean {
    const left = ownProperty(this.item, property);
    const right = this.before?.[property];
    return left !== right && (left === undefined || right === undefined || !equalJson(left, right));
  }
}

function reject(status: number, code: string, message: string, pointer?: string): never {
  // A rules file may be JavaScript, where nothing else notices arguments in the wrong order.
  const isGood = Number.isInteger(status) && status >= 400 && status < 500 && /^[a-z][a-z0-9_]*$/.test(code);
  if (!isGood) {
    throw new Error(
      `A rule rejects with ${JSON.stringify([status, code])}; it takes a status of 4xx, a code in snake_case and a message`,
    );
  }
  throw new Rejection(status, code, message, pointer);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value;
}

/** A rule that waits would let another request in between its reading and its writing. */
function asyncRule(operation: string, returned: PromiseLike<unknown>): Error {
  // What it throws later is nobody's to catch any more.
  returned.then(undefined, () => undefined);
  return new Error(`The rule of ${operation} is asynchronous; a rule must be done when it returns`);
}

/** Asks the rules which items a request wants. @returns why it is rejected, or `undefined` where no rule says anything */
export function readRuleFilters({
  call,
  plan,
  scope,
  draft,
  resources,
  rules,
}: BehaviourContext): RuleFilters | Problem | undefined {
  const filters = rules?.filters;
  if (filters === undefined || BEHAVIOURS[plan.kind].selectsMany !== true) return undefined;
  const { operation } = call;
  const ruled = operation.parameters.filter((each) => each.in === 'query' && Object.hasOwn(filters, each.name));
  if (ruled.length === 0) return undefined;
  const store = new DraftRuleStore(draft, resources, rules?.references);
  const { id } = operation;
  const query = Object.freeze(Object.fromEntries(call.parameters.query));
  const event = { operation: id, collection: scope.collection, query, store, refuse: reject };
  const tests: ItemTest[] = [];
  for (const parameter of ruled) {
    try {
      const test = filters[parameter.name]?.({ ...event, value: sentValue(call, parameter) });
      if (test !== undefined) tests.push(test);
    } catch (error) {
      return problemOf(error);
    }
  }
  return { parameters: new Set(ruled.map(({ name }) => name)), tests };
}
