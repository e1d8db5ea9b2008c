import { transportFailure } from '../../src/network/transport-errors';

const FACTS = {
  origin: 'http://localhost:1',
  proxy: undefined,
  timeoutMs: 1000,
  maxBodyBytes: 1000,
  hasConnected: true,
  hasResponded: true,
};

test.each([
  { code: 'ETIMEDOUT', syscall: 'connect', want: 'TRANSPORT_UNREACHABLE' },
  { code: 'ETIMEDOUT', syscall: undefined, want: 'TRANSPORT_UNREACHABLE' },
  { code: 'EAI_AGAIN', syscall: 'getaddrinfo', want: 'TRANSPORT_UNREACHABLE' },
  // The request may have been carried out.
  { code: 'ETIMEDOUT', syscall: 'read', want: 'TRANSPORT_BROKEN_CONNECTION' },
  { code: 'ETIMEDOUT', syscall: 'write', want: 'TRANSPORT_BROKEN_CONNECTION' },
  { code: 'EHOSTUNREACH', syscall: 'read', want: 'TRANSPORT_BROKEN_CONNECTION' },
  { code: 'ENETUNREACH', syscall: 'write', want: 'TRANSPORT_BROKEN_CONNECTION' },
  // OpenSSL fails so before anything is sent.
  { code: 'EPROTO', syscall: 'write', want: 'TRANSPORT_UNREACHABLE' },
])('$syscall $code is $want', ({ code, syscall, want }) => {
  const error = Object.assign(new Error(`${syscall ?? ''} ${code}`), { code, syscall });
  expect(transportFailure(error, FACTS).code).toBe(want);
});
