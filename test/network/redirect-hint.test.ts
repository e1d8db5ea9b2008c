import { redirectHint } from '../../src/runner/exchange/finding-location';
import { userAgentOf } from '../../src/runner/result/step-result';

const KEYED = { target: '/v1/things?key=secret', rawHeaders: ['authorization', 'Bearer secret'] };

test.each<{ status?: number; location: string | undefined; hint: RegExp | undefined }>([
  {
    location: 'https://api.example/v1/things',
    hint: /^It redirects to https:\/\/api\.example\/v1\/things: is the base URL the right one\? The key was not sent/,
  },
  { location: '//login.example/?back=secret', hint: /^It redirects to http:\/\/login\.example\/\?…: is the base URL/ },
  { location: 'https://u:secret@api.example/', hint: /to https:\/\/api\.example\/:/ },
  { location: '/v1/things/', hint: /^It redirects to http:\/\/api\.example\/v1\/things\/; redirects are not followed/ },
  { location: '/v1/things?key=secret', hint: /^It redirects to itself, http:\/\/api\.example\/v1\/things\?…:/ },
  { location: 'javascript:alert(1)', hint: /to javascript:…: is the base URL/ },
  { location: 'http://[', hint: /"http:\/\/\[", which is not a URL/ },
  { location: `/${'a'.repeat(5000)}`, hint: /a…; redirects are not followed/ },
  { location: undefined, hint: /without a Location/ },
  { status: 200, location: '/elsewhere', hint: undefined },
  { status: 201, location: 'https://other.example/', hint: undefined },
  { status: 304, location: '/elsewhere', hint: undefined },
])('a $status to $location gives the hint $hint, and shows no secret', ({ status = 302, location, hint }) => {
  const headers = location === undefined ? [] : ['Location', location];
  const text = redirectHint(KEYED, { status, headers }, 'http://api.example');
  if (hint === undefined) expect(text).toBeUndefined();
  else expect(text).toMatch(hint);
  expect(text ?? '').not.toContain('secret');
});

test('nothing is said of a key where none was sent', () => {
  const headers = ['Location', 'https://api.example/'];
  expect(redirectHint({ ...KEYED, rawHeaders: [] }, { status: 301, headers }, 'http://api.example')).not.toMatch(/key/);
});

test('a run calls itself by version and id', () => {
  expect(userAgentOf({ version: '0.1.0', runId: '1a2b3c4d' })).toBe('standin/0.1.0 (run 1a2b3c4d)');
});
