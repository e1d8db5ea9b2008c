import { DESCRIPTION, OPERATIONS, type Part } from '../support/description';
import { callsOf, contractsOf } from './bundled';

/** Statuses that no contract provokes on any operation. */
const NOT_PROVOKED: Readonly<Record<string, string>> = {
  '413': 'a body above 1 MiB would have to stand in a contract; the tests of the wire send one',
  '429': 'only where the service limits the rate, and then of no operation in particular',
  '500': 'a service that works gives none, and every answer is checked for it',
};

/** Statuses that no contract provokes on one operation. */
const NOT_PROVOKED_ON: Readonly<Record<string, string>> = {
  'getPet 410': 'only after the sunset, which no contract can wait for',
  'createPet 409': 'needs two requests at the same moment, or all ids used up',
  'createCategory 409': 'needs two requests at the same moment, or all ids used up',
};

/** Codes of the description that no contract provokes. */
const CODES_NOT_PROVOKED: Readonly<Record<string, string>> = {
  idempotency_in_progress: 'needs two requests at the same moment',
  id_space_exhausted: 'needs all ids used up',
  operation_sunset: 'only after the sunset',
  body_too_large: 'see 413',
  rate_limited: 'see 429',
  internal_error: 'see 500',
};

const FULL = callsOf(contractsOf('full'));

test('contracts/full calls every operation, and expects a success of each', () => {
  const succeeding = FULL.filter(({ step }) => step.expect.statuses.some((status) => status < 300));
  const called = new Set(succeeding.map(({ operation }) => operation));
  expect(OPERATIONS.map(({ operationId }) => operationId).filter((id) => !called.has(id))).toEqual([]);
});

test('every documented status is expected by a step of contracts/full, or there is a reason', () => {
  const expected = new Set(
    FULL.flatMap(({ step, operation }) => step.expect.statuses.map((of) => `${operation} ${of}`)),
  );
  // Every secured operation is called without a valid key by the runner itself.
  const documented = OPERATIONS.flatMap(({ operationId, statuses }) =>
    statuses.filter((status) => status !== '401').map((status) => `${operationId} ${status}`),
  );
  const missing = documented.filter((key) => {
    const [, status = ''] = key.split(' ');
    return !expected.has(key) && NOT_PROVOKED[status] === undefined;
  });
  expect(missing.sort()).toEqual(Object.keys(NOT_PROVOKED_ON).sort());
  expect([...expected].filter((key) => NOT_PROVOKED[key.split(' ')[1] ?? ''] !== undefined)).toEqual([]);
});

test('every error code of the description is expected by a step of contracts/full, or there is a reason', () => {
  const examples = Object.values<Part>(DESCRIPTION.components.examples as object);
  const documented = new Set(
    examples.flatMap(({ value }): string[] => (value?.message === undefined ? [] : [value.code])),
  );
  const expected = new Set(FULL.flatMap(({ step }) => step.expect.codes));
  const missing = [...documented].filter((code) => !expected.has(code));
  expect(missing.sort()).toEqual(Object.keys(CODES_NOT_PROVOKED).sort());
});

test('contracts/core calls the nine operations of a plain deployment, and nothing else', () => {
  const called = new Set(callsOf(contractsOf('core')).map(({ operation }) => operation));
  expect([...called].sort()).toEqual([
    'cancelOrder',
    'createCategory',
    'createPet',
    'getPet',
    'listCategories',
    'listInventory',
    'listOrders',
    'listPets',
    'updateInventory',
  ]);
});
