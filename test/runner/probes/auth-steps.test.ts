import { allSteps } from '../../../src/runner/result/outcome';
import { KEY } from './auth-peer';
import { cannedTransport, oneStep, replayText } from '../peer';

const UNKNOWN = 'Bearer standin-unknown-key-run1';

test.each([
  { auth: 'valid', lines: [`Bearer ${KEY}`], target: '/pets?limit=3' },
  { auth: 'none', lines: [], target: '/pets?limit=3' },
  { auth: 'invalid', lines: [UNKNOWN], target: '/pets?limit=3' },
  { auth: 'malformed', lines: ['Basic c3RhbmRpbjpzdGFuZGlu'], target: '/pets?limit=3' },
  { auth: 'empty', lines: ['Bearer'], target: '/pets?limit=3' },
  { auth: 'doubled', lines: [`Bearer ${KEY}`, UNKNOWN], target: '/pets?limit=3' },
  { auth: 'lower-case', lines: [`bearer ${KEY}`], target: '/pets?limit=3' },
  { auth: 'query', lines: [], target: `/pets?limit=3&access_token=${KEY}` },
  { auth: '{ identity: guest }', lines: ['Bearer guest-key-1'], target: '/pets?limit=3' },
])('a step with auth: $auth sends $lines', async ({ auth, lines, target }) => {
  const transport = cannedTransport({ status: 401, headers: ['WWW-Authenticate', 'Bearer'] });
  const contract = oneStep(
    'operation: listPets',
    'parameters: { limit: 3 }',
    `auth: ${auth}`,
    'expect: { status: 401 }',
  );
  const result = await replayText(contract, transport, {
    apiKey: KEY,
    identities: new Map([['guest', 'guest-key-1']]),
  });
  const [request] = transport.sent;
  const { rawHeaders = [] } = request ?? {};
  expect(rawHeaders.filter((_, index) => rawHeaders[index - 1] === 'Authorization')).toEqual(lines);
  expect(request?.target).toBe(target);
  expect(JSON.stringify(result)).not.toMatch(/the-right-key-1|guest-key-1/);
});

test.each([
  { auth: '{ identity: nobody }', apiKey: KEY, message: 'No key was given for the identity "nobody"' },
  { auth: 'lower-case', apiKey: undefined, message: 'The target asks for an API key; none was given' },
])('a step with auth: $auth and no key for it is an error, and is not sent', async ({ auth, apiKey, message }) => {
  const transport = cannedTransport({ status: 401 });
  const contract = oneStep('operation: listPets', `auth: ${auth}`, 'expect: { status: 401 }');
  const [step] = allSteps(await replayText(contract, transport, { apiKey }));
  expect(step?.verdict).toMatchObject({ kind: 'error', error: { code: 'CONFIG_INVALID', message } });
  expect(transport.sent).toEqual([]);
});
