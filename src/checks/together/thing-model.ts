import { matchesStrong } from '../../core/http/header-fields';
import { canonicalKey, isJsonObject, type JsonValue } from '../../core/json/json-value';
import { previewValue } from '../../core/json/stringify-json';
import type { SchemaObject } from '../../schema/schema-object';
import { isSameValue } from '../run/sent-values';
import type { SequentialModel, TimedEvent } from './order-search';

/** Values of properties, by name. */
export type Values = ReadonlyMap<string, JsonValue>;

/** What a request about one thing asks for; `other` may change it in ways that nobody knows. */
export type ThingAction = 'create' | 'replace' | 'merge' | 'remove' | 'read' | 'other';

/**
 * What became of it: done; not there (404, 410); its condition did not hold (412); refused for another reason, and
 * without effect; or nobody knows whether it was done.
 */
export type ThingOutcome = 'done' | 'absent' | 'unmet' | 'refused' | 'unknown';

/** A request about one thing, and its answer. */
export interface ThingEvent extends TimedEvent {
  readonly action: ThingAction;
  readonly outcome: ThingOutcome;
  /** What it writes. */
  readonly sent: Values;
  /** What the answer shows, as far as somebody wrote it. */
  readonly shown: Values;
  /** Did it name the key itself? Then two creations of it cannot both succeed. */
  readonly namesKey: boolean;
  /** Did the answer say that something was made (201)? */
  readonly isNew: boolean;
  /** Text of `If-Match`; `undefined` for none. */
  readonly condition: string | undefined;
  /** Entity tag of the answer to a read; `undefined` for none, and for a weak one. */
  readonly tag: string | undefined;
}

/** What is known of a thing between two requests. */
export interface ThingState {
  /** `undefined` where nobody knows. */
  readonly exists: boolean | undefined;
  /** Of the properties that somebody wrote and nobody changed since. */
  readonly values: Values;
  /** The entity tag that it has; `undefined` after a write. */
  readonly tag: string | undefined;
  /** What it was when it had a tag. */
  readonly tagged: ReadonlyMap<string, Values>;
}

const NOTHING: Values = new Map();

/** One thing as one request after the other finds and leaves it. */
export class ThingModel implements SequentialModel<ThingState, ThingEvent> {
  readonly initial: ThingState = { exists: undefined, values: NOTHING, tag: undefined, tagged: new Map() };
  private readonly schemaOf: (name: string) => SchemaObject | undefined;
  private readonly holdsWrites: boolean;

  /**
   * @param schemaOf - of a property, by its name
   * @param holdsWrites - are the answers to writes held to what they show as well? A service may read the thing for them once
   * more, which is no fault
   */
  constructor(schemaOf: (name: string) => SchemaObject | undefined, holdsWrites = false) {
    this.schemaOf = schemaOf;
    this.holdsWrites = holdsWrites;
  }

  next(state: ThingState, event: ThingEvent): readonly ThingState[] | string {
    switch (event.outcome) {
      case 'refused':
        return [state];
      case 'absent':
        // Of a change it may be what its body refers to that is not there.
        if (event.action !== 'read' && event.action !== 'remove') return [state];
        return state.exists === true ? 'it was not there, and nobody had removed it' : [{ ...state, ...GONE }];
      case 'unmet':
        return state.exists === true && isNamed(event, state.tag)
          ? 'its condition was not met (412), and nothing had changed the thing since the tag was read'
          : [state];
      case 'unknown': {
        const done = this.done(state, event);
        return typeof done === 'string' ? [state] : [state, ...done];
      }
      case 'done':
        return this.done(state, event);
    }
  }

  keyOf({ exists, values, tag, tagged }: ThingState): string {
    return JSON.stringify([String(exists), textOf(values), tag, [...tagged].map(([each, at]) => [each, textOf(at)])]);
  }

