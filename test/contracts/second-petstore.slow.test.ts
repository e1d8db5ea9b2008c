import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { failures } from '../runner/peer';
import { createSecondPetstore, type SecondPetstoreOptions } from '../second-petstore/index';

const DEPLOYMENTS: readonly { deployment: string; contracts: string; options: SecondPetstoreOptions }[] = [
  { deployment: 'a second Petstore', contracts: 'contracts', options: {} },
  { deployment: 'one that starts empty', contracts: 'contracts', options: { seed: 'none' } },
  { deployment: 'one whose ids need more than 53 bits', contracts: 'contracts', options: { largeIds: true } },
  { deployment: 'one whose ids are scattered', contracts: 'contracts', options: { scatteredIds: true } },
  { deployment: 'one that writes JSON over several lines', contracts: 'contracts', options: { pretty: true } },
  { deployment: 'a plain one', contracts: 'contracts/core', options: { plain: true } },
  { deployment: 'a plain one that starts empty', contracts: 'contracts/core', options: { plain: true, seed: 'none' } },
];

test.each(DEPLOYMENTS)('$contracts holds on $deployment', async ({ contracts, options }) => {
  const petstore = createSecondPetstore(options);
  try {
    const result = await runContract({ baseUrl: await petstore.listen(), contracts });
    expect(failures(result)).toEqual([]);
    expect(allSteps(result).filter(({ verdict }) => verdict.kind !== 'pass')).toEqual([]);
    expect(result.leftBehind.filter(({ isAccepted }) => !isAccepted)).toEqual([]);
    expect(result.outcome).toBe('conforms');
  } finally {
    await petstore.close();
  }
});
