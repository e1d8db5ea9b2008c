import { INFERENCE_PASSES } from '../../src/resources/registry';

test('each pass of the inference has an id of its own and says why it stands where it does', () => {
  const ids = INFERENCE_PASSES.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.at(0)).toBe('collections');
  expect(ids.at(-1)).toBe('sub-paths');
  for (const { reason } of INFERENCE_PASSES) expect(reason.length).toBeGreaterThan(20);
});
