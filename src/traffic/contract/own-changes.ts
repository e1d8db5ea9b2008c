import { isJsonObject, valueAlong } from '../../core/json/json-value';
import { type Call, isSuccess } from '../flow/call';
import type { OwnThing } from './own-things';

/** What a step changed, in words: why one that comes behind it is another one than one before it. */
interface OwnChange {
  readonly resource: string;
  readonly thing: OwnThing;
  /** Goes on after what the thing is called: `was removed`. */
  readonly happened: string;
  /** Properties that were sent, where they are one or two. */
  readonly properties: string | undefined;
}

/** What the steps of a contract change, in their order. */
export class OwnChanges {
  private readonly changes: OwnChange[] = [];

  /** How many there were up to now. */
  get count(): number {
    return this.changes.length;
  }

  follow(call: Call, thing: OwnThing | undefined): void {
    const happened = thing === undefined || !isSuccess(call) ? undefined : happenedTo(thing, call);
    const resource = call.binding?.resource.path;
    if (thing === undefined || happened === undefined || resource === undefined) return;
    this.changes.push({ resource, thing, happened, properties: changedProperties(call) });
  }

  /**
   * ` after the book was removed`: what a call that only looks finds changed.
   *
   * @param since - how many changes there were when the same was asked before
   * @param nounOf - what the thing of a change is called
   */
  reasonOf(
    call: Call,
    thing: OwnThing | undefined,
    since: number,
    nounOf: (thing: OwnThing) => string,
  ): string | undefined {
    const { binding } = call;
    const between = this.changes.slice(since);
    const own = between.findLast(({ resource }) => resource === binding?.resource.path);
    const last = own ?? between.at(-1);
    if (!isLook(call) || last === undefined) return undefined;
    if (last === own && last.properties !== undefined) return ` after the change of ${last.properties}`;
    return ` after ${last.thing === thing ? 'it' : nounOf(last.thing)} ${last.happened}`;
  }
}

function isLook({ method, status = 0 }: Call): boolean {
  return (method === 'GET' || method === 'HEAD') && status < 300;
}

function happenedTo(thing: OwnThing, { binding, exchange }: Call): string | undefined {
  if (thing.madeBy.exchange === exchange) return 'was added';
  switch (binding?.behaviour) {
    case 'remove':
      return 'was removed';
    case 'replace':
    case 'upsert':
      return 'was replaced';
    case 'update':
    case 'create':
    case 'act':
      return 'was changed';
    default:
      return undefined;
  }
}

/** `title and text`: what an update sends, where that is little. */
export function changedProperties({ binding, requestBody }: Call): string | undefined {
  if (binding?.behaviour !== 'update') return undefined;
  const sent = valueAlong(requestBody, binding.request?.path ?? []);
  const names = isJsonObject(sent) ? Object.keys(sent) : [];
  const isShort = names.length > 0 && names.length <= 2 && names.every((name) => /^[a-z][\w-]{0,29}$/i.test(name));
  return isShort ? names.join(' and ') : undefined;
}