  private done(state: ThingState, event: ThingEvent): readonly ThingState[] | string {
    switch (event.action) {
      case 'create':
        return create(state, event);
      case 'replace':
      case 'merge':
        return this.write(state, event);
      case 'remove':
        if (state.exists === false) return 'it was removed, and was gone by then';
        return this.staleness(state, event) ?? [{ ...state, ...GONE }];
      case 'read':
        return this.read(state, event);
      case 'other':
        return [{ ...state, exists: undefined, values: NOTHING, tag: undefined }];
    }
  }

  private write(state: ThingState, event: ThingEvent): readonly ThingState[] | string {
    if (state.exists === false && !event.isNew) return 'it was changed, and was gone by then';
    if (state.exists === true && event.isNew) return 'it was made (201), and was there by then';
    const stale = this.staleness(state, event);
    if (stale !== undefined) return stale;
    const kept = event.action === 'merge' ? state.values : NOTHING;
    const values = known([...kept, ...event.sent]);
    const other = this.holdsWrites ? this.otherThan(values, event.shown) : undefined;
    return other ?? [{ ...state, exists: true, values, tag: undefined }];
  }

  /** Why a write with a condition cannot have been done here: the thing is another than the one that had the tag. */
  private staleness({ exists, values, tagged }: ThingState, { condition }: ThingEvent): string | undefined {
    if (condition === undefined || condition.trim() === '*') return undefined;
    if (exists === false) return 'it was done with a condition (If-Match), and the thing was gone by then';
    const before = [...tagged].find(([tag]) => matchesStrong(condition, tag))?.[1];
    const changed = [...(before ?? [])].find(([name, value]) => values.has(name) && !this.isSame(name, value, values));
    return changed === undefined
      ? undefined
      : `it was done with the entity tag of before (If-Match), and ${changed[0]} had been changed since`;
  }

  private read(state: ThingState, { shown, tag }: ThingEvent): readonly ThingState[] | string {
    if (state.exists === false) return 'it was there, and had been removed';
    const other = [...shown].find(
      ([name, value]) => state.values.has(name) && !this.isShown(name, state.values, value),
    );
    if (other !== undefined) {
      const [name, value] = other;
      return `it shows ${name} ${previewValue(value)} in the place of ${previewValue(state.values.get(name))}`;
    }
    const tagged = tag === undefined ? state.tagged : new Map([...state.tagged, [tag, state.values]]);
    return [{ ...state, exists: true, tag: tag ?? state.tag, tagged }];
  }

  /** What of an answer is not what was written last, in words. */
  private otherThan(values: Values, shown: Values): string | undefined {
    const other = [...shown].find(([name, value]) => !this.isShown(name, values, value));
    if (other === undefined) return undefined;
    const [name, value] = other;
    return `it shows ${name} ${previewValue(value)} in the place of ${previewValue(values.get(name))}`;
  }

  private isSame(name: string, value: JsonValue, values: Values): boolean {
    return this.isShown(name, values, value) || isSameValue(value, values.get(name), this.schemaOf(name));
  }

  private isShown(name: string, sent: Values, value: JsonValue): boolean {
    const wanted = sent.get(name);
    return wanted === undefined || isSameValue(wanted, value, this.schemaOf(name));
  }
}

const GONE = { exists: false, values: NOTHING, tag: undefined } as const;

/** Two creations that got one key from the service are the finding of another check. */
function create(state: ThingState, { sent, namesKey }: ThingEvent): readonly ThingState[] | string {
  if (state.exists !== true) return [{ ...state, exists: true, values: known([...sent]), tag: undefined }];
  if (namesKey) return 'it was made, and was there by then';
  return [{ ...state, exists: undefined, values: NOTHING, tag: undefined }];
}

/** The later of two values of a name counts. Of an object a part may stay as it was, and nobody knows the whole. */
function known(values: readonly (readonly [string, JsonValue])[]): Values {
  return new Map([...new Map(values)].filter(([, value]) => !isJsonObject(value)));
}

function isNamed({ condition }: ThingEvent, tag: string | undefined): boolean {
  return condition !== undefined && tag !== undefined && matchesStrong(condition, tag);
}

function textOf(values: Values): string {
  return canonicalKey(Object.fromEntries(values));
}
