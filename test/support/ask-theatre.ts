import { runContract } from '../../src/library/run-contract';
import type { RunContractOptions } from '../../src/library/run-options';
import type { RunResult } from '../../src/runner/result/run-result';
import { temporaryFolder } from './temporary-folder';
import { type Race, Theatre, THEATRE } from './theatre';
import { failureLines } from './failure-lines';

/** The description of the theatre. */
export const description = temporaryFolder().write('theatre.json', THEATRE);

export const OPTIONS = {
  generate: ['concurrency'],
  probesAuth: false,
  concurrency: 1,
  seed: 1,
} satisfies Partial<RunContractOptions>;

/** Operations of bookings, which races of shows need not call. */
export const BOOKINGS = ['listBookings', 'book', 'getBooking', 'cancelBooking'];

/** Runs the generated contracts of concurrency against a theatre with races. */
export async function askTheatre(races: readonly Race[], more: Partial<RunContractOptions> = {}): Promise<RunResult> {
  const { url, close } = await new Theatre(...races).listen();
  try {
    return await runContract({ ...OPTIONS, description, baseUrl: url, ...more });
  } finally {
    await close();
  }
}

/** The check and the step of each finding. */
export const findings = (result: RunResult): string[] =>
  failureLines(result, ({ name }, { check }) => `${check}: ${name}`);
