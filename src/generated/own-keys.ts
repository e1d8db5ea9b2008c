import { drawKey, type DrawnKey, type KeySchema } from '../payload/sampler/drawn-key';

const TRIES = 20;

/**
 * The keys of a run that are drawn by their schema, where the usual ones with its id do not fit. Each thing has another
 * one, and in another run another one again: what an earlier run left does not stand in the way.
 */
export class OwnKeys {
  private readonly drawn = new Map<string, DrawnKey | undefined>();
  private readonly taken = new Set<string>();
  readonly runId: string;

  constructor(runId: string) {
    this.runId = runId;
  }

  /** @param thing - the same one has the same key */
  keyOf(schema: KeySchema, thing: string): DrawnKey | undefined {
    if (!this.drawn.has(thing)) this.drawn.set(thing, this.draw(schema, thing));
    return this.drawn.get(thing);
  }

  private draw(schema: KeySchema, thing: string): DrawnKey | undefined {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const own = drawKey(schema, this.runId, `${thing} ${attempt}`);
      if (own === undefined || this.taken.has(String(own.value))) continue;
      this.taken.add(String(own.value));
      return own;
    }
    return undefined;
  }
}
