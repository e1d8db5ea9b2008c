// Writes the code that V8 made of the command line: of the functions that were used until then. Used are those that a mock
// takes from its start to its first answer, of the bundled description and of one that nobody has judged.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const require = createRequire(import.meta.url);
const dist = join(dirname(fileURLToPath(import.meta.url)), '..', 'dist');
const { loadScript, runScript, writeCompiledCode } = require(join(dist, 'src/cli/compiled-code.js'));

const folder = mkdtempSync(join(tmpdir(), 'standin-compile-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));
const generated = join(dist, 'generated');
const compiled = readdirSync(generated).find((name) => /^description-\w+\.json$/.test(name));
const { root } = JSON.parse(readFileSync(join(generated, compiled), 'utf8'));
const description = join(folder, 'openapi.json');
writeFileSync(description, JSON.stringify(root, null, 1));

const file = join(dist, 'bin', 'command-line.js');
const script = loadScript(file);
for (const args of [['mock'], ['mock', description]]) {
  process.argv = [process.execPath, file, ...args, '--port', '0', '--log', 'silent'];
  const url = await banner(() => runScript(script, file));
  await (await fetch(`${url}/pets`, { headers: { 'X-API-Key': 'test-key' } })).arrayBuffer();
}
writeCompiledCode(file, script.createCachedData());
process.exit(0);

/** Runs something until it tells on stdout where a mock listens. */
function banner(run) {
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
    run();
  });
}
