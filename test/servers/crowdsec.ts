import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { answering, call, freePort, rowsOf } from './plain-http';
import type { Rows, ServerCase, Session } from './server';

/** The folder with crowdsec and cscli; the variable names another one than that of the package. */
const PROGRAMS = process.env['CROWDSEC'] ?? '/usr/bin';
const DESCRIPTION = join(__dirname, 'descriptions', 'crowdsec.yaml');
const MACHINE = { machine_id: 'tester', password: 'a-password-of-this-run' };
const BOUNCER_KEY = 'a-bouncer-key-of-this-run';
/**
 * What a careful person corrects of the published description before a run: no request can have a header named
 * "Authorization: Bearer", and the list of decisions, which asks for the key of a bouncer, says that it asks for none.
 */
const CORRECTIONS: readonly (readonly [RegExp, string])[] = [
  [/name: (['"])Authorization: Bearer\1/, 'name: Authorization'],
  [/(operationId: getDecisions\n)/, '$1      security:\n      - APIKeyAuthorizer: []\n'],
];
const TABLES = ['alerts', 'decisions', 'events', 'meta'] as const;
const MANY = 'changes every row that its query selects: mode own sends no change without an item in its path';

/** An alert of an address, and the ban that follows from it. */
function alertOf(address: string, scenario: string): Readonly<Record<string, unknown>> {
  return {
    ...{ scenario, scenario_hash: '', scenario_version: '', message: `${scenario} by ${address}`, simulated: false },
    ...{ events_count: 1, capacity: 0, leakspeed: '0s', events: [] },
    ...{ start_at: '2026-01-01T00:00:00Z', stop_at: '2026-01-01T00:00:01Z' },
    source: { scope: 'Ip', value: address, ip: address },
    decisions: [{ origin: 'cscli', type: 'ban', scope: 'Ip', value: address, duration: '87600h', scenario }],
  };
}

/** Somebody who bans an address, looks at it as a watcher and as a bouncer, and takes the ban back. */
const guard: Session = {
  needs: [],
  secrets: [MACHINE.password, BOUNCER_KEY],
  async act(recorderUrl) {
    const { token } = (await call('POST', `${recorderUrl}/watchers/login`, MACHINE)) as { token: string };
    const asWatcher = (method: string, path: string, body?: unknown): Promise<unknown> =>
      call(method, `${recorderUrl}${path}`, body, { authorization: `Bearer ${token}` });
    const asBouncer = (path: string): Promise<unknown> =>
      call('GET', `${recorderUrl}${path}`, undefined, { 'x-api-key': BOUNCER_KEY });
    await asBouncer('/decisions/stream?startup=true');
    await asWatcher('GET', '/alerts');
    const [alert] = (await asWatcher('POST', '/alerts', [alertOf('192.0.2.7', 'recorded/ban')])) as string[];
    await asWatcher('GET', `/alerts/${String(alert)}`);
    await asWatcher('GET', '/alerts?ip=192.0.2.7');
    await asBouncer('/decisions?ip=192.0.2.7');
    await asWatcher('DELETE', `/alerts/${String(alert)}`);
    await asBouncer('/decisions?ip=192.0.2.7');
  },
};

export const crowdsec: ServerCase = {
  name: 'CrowdSec',
  packages: ['crowdsec', 'sqlite3'],
  needs: [join(PROGRAMS, 'crowdsec'), join(PROGRAMS, 'cscli'), '/usr/bin/sqlite3'],
  findings: [
    {
      check: 'body-schema',
      operations: ['getDecisionsStream', 'getDecisions', 'searchAlerts', 'GetAlertbyID'],
      message: /must be an array$/,
      reason: 'a list without items is null, and is described as an array',
    },
    {
      check: 'status-expected',
      operations: ['getDecisionsStream', 'headDecisionsStream', 'getDecisions', 'headDecisions'],
      message: /401, got 403$/,
      reason: 'a bouncer without a valid key is answered 403 (RFC 9110 §15.5.2)',
    },
  ],
  findingsOfInferred: [
    {
      check: 'status-expected',
      operations: 'any',
      message: /401, got 403$/,
      reason: 'a bouncer without a valid key is answered 403 (RFC 9110 §15.5.2)',
    },
    {
      check: 'status-expected',
      operations: 'any',
      message: /401, got 500$/,
      reason:
        'of two headers Authorization the first one is taken (RFC 9110 §5.3), and an alert that nobody has is a failure of the server, 500',
    },
  ],
  findingsWithoutContract: [
    {
      check: 'status-expected',
      operations: ['pushAlerts'],
      message: /(?:201|400), got 500$/,
      reason:
        'an alert that is not valid is a failure of the server, 500, and documented to be 400; so is a duration that is not one of Go, which the description does not say',
    },
    {
      check: 'status-expected',
      operations: ['searchAlerts', 'getDecisions'],
      message: /400.*, got 500$/,
      reason:
        'a word where a number or a boolean is described is a failure of the server, 500, and documented to be 400',
    },
    {
      check: 'status-expected',
      operations: ['searchAlerts'],
      message: /400, got 200$/,
      reason: 'a word as simulated, which is described as a boolean, is let be',
    },
    {
      check: 'status-expected',
      operations: ['DeleteAlert'],
      message: /404 or 410, got 400$/,
      reason: 'an id is described as any text, and one that is no number is answered with a 400 that is not documented',
    },
    {
      check: 'status-expected',
      operations: ['DeleteAlert'],
      message: /404.*, got 500$/,
      reason: 'removing an alert that is not there is a failure of the server, 500, and documented to be 404',
    },
    { check: 'allow', operations: 'any', reason: 'a 405 comes without Allow (RFC 9110 §15.5.6)' },
    { check: 'error-contract', operations: [], reason: 'the 405 comes without the documented error' },
  ],
  outOfReach: {
    deleteDecisions: MANY,
    deleteAlerts: MANY,
    RegisterWatcher: 'registers a machine that no operation removes',
    AuthenticateWatcher: 'asks for the password of a machine, which no run has',
  },
  residue: {
    rows: /^(?:events|meta) /,
    told: /\/alerts: the response was 500, which does not show whether it was made$/,
    reason:
      'a creation that is answered with 500 may be one half done: an alert whose decision has a wrong duration leaves its events and its meta in the database, where no operation shows or removes them',
  },
  session: guard,
  async start(folder, run) {
    const port = await freePort();
    const config = writeConfig(folder, port);
    const tell = (...args: readonly string[]): string =>
      execFileSync(join(PROGRAMS, 'cscli'), ['-c', config, ...args], {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      });
    const others = { machine_id: 'people', password: 'a-password-of-people' };
    for (const { machine_id: name, password } of [MACHINE, others])
      tell('machines', 'add', name, '--password', password, '-f', join(folder, `${name}.yaml`));
    tell('bouncers', 'add', 'door', '-k', BOUNCER_KEY);
    run(join(PROGRAMS, 'crowdsec'), ['-c', config, '-no-cs']);
    const baseUrl = `http://127.0.0.1:${port}/v1`;
    const logIn = async (machine: unknown): Promise<string> =>
      ((await call('POST', `${baseUrl}/watchers/login`, machine)) as { token: string }).token;
    await answering(() => logIn(MACHINE));
    const alerts = [alertOf('198.51.100.1', 'people/ban'), alertOf('198.51.100.2', 'people/ban')];
    await call('POST', `${baseUrl}/alerts`, alerts, { authorization: `Bearer ${await logIn(others)}` });
    const database = join(folder, 'data', 'crowdsec.db');
    const select = (query: string): unknown =>
      JSON.parse(execFileSync('sqlite3', ['-json', database, query], { encoding: 'utf8' }) || '[]');
    const dump = (): Promise<Rows> =>
      Promise.resolve(
        new Map([
          ...TABLES.flatMap((table) => rowsOf(table, select(`select * from ${table}`), ({ id }) => id)),
          ...rowsOf('machine', select('select machine_id from machines'), ({ machine_id: name }) => name),
          ...rowsOf('bouncer', select('select name, api_key from bouncers'), ({ name }) => name),
        ]),
      );
    const description = join(folder, 'description.yaml');
    writeFileSync(description, correctDescription(readFileSync(DESCRIPTION, 'utf8')));
    return {
      version: versionOf(join(PROGRAMS, 'crowdsec')),
      baseUrl,
      flags: ['--api-key', 'JWTAuthorizer=WATCHER_TOKEN', '--api-key', 'APIKeyAuthorizer=BOUNCER_KEY'],
      inferredFlags: ['--api-key', 'bearerAuth=WATCHER_TOKEN', '--api-key', 'xApiKey=BOUNCER_KEY'],
      // The last two are what a recorded session names its secrets.
      keys: { WATCHER_TOKEN: await logIn(MACHINE), BOUNCER_KEY, API_KEY: BOUNCER_KEY, PASSWORD: MACHINE.password },
      description,
      dump,
    };
  },
};

/** Writes the configuration of a local API that speaks with nobody else. */
function writeConfig(folder: string, port: number): string {
  for (const name of ['data', 'hub']) mkdirSync(join(folder, name));
  writeFileSync(join(folder, 'hub', '.index.json'), '{}');
  writeFileSync(join(folder, 'simulation.yaml'), 'simulation: false\n');
  writeFileSync(join(folder, 'acquis.yaml'), '');
  writeFileSync(
    join(folder, 'profiles.yaml'),
    ['name: ban', 'filters: [Alert.Remediation == true]', 'decisions: [{ type: ban, duration: 4h }]', ''].join('\n'),
  );
  const settings = {
    common: { daemonize: false, log_media: 'stdout', log_level: 'error' },
    config_paths: {
      config_dir: folder,
      data_dir: join(folder, 'data'),
      hub_dir: join(folder, 'hub'),
      index_path: join(folder, 'hub', '.index.json'),
      simulation_path: join(folder, 'simulation.yaml'),
    },
    crowdsec_service: { acquisition_path: join(folder, 'acquis.yaml') },
    db_config: { type: 'sqlite', db_path: join(folder, 'data', 'crowdsec.db'), use_wal: false },
    api: {
      client: { credentials_path: join(folder, `${MACHINE.machine_id}.yaml`) },
      server: {
        listen_uri: `127.0.0.1:${port}`,
        profiles_path: join(folder, 'profiles.yaml'),
        trusted_ips: ['127.0.0.1'],
      },
    },
    prometheus: { enabled: false },
  };
  const config = join(folder, 'config.yaml');
  writeFileSync(config, JSON.stringify(settings));
  return config;
}

function correctDescription(published: string): string {
  return CORRECTIONS.reduce((text, [wrong, right]) => {
    if (!wrong.test(text)) throw new Error(`${DESCRIPTION} has no ${String(wrong)}`);
    return text.replace(wrong, right);
  }, published);
}

function versionOf(program: string): string {
  const { stdout, stderr } = spawnSync(program, ['-version'], { encoding: 'utf8' });
  return /version: v(\d[\d.]*)/.exec(`${stdout}${stderr}`)?.[1] ?? '';
}
