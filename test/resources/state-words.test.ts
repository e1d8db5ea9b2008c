import {
  areStates,
  documentedInitialFlag,
  documentedInitialState,
  initialStatesAmong,
  orderedByText,
  stageOf,
} from '../../src/openapi/naming/states';

test.each([
  ['requires_payment_method', 'beginning'],
  ['Pending', 'beginning'],
  ['not_started', 'beginning'],
  ['unpaid', 'beginning'],
  ['incomplete', 'beginning'],
  ['active', 'use'],
  ['inProgress', 'way'],
  ['incomplete_expired', 'end'],
  ['canceled', 'end'],
  ['CANCELLED', 'end'],
  ['undelivered', 'end'],
  ['inactive', 'end'],
  ['purple', 'unknown'],
])('"%s" is a word for a %s', (word, stage) => {
  expect(stageOf(word)).toBe(stage);
});

test.each([
  { words: ['canceled', 'processing', 'succeeded', 'requires_action'], first: 'requires_action' },
  { words: ['expired', 'active', 'pending'], first: 'pending' },
  { words: ['closed', 'open'], first: 'open' },
  { words: ['deleted', 'disabled', 'enabled'], first: 'enabled' },
  { words: ['archived', 'draft', 'published'], first: 'draft' },
  { words: ['failed', 'running', 'queued', 'complete'], first: 'queued' },
])('of $words a new item has $first', ({ words, first }) => {
  expect(areStates(words)).toBe(true);
  expect(initialStatesAmong(words)[0]).toBe(first);
});

test('words that speak of no way from a beginning to an end are no states', () => {
  expect(areStates(['usd', 'eur'])).toBe(false);
  expect(areStates(['public', 'private'])).toBe(false);
});

test.each([
  ['Initially `paused`, later `running`.', 'paused'],
  ['The state. Defaults to "running".', 'running'],
  ['A newly created job is in the stopped state.', 'stopped'],
  ['`paused` by default', 'paused'],
  ['Whether it was stopped or is running', undefined],
])('what is said of a member: %s', (text, word) => {
  expect(documentedInitialState(['stopped', 'running', 'paused'], [text], [])).toBe(word);
});

test('what is said of the operation that makes it', () => {
  expect(documentedInitialState(['open', 'draft'], [], ['Creates a draft invoice for a customer.'])).toBe('draft');
  expect(documentedInitialState(['open', 'draft'], [], ['Creates an invoice.'])).toBeUndefined();
});

test('a truth value, and the order in which words are named', () => {
  expect(documentedInitialFlag('Is it shown? Defaults to `true`.')).toBe(true);
  expect(documentedInitialFlag('It is true when it is shown')).toBeUndefined();
  expect(orderedByText(['a_b', 'c', 'd'], ['One of `c`, `d` or `a_b`'])).toEqual(['c', 'd', 'a_b']);
  expect(orderedByText(['c', 'd'], ['Only d'])).toEqual(['c', 'd']);
});
