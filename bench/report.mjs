// Figures to verdicts, and verdicts to text, Markdown and JSON.
import { isDisturbed, quietShare } from './load.mjs';

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const figureOf = { 'requests/s': 'perSecond', ms: 'ms', MiB: 'mib', µs: 'micros' };

/** Median and range of a row, or the reason why there is none. */
function summarize(row, unit) {
  if (row.invalid) return { label: row.label, invalid: row.invalid };
  const values = row.rounds.map((round) => round[figureOf[unit]]);
  const summary = {
    label: row.label,
    values,
    median: median(values),
    least: Math.min(...values),
    most: Math.max(...values),
  };
  if (unit !== 'requests/s') return summary;
  const middle = (name) => median(row.rounds.map((round) => round[name]));
  const mostly = (name) => row.rounds.filter((round) => round[name]).length * 2 > row.rounds.length;
  return {
    ...summary,
    meanMs: middle('meanMs'),
    p99Ms: middle('p99Ms'),
    serverCpu: middle('serverCpu'),
    generatorCpu: middle('generatorCpu'),
    generatorLimited: mostly('generatorLimited'),
    serverIdle: mostly('serverIdle'),
  };
}

/**
 * Judges a goal on the ratio of medians, or with `atMostMore` on their difference.
 *
 * `unproved`: the side that would change the verdict was held back, by the generator or by other processes, so the
 * true ratio may be on the other side of the target.
 */
function judge({ what, of, over, atLeast, atMost, atMostMore, absent }, summaries) {
  const goal = { what, atLeast, atMost, atMostMore };
  if (!of || !over) return { ...goal, verdict: 'not measured', reason: absent };
  const [top, bottom] = [summaries.get(of), summaries.get(over)];
  const invalid = [top, bottom].find((summary) => summary.invalid);
  if (invalid) return { ...goal, verdict: 'invalid', reason: `${invalid.label}: ${invalid.invalid}` };
  const compare = atMostMore === undefined ? (one, other) => one / other : (one, other) => one - other;
  const value = compare(top.median, bottom.median);
  const ratios = top.values
    .slice(0, bottom.values.length)
    .map((figure, index) => compare(figure, bottom.values[index]));
  const bound = atLeast ?? atMost ?? atMostMore;
  const met = atLeast === undefined ? value <= bound : value >= bound;
  // A row that was held back is in truth faster than its figure.
  const flattered = atLeast === undefined ? top : bottom;
  const wronged = atLeast === undefined ? bottom : top;
  const suspect = met ? flattered : wronged;
  const heldBack = suspect.generatorLimited || suspect.serverIdle;
  const verdict = heldBack ? 'unproved' : met ? 'met' : `missed by ${trim(Math.abs(value - bound))}`;
  const reason = heldBack ? `${suspect.label} was held back` : undefined;
  return { ...goal, value, least: Math.min(...ratios), most: Math.max(...ratios), verdict, reason };
}

/** Everything the run found out, as plain data. */
export function makeReport({ sections, machine, generator, connections, pinning, prism, settings }) {
  const results = sections.map(({ title, unit, rows, goals }) => {
    const summaries = new Map(rows.map((row) => [row, summarize(row, unit)]));
    return {
      title,
      unit,
      rows: rows.map((row) => ({ ...summaries.get(row), rounds: row.rounds })),
      goals: goals.map((goal) => judge(goal, summaries)),
    };
  });
  return {
    machine,
    generator: { name: generator.name, version: generator.version, connections, threads: 1 },
    pinning,
    prism: { version: prism.version, ...(prism.reason ? { reason: prism.reason } : {}) },
    settings,
    disturbance: measureDisturbance(sections),
    sections: results,
    goals: results.flatMap(({ goals }) => goals),
  };
}

/** How many loads other processes of the machine disturbed, and how much. */
function measureDisturbance(sections) {
  const loads = sections.flatMap(({ rows }) => rows.flatMap(({ rounds }) => rounds)).filter(hasOthers);
  return {
    loads: loads.length,
    disturbed: loads.filter(isDisturbed).length,
    most: Math.max(0, ...loads.map(({ othersCpu }) => othersCpu)),
  };
}

function hasOthers({ othersCpu }) {
  return othersCpu !== undefined;
}

export function everyGoalMet(report) {
  return report.goals.every(({ verdict }) => verdict === 'met');
}

export function renderText(report) {
  const parts = [describe(report).join('\n')];
  for (const section of report.sections) parts.push(`${section.title}\n${textTable(sectionCells(section))}`);
  parts.push(`Goals\n${textTable(goalCells(report))}`);
  parts.push(
    notes(report)
      .map((note) => `! ${note}`)
      .join('\n'),
  );
  return `${parts.filter(Boolean).join('\n\n')}\n`;
}

