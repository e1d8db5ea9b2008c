import { runContract } from '../../../src/library/run-contract';
import { LENDING_API } from './api';
import { startLending } from './server';

test.each(['own', 'full'] as const)('a service that only marks what is removed conforms, in mode %s', async (mode) => {
  const { url, close } = await startLending();
  try {
    const options = { ...LENDING_API.runOptions(url), apiKey: 'test-key', mode, seed: 1, retries: 0 };
    const { outcome, leftBehind, contracts } = await runContract(options);
    const failed = contracts.flatMap(({ steps }) => steps.filter(({ verdict }) => verdict.kind === 'fail'));
    const kept = leftBehind.filter(({ isAccepted }) => !isAccepted);
    expect([failed.map(({ name }) => name), kept]).toEqual([[], []]);
    expect(outcome).toBe('conforms');
  } finally {
    await close();
  }
});
