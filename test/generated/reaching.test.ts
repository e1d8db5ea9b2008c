import type { Mode } from '../../src/runner/result/run-result';
import { object, text } from '../support/small-api';
import { collection, ID, run, Service } from './reach-service';

test.each([
  ['send', false],
  ['share-by-link', false],
  ['pay', false],
  ['tidy', true],
])('%s of what the run made is called in mode full: %s', async (verb, expected) => {
  const service = new Service();
  service.act = (item) => [200, item];
  const paper = object({ ...ID, title: text });
  const operation = `POST /papers/{id}/${verb}`;
  const sketches = { ...collection('papers', paper), [operation]: { answers: { 200: paper, 404: null } } };
  const { called, result } = await run(service, sketches, ['lifecycle'], 'full');
  expect(called.has(operation)).toBe(expected);
  const { reason } = result.uncalled?.find((each) => each.operation === operation) ?? {};
  expect(reason).toBe(expected ? undefined : 'may reach people or cost money');
});

test.each([
  ['pay', 'full', true],
  ['pay', 'own', false],
  ['close', 'own', true],
])('%s, whose effect on the thing itself is described, is called in mode %s: %s', async (verb, mode, expected) => {
  const word = verb === 'pay' ? 'paid' : 'closed';
  const paper = object({ ...ID, title: text, state: { type: 'string', enum: ['open', word], readOnly: true } });
  const service = new Service();
  service.create = (name, body) => [201, service.store(name, { ...body, state: 'open' })];
  service.act = (item) => [200, service.store('papers', { ...item, state: word })];
  const operation = `POST /papers/{id}/${verb}`;
  const description = `Sets the state to \`${word}\`.`;
  const sketches = { ...collection('papers', paper), [operation]: { description, answers: { 200: paper, 404: null } } };
  const { called } = await run(service, sketches, ['lifecycle'], mode as Mode);
  expect(called.has(operation)).toBe(expected);
});
