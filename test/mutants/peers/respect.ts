import { cpSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname } from 'node:path';
import { DESCRIPTION } from './description';
import { command, KEY, type Peer, stable } from './peer';

const ROOT = join(__dirname, '..', '..', '..');

interface Report {
  readonly files: Readonly<
    Record<string, { readonly executedWorkflows: readonly { readonly executedSteps: readonly Step[] }[] }>
  >;
}

interface Step {
  readonly stepId: string;
  readonly checks?: readonly { readonly name: string; readonly passed: boolean; readonly condition?: string }[];
}

/** Runs Arazzo workflows, and judges each response by the description as well. */
export const RESPECT: Peer = {
  id: 'respect',
  title: 'Redocly Respect',
  tool: { packages: { '@redocly/cli': '2.77.0' }, bin: 'node_modules/@redocly/cli/bin/cli.js' },
  settings: 'the bundled contracts, as `standin export --arazzo` writes them; a step that it cannot say is left out',
  async run({ url, folder }, { bin }) {
    // The documents name the description by where it is in the project.
    cpSync(dirname(DESCRIPTION), join(folder, 'spec'), { recursive: true });
    for (const part of ['core', 'full']) {
      cpSync(join(ROOT, 'contracts', part), join(folder, 'contracts', part), { recursive: true });
      mkdirSync(join(folder, 'contracts', part), { recursive: true });
    }
    const standin = join(ROOT, 'dist', 'bin', 'standin.js');
    await command(
      'node',
      [standin, 'export', '--arazzo', 'contracts/core', 'contracts/full', '--spec', 'spec/petstore.yaml'],
      { folder },
    );
    const files = ['core', 'full'].flatMap((part) =>
      readdirSync(join(folder, 'contracts', part))
        .filter((name) => name.endsWith('.arazzo.yaml'))
        .map((name) => join('contracts', part, name)),
    );
    const inputs = ['--input', `apiKey=${KEY}`, '--input', 'runId=4fk2p09x', '--server', `api=${url}`];
    const { text } = await command('node', [bin, 'respect', ...files, ...inputs, '--json-output', 'out.json'], {
      folder,
    });
    return findingsOf(join(folder, 'out.json'), text);
  },
};

function findingsOf(file: string, text: string): string[] {
  let report: Report;
  try {
    report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  } catch {
    return [stable(`did not end: ${text.slice(-150)}`)];
  }
  const found = Object.entries(report.files).flatMap(([name, { executedWorkflows }]) =>
    executedWorkflows.flatMap(({ executedSteps }) =>
      executedSteps.flatMap(({ stepId, checks = [] }) =>
        checks
          .filter(({ passed }) => !passed)
          .map((check) => `${name} ${stepId}: ${check.name} ${check.condition ?? ''}`),
      ),
    ),
  );
  // Names of steps have numbers that are theirs.
  return [...new Set(found.map((each) => each.replace(/\s+/g, ' ').slice(0, 200)))];
}
