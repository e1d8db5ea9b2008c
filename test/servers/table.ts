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
    'Written by `npm run measure -- servers --write`. The command starts servers from packages of Debian and npm on this machine, each with items of other people on it, runs a contract of `test/servers/contracts`, if there is one, at it with `standin verify --mode own --lock-step`, and once more with `--remote --yes`, as at a shared server, and compares all items of the server before and after, read with plain HTTP. A server that is not installed is skipped, and that is reported.',
    '',
    'Without a contract `standin verify --mode own`, and once more `--mode full`, sends what it makes of the description (`--seed 1`; at PowerDNS with `--within server_id=localhost`). What it holds back there is no fault: nobody chose these requests. Each finding was looked at by hand, and is listed below as right with its reason, or counted as a false alarm.',
    '',
    'Of some servers a session of a client is recorded with `standin record` before it, once with `--spec` and once without a description: of `amtool` at Alertmanager, of `curl` at PowerDNS, of a small client at Platformatic DB, LoopBack and CrowdSec. What was recorded is replayed with `standin verify --mode own --lock-step` at the server where it was recorded, and at one that was started anew. Each file that the recorder wrote is searched for the key of the session; one that has it is a false alarm of the table. etcd is not recorded: its keys are chosen by the client and stand in base64, where a contract can write no id of a run.',
    '',
    tableOf(trials),
    '',
    ...explainedOf(trials),
    'A step that did not pass has a right finding, or needs the value of one that has. Items left: what is there afterwards and was not before; of silences, which Alertmanager keeps as expired, those that are not expired. Items harmed: what is not as it was.',
    '',
    '## Operations that are called without a contract',
    '',
    'Callable is what a careful person could call in mode own. An operation is called when it answered, whatever the status.',
    '',
    operationsOf(trials),
    '',
    ...[...new Set(trials.map(({ name }) => name))].flatMap((server) => {
      const found = trials.flatMap((trial) => (trial.name === server ? trial.found : []));
      const lines = new Set(found.map(({ cause, reason }) => `- ${inText(cause)} — ${reason}`));
      return lines.size === 0 ? [] : [`## Right findings at ${server}`, '', ...lines, ''];
    }),
  ].join('\n');
}

function operationsOf(trials: readonly Trial[]): string {
  const heads = ['Server', 'Described', 'Callable', 'Called', 'With a success', 'Not called'];
  const rows = trials.flatMap(({ name, version, operations }) => {
    if (operations === undefined) return [];
    const { total, callable, called, succeeded, uncalled } = operations;
    const reasons = new Map<string, string[]>();
    for (const { operation, reason } of uncalled) reasons.set(reason, [...(reasons.get(reason) ?? []), operation]);
    const told = [...reasons].map(([reason, names]) => `${names.join(', ')}: ${reason}`);
    return [[`${name} ${version}`, total, callable, called, succeeded, told.join('; ')]];
  });
  return [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What servers leave of requests that failed, told by the runs. */
function explainedOf(trials: readonly Trial[]): string[] {
  return trials.flatMap(({ name, version, explained }) => {
    if (explained === undefined) return [];
    const { rows, told, reason } = explained;
    return [
      `${name} ${version}: ${rows} rows are left beside these, and the run told of ${told} requests: ${reason}.`,
      '',
    ];
  });
}

function inText(text: string): string {
  return `\`${text.replaceAll('`', "'")}\``;
}
