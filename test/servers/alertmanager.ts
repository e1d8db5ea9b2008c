import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { amtool } from './amtool';
import { answering, call, freePort, rowsOf } from './plain-http';
import type { Rows, ServerCase } from './server';

export const alertmanager: ServerCase = {
  name: 'Alertmanager',
  packages: ['prometheus-alertmanager'],
  needs: ['/usr/bin/prometheus-alertmanager'],
  findings: [],
  findingsWithoutContract: [
    {
      check: 'status-expected',
      operations: ['deleteSilence'],
      message: /got 500/,
      reason: 'removing a silence that is not there is documented to be 404, and is a failure of the server, 500',
    },
    {
      check: 'error-contract',
      operations: ['postSilence', 'getSilence'],
      reason:
        'an error is documented to be a text, and is an object for requests that break the description, and for methods and types that it has not',
    },
  ],
  outOfReach: { postAlerts: 'makes alerts, which no operation removes' },
  session: amtool,
  async start(folder, run) {
    const port = await freePort();
    const config = join(folder, 'alertmanager.yml');
    writeFileSync(config, 'route: { receiver: none }\nreceivers: [{ name: none }]\n');
    run('/usr/bin/prometheus-alertmanager', [
      `--config.file=${config}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ]);
    const baseUrl = `http://127.0.0.1:${port}/api/v2`;
    await answering(() => call('GET', `${baseUrl}/status`));
    const { versionInfo } = (await call('GET', `${baseUrl}/status`)) as { versionInfo: { version: string } };
    await call('POST', `${baseUrl}/silences`, {
      matchers: [{ name: 'team', value: 'people', isRegex: false, isEqual: true }],
      startsAt: '2100-01-01T00:00:00Z',
      endsAt: '2100-01-02T00:00:00Z',
      createdBy: 'people',
      comment: 'not of a run',
    });
    await call('POST', `${baseUrl}/alerts`, [{ labels: { alertname: 'people' }, endsAt: '2100-01-01T00:00:00Z' }]);
    const dump = async (): Promise<Rows> => {
      const silences = (await call('GET', `${baseUrl}/silences`)) as { status: { state: string } }[];
      // Alertmanager keeps what was removed as expired for some days; nothing removes it sooner.
      const kept = silences.filter(({ status }) => status.state !== 'expired');
      return new Map([
        ...rowsOf('silence', kept, ({ id }) => id),
        ...rowsOf('alert', await call('GET', `${baseUrl}/alerts`), ({ fingerprint }) => fingerprint),
      ]);
    };
    const description = join(__dirname, 'descriptions', 'alertmanager.yaml');
    return { version: versionInfo.version, baseUrl, flags: [], description, dump };
  },
};
