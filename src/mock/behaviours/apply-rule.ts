import type { Problem } from '../../checks/problem';
import { equalJson } from '../../json/equal-json';
import type { Call } from '../call';
import type { Item, ItemDraft } from '../item';
import { DraftRuleStore } from '../rule-store';
import { Refusal, type RuleEvent, type RuleStore } from '../rules';
import type { WriteContext } from './write-context';

/** What a write is about to do, before its rule has spoken. */
export interface Write {
  readonly item: ItemDraft;
  readonly before: Item | undefined;
  readonly input: Item;
}

/** Calls the operation's rule. It changes `item` and the store, or refuses. */
export function applyRule(call: Call, write: Write, context: WriteContext): Problem | undefined {
  const rule = context.rules?.operations?.[call.operation.id];
  if (rule === undefined) return undefined;
  try {
    rule(new Event(write, context));
    return undefined;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { status, code, message, pointer } = error;
    return { status, code, message, pointer };
  }
}

class Event implements RuleEvent {
  readonly item: ItemDraft;
  readonly before: Item | undefined;
  readonly input: Item;
  readonly store: RuleStore;
  readonly refuse = refuse;
  private readonly nowMs: number;

  constructor({ item, before, input }: Write, { draft, resources, nowMs }: WriteContext) {
    this.item = item;
    this.before = before;
    this.input = input;
    this.store = new DraftRuleStore(draft, resources);
    this.nowMs = nowMs;
  }

  get now(): string {
    return new Date(this.nowMs).toISOString();
  }

  changes(member: string): boolean {
    const left = this.item[member];
    const right = this.before?.[member];
    return left !== right && (left === undefined || right === undefined || !equalJson(left, right));
  }
}

function refuse(status: number, code: string, message: string, pointer?: string): never {
  throw new Refusal(status, code, message, pointer);
}
