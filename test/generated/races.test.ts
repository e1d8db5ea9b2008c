import { SHOWS } from '../runner/shows';
import { askTheatre, findings } from '../support/ask-theatre';
import { temporaryFolder } from '../support/temporary-folder';
import type { Race } from '../support/theatre';

const showsOnly = temporaryFolder().write('shows.json', SHOWS);

/** Races, and the findings of each. Races of different operations are in one server. */
const RACES: readonly {
  readonly races: readonly Race[];
  /** Where it is not all of the theatre. */
  readonly description?: string;
  readonly found: readonly string[];
}[] = [
  {
    races: ['lost-update'],
    description: showsOnly,
    found: ['no-order: change seats of the show', 'no-order: change the show with one entity tag: 3 of 3'],
  },
  {
    races: ['stale-tag', 'title-twice', 'oversold', 'twice-removed'],
    found: [
      'no-order: change the show with one entity tag: 3 of 3',
      'no-order: remove the show: 3 of 3',
      'successes-expected: add one show: 3 of 3',
      'successes-expected: add one booking: 3 of 3',
    ],
  },
  {
    races: ['torn-put', 'same-id'],
    description: showsOnly,
    found: [
      'identity: add show 2 of 3',
      'body-expected: read show 2 of 3',
      'body-expected: read show 3 of 3',
      // PATCH writes in two parts as well.
      'no-order: replace the show: 3 of 3',
      'no-order: change seats of the show',
      'no-order: change the show with one entity tag: 3 of 3',
      'identity: add one show: 2 of 3',
      'successes-expected: add one show: 3 of 3',
    ],
  },
];

test.each(RACES)('races are found: $races', async ({ races, found, ...options }) => {
  const result = await askTheatre(races, options);
  expect([...new Set(findings(result))]).toEqual(found);
  expect(result.leftBehind).toEqual([]);
});
