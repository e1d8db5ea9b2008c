// Writes V8's compiled code of the command line beside it, which the launcher uses on the same version of Node. V8 keeps
// the functions that ran: those from the start of a mock to its first response, for the bundled description and for a
// description that has no compiled form.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const script = fileURLToPath(import.meta.url);
const require = createRequire(script);
const dist = join(dirname(script), '..', 'dist');
const generated = join(dist, 'generated');
const commandLine = join(dist, 'bin', 'command-line.js');
const library = join(dist, 'src', 'cli', 'compiled-code.js');

/** Runs the mocks in a process of their own. */
export function run(root) {
  const { compiledCodePath } = require(library);
  const output = compiledCodePath(commandLine);
  rmSync(output, { force: true });
  const env = { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' };
  const { status, stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8', env });
  if (status !== 0) throw new Error(`The code cache was not written: ${stdout}${stderr}`);
  const descriptions = readdirSync(generated).filter((name) => name.startsWith('description-'));
  const inputs = [commandLine, ...descriptions.map((name) => join(generated, name))].map((file) =>
    relative(root, file),
  );
  return { inputs: [...inputs, join('src', 'cli', 'compiled-code.ts')], outputs: [relative(root, output)] };
}

async function writeCodeCache() {
  const { loadScript, runScript, writeCompiledCode } = require(library);
  const folder = mkdtempSync(join(tmpdir(), 'standin-compile-'));
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
  const compiled = readdirSync(generated).find((name) => /^description-\w+\.json$/.test(name));
  const { root } = JSON.parse(readFileSync(join(generated, compiled), 'utf8'));
  const description = join(folder, 'openapi.json');
  writeFileSync(description, JSON.stringify(root, null, 1));

  const loaded = loadScript(commandLine);
  for (const args of [['mock'], ['mock', description]]) {
    process.argv = [process.execPath, commandLine, ...args, '--port', '0', '--log', 'silent'];
    const url = await waitForUrl(() => runScript(loaded, commandLine));
    await (await fetch(`${url}/pets`, { headers: { 'X-API-Key': 'test-key' } })).arrayBuffer();
  }
  writeCompiledCode(commandLine, loaded.createCachedData());
  process.exit(0);
}

/** Starts a mock and returns the URL that it prints. */
function waitForUrl(start) {
  const { write } = process.stdout;
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('The mock did not start')), 60_000);
    process.stdout.write = (text, ...rest) => {
      const url = /is mocked at (\S+)/.exec(String(text))?.[1];
      if (url === undefined) return write.call(process.stdout, text, ...rest);
      clearTimeout(timer);
      process.stdout.write = write;
      resolve(url);
      return true;
    };
    start();
  });
}

if (process.argv[1] === script) await writeCodeCache();
