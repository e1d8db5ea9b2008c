import { isSensitiveHeader, isSensitiveProperty, isSensitiveParameter } from '../../src/security/credential-locations';

test.each([
  'password',
  'newPassword',
  'password_confirmation',
  'passwordHash',
  'pwd',
  'token',
  'tokens',
  'access_token',
  'refreshToken',
  'device-token',
  'api_key',
  'apiKey',
  'API-KEY',
  'X-Api-Token',
  'X-Secret',
  'client_secret',
  'SecretAccessKey',
  'privateKey',
  'Ocp-Apim-Subscription-Key',
  'cvc',
])('%s is a secret everywhere', (name) => {
  expect([isSensitiveProperty, isSensitiveHeader, isSensitiveParameter].map((is) => is(name))).toEqual([
    true,
    true,
    true,
  ]);
});

test.each([
  'name',
  'key',
  'id',
  'tokenType',
  'token_id',
  'secretName',
  'next_page_token',
  'pageToken',
  'continuationToken',
  'max_tokens',
  'total_tokens',
  'passed',
  'bypass',
  'compass',
  'author',
  'monkey',
  'Idempotency-Key',
  'Sec-WebSocket-Key',
  'WWW-Authenticate',
  'X-Request-Id',
])('%s is none', (name) => {
  expect([isSensitiveProperty, isSensitiveHeader, isSensitiveParameter].map((is) => is(name))).toEqual([
    false,
    false,
    false,
  ]);
});

test.each(['Authorization', 'Proxy-Authorization', 'Cookie', 'Set-Cookie', 'X-Auth'])('the header %s', (name) => {
  expect(isSensitiveHeader(name)).toBe(true);
});

test.each(['sig', 'X-Amz-Signature', 'X-Amz-Credential'])('the parameter %s of a signed address', (name) => {
  expect(isSensitiveParameter(name)).toBe(true);
});
