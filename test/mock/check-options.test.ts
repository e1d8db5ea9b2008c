import { createMockServer, type CreateMockServerOptions } from '../../src/express';

// A mistyped option must not open the mock, or serve something else, in silence.
test.each<[string, object]>([
  ['auth', { auth: 'key' }],
  ['afterSunset', { afterSunset: 'gona' }],
  ['apiKeys', { apiKeys: ['two words'] }],
  ['apiKeys', { apiKeys: [''] }],
  ['apiKeys', { apiKeys: [] }],
  ['idStart', { idStart: -5 }],
  ['idStart', { idStart: 1.5 }],
  ['rateLimit', { rateLimit: { requests: 0, seconds: 0 } }],
  ['state', { state: 'emtpy' }],
])('the option %s of %p is refused', async (name, options) => {
  await expect(createMockServer(options as CreateMockServerOptions)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining(name) as string,
  });
});

test('a wrong key is not repeated in the refusal', async () => {
  await expect(createMockServer({ apiKeys: ['my secret'] })).rejects.toMatchObject({
    message: expect.not.stringContaining('secret') as string,
  });
});
