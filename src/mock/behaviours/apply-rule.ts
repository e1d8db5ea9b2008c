import { memberOf } from '../../json/member';
import type { Problem } from '../../checks/problem';
import { equalJson } from '../../json/equal-json';
import type { JsonValue } from '../../json/json-value';
import type { Item, ItemDraft } from '../item';
import { DraftRuleStore } from '../rule-store';
import { Refusal, type RuleEvent, type RuleStore } from '../rules';
import type { Task } from './task';

/** What a write is about to do, before its rule has spoken. */
export interface Write {
  readonly item: ItemDraft;
  readonly before: Item | undefined;
  readonly input: Item;
}

/** Calls the operation's rule. It changes `item` and the store, or refuses. */
export function applyRule(task: Task, write: Write): Problem | undefined {
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

/** Why a rule refuses a request. @throws what it threw, where that is no refusal */
export function problemOf(error: unknown): Problem {
  if (!(error instanceof Refusal)) throw error;
  const { status, code, message, pointer } = error;
  return { status, code, message, pointer };
}

/** Does a rule speak for the operation, and say all of what an item is like? Not where it can live with what is made up. */
export function isRuled({ rules, call }: Task): boolean {
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
  readonly refuse = refuse;
  private readonly nowMs: number;

  constructor({ item, before, input }: Write, { call, scope, draft, resources, rules, nowMs }: Task) {
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

  changes(member: string): boolean {
    const left = memberOf(this.item, member);
    const right = this.before?.[member];
    return left !== right && (left === undefined || right === undefined || !equalJson(left, right));
  }
}

/** {@link RuleEvent.refuse} */
export function refuse(status: number, code: string, message: string, pointer?: string): never {
  // A rules file may be JavaScript, where nothing else notices arguments in the wrong order.
  const isGood = Number.isInteger(status) && status >= 400 && status < 500 && /^[a-z][a-z0-9_]*$/.test(code);
  if (!isGood) {
    throw new Error(
      `A rule refuses with ${JSON.stringify([status, code])}; it takes a status of 4xx, a code in snake_case and a message`,
    );
  }
  throw new Refusal(status, code, message, pointer);
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