export function renderMarkdown(report) {
  const bullets = describe(report).map((line) => `- ${line}`);
  const parts = [bullets.join('\n'), markdownTable(goalCells(report))];
  for (const section of report.sections) parts.push(`### ${section.title}`, markdownTable(sectionCells(section)));
  const remarks = notes(report).map((note) => `- ${note}`);
  if (remarks.length > 0) parts.push('### Remarks', remarks.join('\n'));
  return `${parts.join('\n\n')}\n`;
}

function describe({ machine, generator, pinning, prism, settings }) {
  const cores = pinning.pinned
    ? `server on core ${pinning.serverCore}, generator on core ${pinning.generatorCore} (taskset)`
    : `not pinned to cores: ${pinning.reason}`;
  return [
    `Date: ${machine.date}; Node ${machine.node}; ${machine.system}`,
    `Machine: ${machine.cpu}, ${machine.cores} cores, ${machine.memoryGiB} GiB`,
    `Generator: ${generator.name} ${generator.version}, ${generator.connections} connections, 1 thread; ${cores}`,
    `Rounds: ${settings.rounds} of ${settings.seconds} s, each after a warm-up of ${settings.warmUpSeconds} s, ` +
      'in an order that turns round; figures are medians, ratios are of medians' +
      (settings.repeats > 0
        ? `; a load that other processes disturbed is repeated up to ${settings.repeats} times`
        : ''),
    prism.reason ? `Prism ${prism.version} left out: ${prism.reason}` : `Prism CLI ${prism.version}`,
  ];
}

function sectionCells({ unit, rows }) {
  const load = unit === 'requests/s';
  const head = ['Server', `${unit}, median`, 'min–max'];
  if (load) head.push('mean ms', 'p99 ms', 'server core', 'generator core');
  const body = rows.map((row) => {
    if (row.invalid) return [row.label, 'invalid', ...head.slice(2).map(() => '–')];
    const cells = [row.label, number(row.median), `${number(row.least)}–${number(row.most)}`];
    if (load)
      cells.push(row.meanMs.toFixed(2), row.p99Ms.toFixed(2), percent(row.serverCpu), percent(row.generatorCpu));
    return cells;
  });
  return [head, ...body];
}

function goalCells({ goals }) {
  const body = goals.map(({ what, value, least, most, atLeast, atMost, atMostMore, verdict, reason }) => [
    what,
    value === undefined ? '–' : trim(value),
    value === undefined ? '–' : `${trim(least)}–${trim(most)}`,
    atLeast === undefined ? `at most ${trim(atMost ?? atMostMore)}` : `at least ${trim(atLeast)}`,
    reason ? `${verdict}: ${reason}` : verdict,
  ]);
  return [['Goal', 'Ratio or difference', 'by round', 'Target', 'Verdict'], ...body];
}

function notes({ sections, disturbance, generator }) {
  const found = [];
  for (const { title, rows } of sections) {
    for (const { label, invalid, generatorLimited, serverIdle, serverCpu, generatorCpu } of rows) {
      const where = `${title}, ${label}`;
      if (invalid) found.push(`${where}: invalid, ${invalid}.`);
      if (generatorLimited) {
        found.push(
          `${where}: the generator (${generator.name}) was the limit: it used ${percent(generatorCpu)} of a core and the ` +
            `server only ${percent(serverCpu)}. The server can do more than the figure says.`,
        );
      }
      if (serverIdle) {
        found.push(
          `${where}: the server used only ${percent(serverCpu)} of a core, and the generator was not the limit: ` +
            `other processes or its own waiting held it back.`,
        );
      }
    }
  }
  if (disturbance.disturbed > 0) {
    found.push(
      `The machine was not quiet: in ${disturbance.disturbed} of ${disturbance.loads} loads, other processes used more ` +
        `than ${percent(quietShare)} of a core (at most ${percent(disturbance.most)}).`,
    );
  }
  return found;
}

function number(value) {
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 100 ? 1 : 0 });
}

/** Two decimals, none from 100 on, no zeros at the end. */
function trim(value) {
  return String(Number(value.toFixed(value < 0.01 ? 4 : value < 100 ? 2 : 0)));
}

function percent(share) {
  return `${Math.round(share * 100)} %`;
}

function widths(cells) {
  return cells[0].map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
}

function textTable(cells) {
  const wide = widths(cells);
  // Names to the left, figures to the right.
  const isFigure = (column) => column > 0 && /^[\d–]/.test(cells[1]?.[column] ?? '');
  const align = (cell, column) => (isFigure(column) ? cell.padStart(wide[column]) : cell.padEnd(wide[column]));
  const lines = cells.map((row) => `  ${row.map(align).join('  ')}`.trimEnd());
  const rule = `  ${wide.map((width) => '─'.repeat(width)).join('  ')}`;
  return [lines[0], rule, ...lines.slice(1)].join('\n');
}

function markdownTable(cells) {
  const safe = cells.map((row) => row.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')));
  const wide = widths(safe);
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(wide[column])).join(' | ')} |`;
  return [line(safe[0]), line(wide.map((width) => '-'.repeat(width))), ...safe.slice(1).map(line)].join('\n');
}
