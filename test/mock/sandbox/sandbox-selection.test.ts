import { selectSandbox, type SandboxSelectors } from '../../../src/mock/sandbox/sandbox-selection';
import type { RequestHead } from '../../../src/core/http/message';

const SELECTORS: SandboxSelectors = { header: 'x-standin-sandbox', cookie: 'standin-sandbox', path: '/_s' };

function head(target: string, headers: Record<string, string> = {}, mountPath?: string): RequestHead {
  return { method: 'GET', target, headers, rawHeaders: Object.entries(headers).flat(), mountPath };
}

test.each([
  { target: '/pets', headers: {}, want: undefined },
  { target: '/pets', headers: { cookie: 'other=1' }, want: undefined },
  { target: '/_sandbox/a', headers: {}, want: undefined },
  { target: '/pets', headers: { 'x-standin-sandbox': 'a' }, want: 'a' },
  { target: '/pets', headers: { cookie: 'other=1; standin-sandbox=b.1' }, want: 'b.1' },
  { target: '/pets', headers: { cookie: 'standin-sandbox="b"' }, want: 'b' },
  { target: '/pets', headers: { 'x-standin-sandbox': 'a', cookie: 'standin-sandbox=b' }, want: 'a' },
  { target: '/_s/c/pets', headers: { cookie: 'standin-sandbox=b' }, want: 'c' },
  { target: '/_s/c/pets', headers: { 'x-standin-sandbox': 'c' }, want: 'c' },
  { target: '/_s/c/pets', headers: { 'x-standin-sandbox': 'd' }, want: 'invalid_sandbox' },
  { target: '/_s/', headers: {}, want: 'invalid_sandbox' },
  { target: '/_s/%61/pets', headers: {}, want: 'invalid_sandbox' },
  { target: '/_s/../pets', headers: {}, want: 'invalid_sandbox' },
  { target: '/pets', headers: { 'x-standin-sandbox': '' }, want: 'invalid_sandbox' },
  { target: '/_s/c/pets', headers: { 'x-standin-sandbox': '' }, want: 'invalid_sandbox' },
  { target: '/pets', headers: { 'x-standin-sandbox': '', cookie: 'standin-sandbox=a' }, want: 'invalid_sandbox' },
  { target: '/pets', headers: { 'x-standin-sandbox': 'a b' }, want: 'invalid_sandbox' },
  { target: '/pets', headers: { 'x-standin-sandbox': 'a, a' }, want: 'invalid_sandbox' },
  { target: '/pets', headers: { 'x-standin-sandbox': 'x'.repeat(65) }, want: 'invalid_sandbox' },
  { target: '/pets', headers: { 'x-standin-sandbox': 'x'.repeat(64) }, want: 'x'.repeat(64) },
])('$target with $headers is in $want', ({ target, headers, want }) => {
  const selection = selectSandbox(SELECTORS, head(target, headers));
  const found = selection?.kind === 'invalid' ? selection.problem.code : selection?.id;
  expect(found).toBe(want);
});

test.each([
  { target: '/_s/a/pets?x=1', inside: '/pets?x=1', mountPath: '/_s/a' },
  { target: '/_s/a', inside: '/', mountPath: '/_s/a' },
  { target: '/_s/a?x=1', inside: '/?x=1', mountPath: '/_s/a' },
  { target: 'http://host:1/_s/a/pets', inside: 'http://host:1/pets', mountPath: '/_s/a' },
])('inside of it, $target is $inside below $mountPath', ({ target, inside, mountPath }) => {
  expect(selectSandbox(SELECTORS, head(target))).toMatchObject({ head: { target: inside, mountPath } });
});

test('the path of a surrounding server comes before that of the sandbox', () => {
  expect(selectSandbox(SELECTORS, head('/_s/a/pets', {}, '/api'))).toMatchObject({ head: { mountPath: '/api/_s/a' } });
});

test('ways that are closed are not looked at', () => {
  const closed = { header: undefined, cookie: undefined, path: undefined };
  const headers = { 'x-standin-sandbox': '?', cookie: 'standin-sandbox=?' };
  expect(selectSandbox(closed, head('/_s/a/pets', headers))).toBeUndefined();
});
