import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';
import { answering, call, freePort } from '../servers/plain-http';
import { temporaryFolder } from '../support/temporary-folder';

const PROGRAM = '/usr/bin/prometheus-alertmanager';
const folder = temporaryFolder();

/** What the manual of Alertmanager says of its webhook. */
const DESCRIPTION = `
openapi: 3.1.0
info: { title: Alertmanager, version: '2' }
paths:
  /alerts:
    post:
      operationId: postAlerts
      requestBody:
        required: true
        content: { application/json: { schema: { type: array, items: { type: object } } } }
      responses: { '200': { description: taken } }
webhooks:
  notification:
    post:
      requestBody:
        required: true
        content:
          application/json:
            schema:
              type: object
              additionalProperties: false
              required: [version, groupKey, truncatedAlerts, status, receiver, groupLabels, commonLabels, commonAnnotations, externalURL, alerts]
              properties:
                version: { const: '4' }
                groupKey: { type: string }
                truncatedAlerts: { type: integer }
                status: { enum: [firing, resolved] }
                receiver: { type: string }
                groupLabels: { $ref: '#/components/schemas/Texts' }
                commonLabels: { $ref: '#/components/schemas/Texts' }
                commonAnnotations: { $ref: '#/components/schemas/Texts' }
                externalURL: { type: string, format: uri }
                alerts:
                  type: array
                  items:
                    type: object
                    required: [status, labels, startsAt]
                    properties:
                      status: { enum: [firing, resolved] }
                      labels: { $ref: '#/components/schemas/Texts' }
                      annotations: { $ref: '#/components/schemas/Texts' }
                      startsAt: { type: string, format: date-time }
                      endsAt: { type: string, format: date-time }
                      generatorURL: { type: string }
                      fingerprint: { type: string }
      responses: { '200': { description: taken } }
components:
  schemas:
    Texts: { type: object, additionalProperties: { type: string } }
`;

const alert = (more: string): string => `
    operation: postAlerts
    body: [{ labels: { alertname: 'Disk \${runId}', severity: page }${more} }]
    expect: { status: 200 }`;
const about = "commonLabels: { alertname: 'Disk ${runId}' }";
const CONTRACT = `
standin: contract/1
name: an alert is told of
steps:
  - name: it fires
    ${alert('')}
    expectEvent: { event: notification, path: /hook, withinMs: 20000, body: { status: firing, ${about} } }
  - name: it is told once
    ${alert('')}
    expectEvent: { event: notification, times: 0, withinMs: 1500, body: { ${about} } }
  - name: it is resolved
    ${alert(", startsAt: '2019-01-01T00:00:00Z', endsAt: '2020-01-01T00:00:00Z'")}
    expectEvent: { event: notification, withinMs: 30000, body: { status: resolved, ${about} } }
`;

let server: ChildProcess | undefined;
afterEach(() => server?.kill('SIGKILL'));

// Where there is none: apt-get install prometheus-alertmanager.
const withServer = existsSync(PROGRAM) ? test : test.skip;

withServer(
  'a server that knows nothing of standin, and sends to an address of its configuration',
  async () => {
    const [port, hook] = [await freePort(), await freePort()];
    const config = folder.write(
      'alertmanager.yml',
      `route: { receiver: hook, group_wait: 1s, group_interval: 2s, group_by: [alertname] }
receivers: [{ name: hook, webhook_configs: [{ url: 'http://127.0.0.1:${hook}/hook' }] }]
`,
    );
    server = spawn(PROGRAM, [
      `--config.file=${config}`,
      `--storage.path=${folder.file('data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--cluster.listen-address=',
    ]);
    const baseUrl = `http://127.0.0.1:${port}/api/v2`;
    await answering(() => call('GET', `${baseUrl}/status`));
    const result = await runContract({
      baseUrl,
      description: folder.write('api.yaml', DESCRIPTION),
      contracts: folder.write('contract.yaml', CONTRACT),
      listen: hook,
      auth: 'off',
      probesAuth: false,
    });
    expect(allSteps(result).map(({ name, verdict }) => [name, verdict])).toEqual([
      ['it fires', expect.objectContaining({ kind: 'pass' })],
      ['it is told once', expect.objectContaining({ kind: 'pass' })],
      ['it is resolved', expect.objectContaining({ kind: 'pass' })],
    ]);
  },
  120_000,
);
