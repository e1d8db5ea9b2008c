import { inGroup } from '../core/options/option-table';
import {
  abortSignal,
  booleanOrString,
  booleanValue,
  milliseconds,
  numberWithin,
  oneOf,
  stringMap,
  stringValue,
  transport,
  wholeNumberWithin,
} from '../core/options/option-types';

export const BASE_URL = {
  flag: '--base-url <url>',
  doc: 'where the service is, such as http://127.0.0.1:4010; required',
  type: stringValue,
} as const;
export const SIGNAL = { doc: 'once aborted nothing more is sent but the cleanup', type: abortSignal } as const;

const HOUR_MS = 3_600_000;

/** Which credentials are sent. */
export const CREDENTIAL_OPTIONS = inGroup('Credentials', {
  apiKey: {
    flag: '--api-key <key>',
    doc: 'the key to send; prefer a variable, which other users of the machine do not see',
    type: stringValue,
    default: 'test-key, on this machine only',
  },
  auth: {
    flag: '--no-auth',
    doc: 'send no key of the run, and probe nothing without one; keys that contracts have themselves are sent',
    type: oneOf(['key', 'off']),
    off: 'off',
    conflicts: ['apiKey', 'apiKeyEnv'],
  },
  schemeKeys: { doc: 'keys of single security schemes, by their name in the description', type: stringMap },
  identities: { doc: 'keys of further callers, by the name that contracts give them', type: stringMap },
});

/** How requests get to the target. */
export const CONNECTION_OPTIONS = inGroup('Connection', {
  timeoutMs: {
    flag: '--timeout <seconds>',
    doc: 'for one request and its whole response',
    type: milliseconds(1, HOUR_MS),
    unit: 'milliseconds',
    default: 30_000,
  },
  retries: {
    flag: '--retries <n>',
    doc: 'how often a request is sent again, where that does no harm',
    type: wholeNumberWithin(0, 1000),
    default: 3,
  },
  ratePerSecond: {
    flag: '--rate <n>',
    doc: 'largest number of requests per second',
    type: numberWithin(0.01, 100_000, 'requests per second'),
    unit: 'requests per second',
    default: 'no limit on this machine, 20 elsewhere',
  },
  waitReadyMs: {
    flag: '--wait-ready <seconds>',
    doc: 'how long to wait until the service responds',
    type: milliseconds(0, HOUR_MS),
    unit: 'milliseconds',
    default: 'no waiting',
  },
  proxy: {
    flag: '--proxy <url>',
    doc: 'HTTP proxy',
    type: stringValue,
    default: 'HTTPS_PROXY, HTTP_PROXY and NO_PROXY',
  },
  ca: { flag: '--ca <file>', doc: 'file of further certificate authorities, PEM', type: stringValue, path: 'file' },
  insecure: {
    flag: '--insecure [host]',
    doc: 'do not check the certificate of this machine, or of the host that is named',
    type: booleanOrString,
    isConsent: true,
  },
  remote: {
    flag: '--remote',
    doc: 'the address leads to a shared server although it is on this machine, as a forwarded port does',
    type: booleanValue,
  },
  transport: { doc: 'an object whose send takes the place of a socket; retries are its own', type: transport },
});
