import { runContract } from '../../src/library/run-contract';
import { temporaryFolder } from '../support/temporary-folder';
import { jsonAnswer, startRawTls, type RawServer } from './raw-server';

const folder = temporaryFolder();
const contracts = folder.write(
  'one.yaml',
  'standin: contract/1\nname: One\nsteps:\n  - method: GET\n    path: /\n    expect: { status: 200 }\n',
);

let server: RawServer;
beforeAll(async () => {
  server = await startRawTls('self-signed', (socket) => socket.write(jsonAnswer(200, { ok: true })));
});
afterAll(() => server.close());

const run = (insecure: boolean | string | undefined, baseUrl = server.url): ReturnType<typeof runContract> =>
  runContract({ baseUrl, contracts, probesAuth: false, insecure, auth: 'off', retries: 0, timeoutMs: 50_000 });

test('any certificate of this machine is taken on request, and else refused', async () => {
  expect((await run(undefined)).contracts[0]!.steps[0]!.verdict).toMatchObject({ kind: 'error' });
  expect((await run(true)).contracts[0]!.steps[0]!.status).toBe(200);
  expect((await run('127.0.0.1')).contracts[0]!.steps[0]!.status).toBe(200);
});

test('another machine has to be named, and the name must be its own', async () => {
  await expect(run(true, 'https://staging.example.com')).rejects.toMatchObject({
    message: '--insecure alone is for this machine, and staging.example.com is another one',
  });
  await expect(run('stagin.example.com', 'https://staging.example.com')).rejects.toMatchObject({
    message: '--insecure names "stagin.example.com", and the target is staging.example.com',
  });
});
