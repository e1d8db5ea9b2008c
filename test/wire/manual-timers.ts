import type { StartTimer } from '../../src/server/response-delivery';
import { until } from '../support/until';

interface ManualTimer {
  readonly ms: number;
  readonly act: () => void;
}

/** Timers of a mock that end when the test says so. */
export class ManualTimers {
  private readonly pending = new Set<ManualTimer>();

  readonly start: StartTimer = (ms, act) => {
    const timer = { ms, act };
    this.pending.add(timer);
    return () => this.pending.delete(timer);
  };

  /** The durations of the timers that run, in milliseconds. */
  durations(): number[] {
    return [...this.pending].map(({ ms }) => ms);
  }

  /** Waits until so many timers run. */
  async running(count: number): Promise<void> {
    await until(() => this.pending.size === count, `${count} running timers`);
  }

  /** Ends the timer that was started first. */
  endFirst(): void {
    const [timer] = this.pending;
    if (timer === undefined) throw new Error('No timer is running');
    this.pending.delete(timer);
    timer.act();
  }
}
