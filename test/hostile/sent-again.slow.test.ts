import type { Shape } from './shape';
import { tryServer } from './trial';

/** Takes what it should reject, and tells neither that it made something nor where. */
const TAKES_ALL: Shape = {
  ...{
    list: 'next-link',
    answer: '200-empty',
    key: 'uuid',
    keyName: 'id',
    slash: false,
    removal: '204',
    update: 'both',
  },
  ...{ bulk: 'none', unknown: '404', others: 'still', coerces: true, upsert: false, merges: false, stamp: false },
  joins: true,
};

test('a contract that is sent again takes no row of the run for one of others', async () => {
  const trial = await tryServer(2, TAKES_ALL, { ending: 'whole', generate: ['negative', 'concurrency'] });
  expect(trial).toMatchObject({ harms: [], isSilent: false });
});
