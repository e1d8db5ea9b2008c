import { createMockServer } from 'standin/express';
import { describeContract } from 'standin/jest';
import { beforeAll, describe, test } from 'vitest';

// Without global functions; the app answers below the base path of its description.
describeContract(
  {
    createApp: () => createMockServer({ description: 'small.yaml' }),
    description: 'small.yaml',
    contracts: 'small-contract.yaml',
  },
  { beforeAll, describe, test },
);
