import type { Plan, PlannedCreation } from '../runner/plan';
import type { Mode } from '../runner/run-result';

const MODE_WORDS: Readonly<Record<Mode, string>> = {
  observe: 'observe: safe methods only, nothing is changed',
  own: 'own: changes only what this run makes itself; steps that would change anything else are left out',
  full: 'full: sends everything that the contracts ask for',
};

/** A plan as text for people, before anything is sent. */
export function formatPlan(plan: Plan): string {
  const { baseUrl, mode, runId, contracts, methods, leftOut, keysInUrl, operations, creations, ledger } = plan;
  const steps = methods.reduce((sum, { steps: count }) => sum + count, 0);
  const byMethod = methods.map(({ method, steps: count }) => `${count} ${method}`).join(', ');
  const lines = [
    `Plan for ${baseUrl}, run ${runId}`,
    `  mode        ${MODE_WORDS[mode]}`,
    ...shardLines(plan),
    `  requests    ${counted(steps, 'step')} of ${counted(contracts, 'contract')}${byMethod === '' ? '' : `: ${byMethod}`}`,
    ...(leftOut === 0 ? [] : [`  left out    ${counted(leftOut, 'step')} that could change something`]),
    ...(keysInUrl === 0 ? [] : [`  left out    ${counted(keysInUrl, 'step')} with the key in the URL`]),
    `  operations  ${operations.length}: ${operations.join(', ')}`,
    `  probes      ${probeText(plan)}`,
    ...(mode === 'observe' ? [] : creationLines(creations)),
    ...(ledger === undefined ? [] : [`  ledger      ${ledger}`]),
  ];
  return `${lines.join('\n')}\n`;
}

function shardLines({ shard, contracts, probed }: Plan): string[] {
  if (shard === undefined) return [];
  const isEmpty = contracts === 0 && probed.length === 0;
  const note = isEmpty ? ', which is empty: there are fewer contracts than shards' : '';
  return [`  shard       ${shard.index} of ${shard.count}${note}`];
}

/** Probes that find nothing to ask for are not sent, and looks may take more than a page. */
function probeText({ probed, probes }: Plan): string {
  if (probed.length === 0) return 'none';
  const count = probes.reduce((sum, { requests }) => sum + requests, 0);
  const byMethod = probes.map(({ method, requests }) => `${requests} ${method}`).join(', ');
  return `${counted(probed.length, 'operation')} without a good key, about ${counted(count, 'request')} more: ${byMethod}`;
}

function creationLines(creations: readonly PlannedCreation[]): string[] {
  if (creations.length === 0) return ['  creates     nothing'];
  return creations.map((creation, index) => {
    const label = index === 0 ? 'creates   ' : '          ';
    return `  ${label}  ${creation.operation} ${counted(creation.steps, 'time')}${wayText(creation)}`;
  });
}

/** A removal that its contract does not believe in is tried all the same. */
function wayText({ steps, removal, staying }: PlannedCreation): string {
  if (removal === undefined)
    return steps === 1
      ? ', STAYS: the description has no way to remove it'
      : ', all STAY: the description has no way to remove them';
  const gone = `removed by ${removal}`;
  const left = 'may STAY, as the contract says';
  if (staying === 0) return `, ${gone}`;
  return steps === staying ? `, ${left}` : `: ${steps - staying} ${gone}, ${staying} ${left}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
