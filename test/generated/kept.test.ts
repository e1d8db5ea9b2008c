import { allSteps } from '../../src/runner/result/outcome';
import { object, text } from '../support/small-api';
import { collection, failed, ID, left, run, Service } from './reach-service';

test.each([
  ['The client is kept with `status` closed, and can still be read.', []],
  ['Removes the client.', ['was removed', 'still there']],
])('a removal that says %s', async (description, words) => {
  const client = object({ ...ID, title: text, status: { type: 'string', enum: ['active', 'closed'], readOnly: true } });
  const service = new Service();
  service.create = (name, body) => [201, service.store(name, { ...body, status: 'active' })];
  service.remove = (name, item) => {
    service.store(name, { ...item, status: 'closed' });
    return [204];
  };
  const sketches = collection('clients', client);
  const removal = { ...sketches['DELETE /clients/{id}'], description };
  const { result } = await run(service, { ...sketches, 'DELETE /clients/{id}': removal }, ['lifecycle'], 'full');
  const said = [...failed(result), ...allSteps(result).flatMap(({ warnings }) => warnings.map((each) => each.message))];
  const spoken = said.filter((line) => line.includes('removed')).join('\n');
  for (const word of words) expect(spoken).toContain(word);
  if (words.length === 0) expect(spoken).toBe('');
  expect(result.leftBehind.length === 0).toBe(words.length === 0);
});

test('a moment in another form does not make a thing somebody else’s', async () => {
  const time = { type: 'string', format: 'date-time' };
  const slot = object({ ...ID, starts_at: time, ends_at: time }, ['starts_at', 'ends_at']);
  const service = new Service();
  const written = (value: unknown): string => new Date(String(value)).toISOString().replace('Z', '000+00:00');
  service.create = (name, { starts_at: start, ends_at: end, ...body }) =>
    Number.isNaN(Date.parse(String(start)) + Date.parse(String(end)))
      ? [400, {}]
      : [201, service.store(name, { ...body, starts_at: written(start), ends_at: written(end) })];
  const { result } = await run(service, collection('slots', slot), ['lifecycle']);
  expect(service.calls.filter((call) => call === 'POST slots 201').length).toBeGreaterThan(0);
  expect(result.leftBehind).toEqual([]);
  expect(left(service)).toEqual([]);
});
