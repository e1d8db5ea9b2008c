import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runContract } from '../../../src/library/run-contract';
import { bareContracts } from '../kill-rate/bare';
import { startMutantProxy } from '../proxy';
import { DESCRIPTION } from './description';
import { type Peer, stable } from './peer';

/** Stands between a client and a server, and says in a header what of their traffic breaks the description. */
export const PRISM: Peer = {
  id: 'prism',
  title: 'Prism, as a proxy',
  // The last one whose `engines` take Node 20.
  tool: { packages: { '@stoplight/prism-cli': '5.14.2' }, bin: 'node_modules/@stoplight/prism-cli/dist/index.js' },
  settings:
    'the requests of the bundled contracts are sent through it; violations that it tells of responses are counted',
  async run({ url }, { bin }) {
    const port = await freePort();
    const child = spawn('node', [bin, 'proxy', DESCRIPTION, url, '--port', String(port)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const found = new Set<string>();
    const contracts = bareContracts();
    const observer = await startMutantProxy({ target: `http://127.0.0.1:${port}`, defect: collecting(found) });
    try {
      await new Promise<void>((resolve, reject) => {
        const timer = setTimeout(() => {
          reject(new Error('Prism did not start in 30 seconds'));
        }, 30_000);
        child.stdout.on('data', (chunk: Buffer) => {
          if (!chunk.toString().includes('is listening')) return;
          clearTimeout(timer);
          resolve();
        });
      });
      await runContract({ baseUrl: observer.url, contracts: contracts.file, concurrency: 4, seed: 1 });
      return [...found];
    } finally {
      await observer.close();
      contracts.remove();
      child.kill();
    }
  },
};

interface Violation {
  readonly location?: readonly string[];
  readonly code?: string | number;
  readonly message?: string;
}

/** Notes what the header of a response tells of the response. */
function collecting(found: Set<string>): Parameters<typeof startMutantProxy>[0]['defect'] & object {
  return {
    id: 'none',
    title: 'what is told is noted',
    start: () => async (exchange) => {
      const answer = await exchange.pass();
      const told = answer.headers.find(([name]) => name.toLowerCase() === 'sl-violations')?.[1];
      for (const { location = [], code = '', message = '' } of told === undefined
        ? []
        : (JSON.parse(told) as Violation[]))
        if (location[0] === 'response')
          found.add(
            stable(`${exchange.place.operation ?? exchange.call.method} ${location.join('/')} ${code} ${message}`),
          );
      return answer;
    },
  };
}

async function freePort(): Promise<number> {
  const server: Server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}
