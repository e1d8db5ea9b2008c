import type { LenientReading } from './request/lenient-readings';

/** What a client should know although its request was answered: in the journal, the log and `X-Standin-Problem`. */
export interface Warning {
  /** A {@link LenientReading}, or a word for what was left undone. */
  readonly code: string;
  /** For people; without values that could be secrets. */
  readonly message: string;
}

const NONE: readonly Warning[] = [];

/** Nobody reads more of one request than this. */
const MAX_WARNINGS = 20;

const MORE: Warning = {
  code: 'more_warnings',
  message: `There were more than ${MAX_WARNINGS} warnings of this request`,
};

/** Collects the warnings of one request, from the look at its head to its answer. Costs nothing while there are none. */
export class Warnings {
  private list: Warning[] | undefined;
  private isStrict: boolean;

  /** @param isStrict - is everything refused that is read more kindly than the description and the standards have it? */
  constructor(isStrict: boolean) {
    this.isStrict = isStrict;
  }

  /** From now on every lenient reading is refused. */
  beStrict(): void {
    this.isStrict = true;
  }

  /** May anything be read more kindly than the standards do? */
  get isLenient(): boolean {
    return !this.isStrict;
  }

  /** In the order in which they were met. */
  get all(): readonly Warning[] {
    return this.list ?? NONE;
  }

  /** The same warning is told once, however often it is met. */
  add(code: string, message: string): void {
    const list = (this.list ??= []);
    if (list.some((known) => known.code === code && known.message === message)) return;
    if (list.length < MAX_WARNINGS) list.push({ code, message });
    else if (list.length === MAX_WARNINGS) list.push(MORE);
  }

  /**
   * May something be read more kindly than the description or a standard has it? If so the warning of it is added.
   *
   * @returns `false` where strict handling is asked for: refuse it
   */
  allows(reading: LenientReading, message: string): boolean {
    if (this.isStrict) return false;
    this.add(reading, message);
    return true;
  }
}
