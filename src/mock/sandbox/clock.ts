/** A clock that can be set: it runs on from there, or stands still. */
export class SettableClock implements Clock {
  private readonly real: Clock;
  private readonly startOffset: number;
  private offset: number;
  private fixedAt: number | undefined;

  /**
   * @param real - the real time
   * @param startOffset - milliseconds by which it is ahead of the real time at first
   */
  constructor(real: Clock, startOffset = 0) {
    this.real = real;
    this.startOffset = this.offset = startOffset;
  }

  now(): number {
    return this.fixedAt ?? this.real.now() + this.offset;
  }

  /** Does it show the real time, one that was set and runs on, or one that stands still? */
  get kind(): 'real' | 'set' | 'fixed' {
    if (this.fixedAt !== undefined) return 'fixed';
    return this.offset === 0 ? 'real' : 'set';
  }

  /**
   * @param epochMs - the time it shows from now on; `undefined` for the real time
   * @param isFixed - it stands still there
   */
  set(epochMs: number | undefined, isFixed = false): void {
    this.offset = epochMs === undefined ? 0 : epochMs - this.real.now();
    this.fixedAt = isFixed ? (epochMs ?? this.real.now()) : undefined;
  }

  /** How far it is ahead of the real time, and where it stands still, if it does. */
  get setting(): ClockSetting {
    return [this.offset, this.fixedAt ?? null];
  }

  /** The other way round of {@link setting}. */
  take([offset, fixedAt]: ClockSetting): void {
    this.offset = offset;
    this.fixedAt = fixedAt ?? undefined;
  }

  /** Back to the time it would show had it never been set. */
  reset(): void {
    this.offset = this.startOffset;
    this.fixedAt = undefined;
  }

  /** Another one that starts as this one did, whatever this one was set to since. */
  fork(): SettableClock {
    return new SettableClock(this.real, this.startOffset);
  }
}

/** As JSON: milliseconds before the real time, and the epoch milliseconds at which it stands still. */
export type ClockSetting = readonly [offset: number, fixedAt: number | null];

/** What is handed in from outside: time, and everything else that would make two runs differ. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number;
}

/** @param startMs - the time it shows at first, in epoch milliseconds; the real time when left out */
export function createClock(startMs?: number): SettableClock {
  return new SettableClock({ now: () => Date.now() }, startMs === undefined ? 0 : startMs - Date.now());
}
