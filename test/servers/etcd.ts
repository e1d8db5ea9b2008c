import { readFileSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { join } from 'node:path';
import { answering, call, freePort, rowsOf } from './plain-http';
import type { Rows, ServerCase } from './server';

const DESCRIPTION = '/usr/share/doc/etcd-server/dev-guide/apispec/swagger/rpc.swagger.json.gz';
/** All keys. */
const EVERYTHING = { key: 'AA==', range_end: 'AA==' };

export const etcd: ServerCase = {
  name: 'etcd',
  packages: ['etcd-server'],
  needs: ['/usr/bin/etcd', DESCRIPTION],
  findings: [
    {
      check: 'status-documented',
      operations: ['Put'],
      message: / the status 400$/,
      reason: 'the description documents 200 alone, and no error',
    },
  ],
  findingsWithoutContract: [
    {
      check: 'allow',
      operations: 'any',
      reason: 'HEAD of a path that only POST has is 405 without Allow (RFC 9110 §15.5.6)',
    },
  ],
  async start(folder, run) {
    const [clients, peers] = [await freePort(), await freePort()];
    const [client, peer] = [`http://127.0.0.1:${clients}`, `http://127.0.0.1:${peers}`];
    run('/usr/bin/etcd', [
      ...['--data-dir', join(folder, 'data')],
      ...['--listen-client-urls', client, '--advertise-client-urls', client],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `default=${peer}`],
    ]);
    await answering(() => call('POST', `${client}/v3/kv/range`, EVERYTHING));
    const { etcdserver } = (await call('GET', `${client}/version`)) as { etcdserver: string };
    const description = join(folder, 'rpc.swagger.json');
    writeFileSync(description, gunzipSync(readFileSync(DESCRIPTION)));
    const { ID } = (await call('POST', `${client}/v3/lease/grant`, { TTL: '3600' })) as { ID: string };
    await call('POST', `${client}/v3/kv/put`, { key: 'cGVvcGxl', value: 'YQ==', lease: ID });
    const dump = async (): Promise<Rows> => {
      const { kvs } = (await call('POST', `${client}/v3/kv/range`, EVERYTHING)) as { kvs: unknown };
      const { leases } = (await call('POST', `${client}/v3/lease/leases`, {})) as { leases: unknown };
      return new Map([...rowsOf('key', kvs, ({ key }) => key), ...rowsOf('lease', leases, (lease) => lease['ID'])]);
    };
    return { version: etcdserver, baseUrl: client, flags: ['--no-auth'], description, dump };
  },
};
