import { ConfigError } from '../core/errors/standin-error';
import { similarName } from '../core/text/similar-name';
import type { GradedDefect, GradeResult } from '../grade/grade-result';
import {
  type AgentTool,
  asJson,
  type NamedContracts,
  type Refused,
  refused,
  tool,
  type ToolResult,
} from './agent-tool';
import { failuresOf, runSummary, warningsOf } from './finding-text';

const FIRST_FAILURES = 5;
const USUAL_DEFECTS = 200;
const MOST_DEFECTS = 2000;
const SHOWN_MISSED = 8;

/** Which contracts a tool works with. */
const CONTRACTS = {
  files: {
    in: 'body',
    type: 'strings',
    about: 'files or folders with contracts, below the working folder',
    example: '["contracts/shop.yaml"]',
  },
  text: { in: 'body', type: 'name', about: 'or the text of a contract itself, which is written nowhere' },
} as const;

/** The tools that write, run and grade contracts. */
export const CONTRACT_TOOLS: readonly AgentTool[] = [
  tool({
    name: 'list_contracts',
    about: 'The files with contracts below the working folder.',
    input: {},
    effect: 'reads',
    run: ({ library }) => ({ files: [...library.contractFiles()] }),
  }),
  tool({
    name: 'read_contract',
    about: 'The text of a contract. How contracts are written is in the resource standin://contract-format.',
    input: { file: { in: 'body', type: 'name', about: 'a file below the working folder', required: true } },
    effect: 'reads',
    run: ({ library }, { file }) => library.readContract(file),
  }),
  tool({
    name: 'contract_format',
    about:
      'How a contract is written: an example, and the names of the sections of the reference; with section, one of them. The resource standin://contract-format has all of it.',
    input: { section: { in: 'body', type: 'name', about: 'such as "What to expect"' } },
    effect: 'reads',
    run: ({ library }, { section }) => formatSection(library.contractFormat(), section),
  }),
  tool({
    name: 'write_contract',
    about:
      'Writes a contract into a file below the working folder. A text that is no contract is refused, with what is wrong.',
    input: {
      file: { in: 'body', type: 'name', about: 'where to, such as contracts/shop.yaml', required: true },
      text: { in: 'body', type: 'name', about: 'the contract, as YAML or JSON', required: true },
      replace: { in: 'body', type: 'boolean', about: 'may a file that is there be replaced?' },
    },
    effect: 'changes',
    run({ library }, { file, text, replace = false }) {
      library.writeContract(file, text, replace);
      return { written: file };
    },
  }),
  tool({
    name: 'run_contract',
    about:
      'Replays contracts and judges each response: at a mock of its own of the same description, so that nothing else is changed, or at one of the targets that the server was started with. Shows the first failures; read_findings has the rest.',
    input: {
      ...CONTRACTS,
      target: { in: 'body', type: 'name', about: 'base URL of a target; without it a mock' },
    },
    effect: 'reads',
    async run(host, { files, text, target }, _, signal) {
      if (target !== undefined && !host.targets.includes(target)) return notATarget(target, host.targets);
      const result = await host.library.run(chosen(files, text), target, host.mayWrite, signal);
      host.last.run = result;
      return runSummary(result, FIRST_FAILURES);
    },
  }),
  tool({
    name: 'read_findings',
    about:
      'What the last run found: each step that did not pass, with what was sent, what came, and the place in the description.',
    input: {
      offset: { in: 'body', type: 'integer', about: 'so many are left out at the beginning' },
      limit: { in: 'body', type: 'integer', most: 50, about: 'so many at the most, 10 without it' },
      warnings: { in: 'body', type: 'boolean', about: 'the warnings in place of the failures' },
    },
    effect: 'reads',
    run({ last }, { offset = 0, limit = 10, warnings = false }) {
      if (last.run === undefined)
        return refused('resource_not_found', 'No contract was run yet; run_contract runs one');
      const all = warnings ? warningsOf(last.run) : failuresOf(last.run);
      return asJson({ outcome: last.run.outcome, found: all.length, findings: all.slice(offset, offset + limit) });
    },
  }),
  tool({
    name: 'grade_contract',
    about:
      'How much contracts notice: they are replayed at mocks that make one mistake each. Shows the grade in percent, and of mistakes that were missed the assertion that would notice them, ready to paste. Takes seconds to minutes.',
    input: {
      ...CONTRACTS,
      operations: {
        in: 'body',
        type: 'strings',
        about: 'operations that the contract is about, by id: mistakes of others do not count',
      },
      maxDefects: {
        in: 'body',
        type: 'integer',
        most: MOST_DEFECTS,
        about: `mistakes that are tried, ${USUAL_DEFECTS} without it`,
      },
    },
    effect: 'reads',
    async run({ library }, { files, text, operations = [], maxDefects = USUAL_DEFECTS }, _, signal) {
      return gradeSummary(await library.grade(chosen(files, text), operations, maxDefects, signal));
    },
  }),
];

/** A section of a page of Markdown; without one its beginning, and what sections there are. */
function formatSection(page: string, wanted: string | undefined): ToolResult {
  const [beginning = '', ...sections] = page.split(/^## /m);
  const titled = sections.map((text) => ({ title: text.split('\n')[0] ?? '', text: `## ${text}` }));
  const titles = titled.map(({ title }) => title);
  if (wanted === undefined) return `${beginning}\nSections: ${titles.join(', ')}\n`;
  const found = titled.find(({ title }) => title.toLowerCase() === wanted.toLowerCase());
  return found === undefined
    ? refused('resource_not_found', `There is no section "${wanted.slice(0, 80)}"; there are ${titles.join(', ')}`)
    : found.text.replace(/ {3,}/g, '  ').replace(/-{4,}/g, '---');
}

/** @throws ConfigError where none, or both, are named */
function chosen(files: readonly string[] | undefined, text: string | undefined): NamedContracts {
  if ((files === undefined) === (text === undefined))
    throw new ConfigError('CONFIG_INVALID', 'Name files with contracts, or give the text of one', {
      hint: 'list_contracts shows the files; {"text":"standin: contract/1\\n…"} runs a contract that is written nowhere.',
    });
  return { files, text };
}

function notATarget(target: string, targets: readonly string[]): Refused {
  const near = similarName(target, targets);
  const known = targets.length === 0 ? 'there is none' : `there are ${targets.join(', ')}`;
  const hint = near === undefined ? known : `did you mean "${near}"?`;
  return refused(
    'forbidden',
    `${target.slice(0, 200)} is no target of this server; ${hint}. --target URL names one at its start`,
  );
}

function gradeSummary({ grade, defects, excluded, available }: GradeResult): ReturnType<typeof asJson> {
  const of = (verdict: GradedDefect['verdict']): readonly GradedDefect[] =>
    defects.filter((each) => each.verdict === verdict);
  const missed = [...of('missed'), ...of('unreached')];
  return asJson({
    grade: grade ?? null,
    noticed: of('noticed').length,
    missed: of('missed').length,
    unreached: of('unreached').length,
    undecided: of('undecided').length,
    tried: defects.length,
    available,
    excluded,
    missedFirst: missed.slice(0, SHOWN_MISSED).map(({ words, place, verdict, assertion }) => {
      return {
        mistake: words,
        place,
        verdict,
        assertion: assertion && {
          addTo: assertion.place === undefined ? 'a contract of its own' : assertion.step,
          text: assertion.text,
        },
      };
    }),
  });
}
