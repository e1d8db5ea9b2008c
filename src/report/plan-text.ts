import type { Plan, PlannedCreation } from '../runner/plan';
import type { Mode } from '../runner/run-result';
import { printable } from '../errors/printable';

const MODE_WORDS: Readonly<Record<Mode, string>> = {
  observe: 'observe: safe methods only, nothing is changed',
  own: 'own: changes only what this run makes itself; steps that would change anything else are left out',
  full: 'full: sends everything that the contracts ask for',
};

/** A plan as text for people, before anything is sent. */
export function formatPlan(plan: Plan): string {
  const { baseUrl, mode, runId, contracts, methods, heldBack, operations, creations, unclear, ledger } = plan;
  const all = heldBack.reduce((sum, { steps: count }) => sum + count, 0);
  const steps = methods.reduce((sum, { steps: count }) => sum + count, 0);
  const byMethod = methods.map(({ method, steps: count }) => `${count} ${method}`).join(', ');
  const lines = [
    `Plan for ${baseUrl}, run ${runId}`,
    `  mode        ${MODE_WORDS[mode]}`,
    ...shardLines(plan),
    `  requests    ${counted(steps, 'step')} of ${counted(contracts, 'contract')}${byMethod === '' ? '' : `: ${byMethod}`}`,
    ...(all === 0 ? [] : [`  held back   ${counted(all, 'step')}${reasonsText(heldBack)}`]),
    `  operations  ${operations.length}: ${operations.join(', ')}`,
    `  probes      ${probeText(plan)}`,
    ...(mode === 'observe' ? [] : creationLines(creations, unclear)),
    ...(ledger === undefined ? [] : [`  ledger      ${ledger}`]),
  ];
  return `${lines.map(printable).join('\n')}\n`;
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

function reasonsText(heldBack: Plan['heldBack']): string {
  const texts = heldBack.map(({ reason, steps }) => ({ steps, text: steps === 1 ? singular(reason) : reason }));
  const [only, ...others] = texts;
  if (only !== undefined && others.length === 0) return `, because ${only.text}`;
  return `: ${texts.map(({ steps, text }) => `${steps}, because ${text}`).join('; ')}`;
}

function singular(reason: string): string {
  return reason
    .replace(/^they need\b/, 'it needs')
    .replace(/^they make\b/, 'it makes')
    .replace('what they make', 'what it makes')
    .replace(/^they\b/, 'it');
}

function creationLines(creations: readonly PlannedCreation[], unclear: number): string[] {
  const texts = creations.map(
    (creation) => `${creation.operation} ${counted(creation.steps, 'time')}${wayText(creation)}`,
  );
  const more = unclear === 0 ? [] : [`${counted(unclear, 'POST')} of which nobody says what they make or change`];
  const all = texts.length + more.length === 0 ? ['nothing'] : [...texts, ...more];
  return all.map((text, index) => `  ${index === 0 ? 'creates   ' : '          '}  ${text}`);
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
