import pc from 'picocolors';
import { printable } from '../errors/printable';
import type { StepResult } from '../runner/run-result';

/** Where progress is shown; `process.stderr` is one. */
export interface ProgressStream {
  write(text: string): unknown;
  /** Width of the terminal. */
  readonly columns?: number | undefined;
}

export interface Progress {
  /** Called after each step. */
  onStep(step: StepResult, done: number, total: number): void;
  /** Takes the line away, so that what comes next begins at its start. */
  end(): void;
}

const CLEAR = '\r\u001b[2K';
const WIDTH = 80;

/**
 * How far a run is, as one line that is written over and over. Where nobody watches, in CI and in files, there is
 * nothing to show: the report comes at the end.
 *
 * @param isTty - is the stream a terminal?
 */
export function createProgress(stream: ProgressStream, isTty: boolean): Progress {
  const colours = pc.createColors(isTty && pc.isColorSupported);
  let bad = 0;
  let isShown = false;
  return {
    onStep({ name, verdict }, done, total) {
      if (verdict.kind === 'fail' || verdict.kind === 'error') bad += 1;
      if (!isTty) return;
      isShown = true;
      const count = `${done}/${total}`;
      const trouble = bad === 0 ? '' : ` ${bad} not green`;
      // A line that is too long would wrap, and could not be taken back.
      const room = Math.max(0, (stream.columns ?? WIDTH) - count.length - trouble.length - 2);
      stream.write(
        `${CLEAR}${colours.dim(count)}${colours.red(trouble)} ${Array.from(printable(name)).slice(0, room).join('')}`,
      );
    },
    end() {
      if (isShown) stream.write(CLEAR);
      isShown = false;
    },
  };
}
