import { join } from 'node:path';
import { flatDescription, operationsOf, writeDescription } from './description';
import { command, type Peer, stable } from './peer';

const HOOKS = join(__dirname, 'settings', 'dredd-hooks.cjs');

/** Sends a request for each documented response, and compares the response with the example of the description. */
export const DREDD: Peer = {
  id: 'dredd',
  title: 'Dredd',
  tool: { packages: { dredd: '14.1.0' }, bin: 'node_modules/dredd/bin/dredd' },
  settings:
    'hooks that make a thing for each request, and bring about each documented status that a client can: 89 of 137; headers and properties that a response may leave out are not asked for',
  async run({ url, folder }, { bin }) {
    const tree = flatDescription();
    for (const { operation } of operationsOf(tree))
      for (const parameter of operation.parameters ?? []) if (parameter.in === 'path') parameter.example = 1;
    const file = writeDescription(folder, tree);
    const flags = [file, url, `--hookfiles=${HOOKS}`, '--loglevel=error'];
    const { text } = await command('node', [bin, ...flags], { folder, env: { PEER_TARGET: url } });
    if (!/^complete: \d+ passing/m.test(text)) return [stable(`did not end: ${text.slice(-150)}`)];
    const lines = text.split('\n');
    const failed = lines.flatMap((line, index) =>
      line.startsWith('fail: ') && /duration/.test(line)
        ? [`${line.replace(/ duration.*/, '')} ${reasonOf(lines, index)}`]
        : [],
    );
    return [...new Set(failed.map(stable))];
  },
};

/** Failed ones are told once as they happen and once more with a reason. */
const reasonOf = (lines: readonly string[], index: number): string =>
  lines[index + 1]?.startsWith('fail: ') === true && !/duration/.test(lines[index + 1] ?? '')
    ? (lines[index + 1] ?? '')
    : '';
