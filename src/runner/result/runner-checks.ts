import type { CheckDefinition } from '../../core/errors/finding';

/** A value that a later step needs is not in the response. */
export const CAPTURE: CheckDefinition = { id: 'capture', area: 'state', priority: -5 };

/** A write that was rejected was done all the same: a matter of its operation, and not of the credentials as a whole. */
export const REJECTED_WRITE_CHANGED: CheckDefinition = {
  id: 'rejected-write-changed',
  area: 'auth',
  scope: 'operation',
  // What was read before the write is of one run alone.
  expectsVarying: true,
};

/** An answer differs from that of the mock in what follows from the description and the steps before. */
export const LOCK_STEP: CheckDefinition = {
  id: 'lock-step',
  area: 'state',
  scope: 'operation',
  priority: -7,
  // Keys and values are of one run.
  expectsVarying: true,
};

/** Of requests that were sent at the same time more or fewer succeeded than the contract says. */
export const SUCCESSES_EXPECTED: CheckDefinition = { id: 'successes-expected', area: 'state', scope: 'operation' };

/** Requests that were sent at the same time were answered as no order of them explains. */
export const NO_ORDER: CheckDefinition = {
  id: 'no-order',
  area: 'state',
  scope: 'operation',
  priority: -6,
  // Which of them comes first is chance.
  expectsVarying: true,
};

/** Another caller could do or see what the service says that he may not. */
export const OTHER_CALLER: CheckDefinition = {
  id: 'other-caller',
  area: 'auth',
  scope: 'operation',
  // Values are of one run.
  expectsVarying: true,
};

/** An event that a contract expects did not come, came too often, or came where none was to. */
export const EVENT_EXPECTED: CheckDefinition = {
  id: 'event-expected',
  area: 'state',
  scope: 'operation',
  // What came instead is of one run.
  expectsVarying: true,
};

/** An event is not signed, or not with the secret of the contract. */
export const EVENT_SIGNATURE: CheckDefinition = { id: 'event-signature', area: 'auth', scope: 'operation' };

/** Events came in another order than what they tell of. */
export const EVENT_ORDER: CheckDefinition = { id: 'event-order', area: 'state', scope: 'operation' };

/** An event came again that had been taken. */
export const EVENT_REPEATED: CheckDefinition = { id: 'event-repeated', area: 'state', scope: 'operation' };
