import { runMain } from './standin-process';

const SECRET = 'sk_live_51Habc';

test.each([
  { what: 'a key for the name of its variable', args: ['--base-url', 'http://a', '--api-key-env', SECRET] },
  { what: 'a key for an identity', args: ['--base-url', 'http://a', '--identity', `${SECRET}==`] },
  { what: 'a key for the variable of an identity', args: ['--base-url', 'http://a', '--identity', `buyer=${SECRET}`] },
  { what: 'a password in a URL that is none', args: ['--base-url', `https//user:${SECRET}@host`] },
  { what: 'a password in a URL of another kind', args: ['--base-url', `ftp://user:${SECRET}@host/?a=${SECRET}`] },
  { what: 'a password in a URL', args: ['--base-url', `https://user:${SECRET}@host`] },
])('$what: exit code 2, and the message does not show it', async ({ args }) => {
  const { exitCode, stdout, stderr } = await runMain('verify', ...args);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/^CONFIG_INVALID: /);
  expect(stderr).not.toContain(SECRET);
});
