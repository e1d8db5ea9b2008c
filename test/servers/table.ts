import type { Trial } from './try-server';

const HEADS = [
  'Server',
  'Steps',
  'Sent',
  'Held back',
  'Passed',
  'Right findings',
  'False alarms',
  'Items left',
  'Items harmed',
];

/** What was tried, as a table of Markdown. */
export function tableOf(trials: readonly Trial[]): string {
  const rows = trials.map((trial) => [
    `${trial.name} ${trial.version}`,
    ...[trial.steps, trial.sent, trial.heldBack, trial.passed, trial.found.length],
    ...[trial.falseAlarms.length, trial.left.length, trial.harmed.length],
  ]);
  const lines = [HEADS, HEADS.map(() => '---'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The page about it. */
export function documentOf(trials: readonly Trial[]): string {
  return [
    '# Real servers',
    '',
    'Written by `npm run servers -- --write`. The command starts servers from packages of Debian on this machine, each with items of other people on it, runs a contract of `test/servers/contracts` at it with `standin verify --mode own`, and once more with `--remote --yes`, as at a shared server, and compares all items of the server before and after, read with plain HTTP. A server that is not installed is skipped, and that is reported.',
    '',
    tableOf(trials),
    '',
    'A step that did not pass has a right finding, or needs the value of one that has. Items left: what is there afterwards and was not before; of silences, which Alertmanager keeps as expired, those that are not expired. Items harmed: what is not as it was.',
    '',
    ...trials.flatMap(({ name, found }, index) =>
      found.length === 0 || trials.findIndex((trial) => trial.name === name) < index
        ? []
        : [
            `## Right findings at ${name}`,
            '',
            ...found.map(({ cause, reason }) => `- ${inText(cause)} — ${reason}`),
            '',
          ],
    ),
  ].join('\n');
}

function inText(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
