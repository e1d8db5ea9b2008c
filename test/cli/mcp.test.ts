import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { agentOf } from '../agents/agents';
import { BUILT_COMMAND } from '../support/built-command';
import { temporaryFolder } from '../support/temporary-folder';

test('standin mcp serves an agent by its streams, with the mock on a port beside it', async () => {
  const folder = temporaryFolder();
  const client = new Client({ name: 'a test', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [BUILT_COMMAND, 'mcp', '--allow-writes', '--port', '0'],
    cwd: folder.path,
    stderr: 'pipe',
  });
  const line = once(createInterface({ input: transport.stderr as unknown as Readable }), 'line');
  await client.connect(transport);
  const [said] = (await line) as [string];
  const [url = ''] = /http:\/\/127\.0\.0\.1:\d+/.exec(said) ?? [];
  const { call, json } = agentOf(client);
  const made = await json('call_operation', { method: 'POST', target: '/categories', body: { name: 'Birds' } });
  expect(made).toMatchObject({ status: 201 });
  const seen = await fetch(`${url}/categories?limit=100`, { headers: { Authorization: 'Bearer test-key' } });
  expect(await seen.text()).toContain('Birds');
  const text = await call('contract_of_requests');
  const { yaml } = JSON.parse(text) as { yaml: string };
  expect(await call('write_contract', { file: 'contracts/birds.yaml', text: yaml })).toBe(
    '{"written":"contracts/birds.yaml"}',
  );
  expect(await call('list_contracts')).toBe('{"files":["contracts/birds.yaml"]}');
  expect(await json('run_contract', { files: ['contracts/birds.yaml'] })).toMatchObject({ outcome: 'conforms' });
  await client.close();
});

test('a message of absurd size is refused, the next one is answered, and nothing else is on stdout', async () => {
  const child = spawn(process.execPath, [BUILT_COMMAND, 'mcp'], { stdio: ['pipe', 'pipe', 'pipe'] });
  const lines: string[] = [];
  const bothAnswered = new Promise<void>((resolve) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (lines.push(line) === 2) resolve();
    });
  });
  const send = (text: string): void => {
    child.stdin.write(`${text}\n`);
  };
  send(`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${'y'.repeat(17 * 1024 * 1024)}"}}`);
  send('no message');
  send('{"jsonrpc":"2.0","id":2,"method":"ping"}');
  await bothAnswered;
  child.stdin.end();
  const [code] = (await once(child, 'exit')) as [number];
  expect(code).toBe(0);
  const answers = lines.map((line) => JSON.parse(line) as { id: number | null; error?: { message: string } });
  expect(answers.find(({ id }) => id === null)?.error?.message).toContain('at most 16777216 characters');
  expect(answers.find(({ id }) => id === 2)).toEqual({ jsonrpc: '2.0', id: 2, result: {} });
});
