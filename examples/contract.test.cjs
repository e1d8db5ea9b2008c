// Each step of the contracts as a jest test of its own, against an app in this process.
const { createMockServer } = require('standin/express');
const { describeContract } = require('standin/jest');

// In your project: your own app, `description: 'openapi.yaml'`, `contracts: 'contracts'`.
describeContract({ createApp: () => createMockServer(), contracts: 'contracts/full/categories.yaml' });
