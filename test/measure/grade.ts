// Grades the bundled contracts, as `standin grade` does: npm run measure -- grade
//
//   --sample 20 --seed TEXT    20 of the defects, chosen by the seed
//   --write                    writes docs/measured/grade.json and docs/images/grade.svg as well
//
// Exits 1 if a defect is missed that docs/measured/grade.json does not list.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { createProgressLine } from '../../src/cli/terminal/progress-line';
import { loadApi } from '../../src/files/load-api';
import { gradeBadge, headline } from '../../src/grade/grade-text';
import { OPERATORS } from '../../src/grade/mutants/operators';
import { gradeContracts } from '../../src/library/grade';
import { inferResourceModel } from '../../src/resources/infer-resource-model';
import { pickSample } from '../support/sample';
import { DOCS, ROOT } from './figures';
import { writeFormatted } from '../support/write-formatted';

const RECORD = join(DOCS, 'grade.json');

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      sample: { type: 'string' },
      seed: { type: 'string', default: '' },
      write: { type: 'boolean', default: false },
    },
  });
  const { sample, seed, write } = values;
  const line = createProgressLine('grade');
  const result = await gradeContracts({
    contracts: ['contracts/core', 'contracts/full'],
    only: sample === undefined ? [] : pickSample(listDefects(), Number(sample), seed),
    onProgress: ({ done, total, what }) => line?.show({ doing: `${done}/${total} ${what}` }),
  });
  line?.end();
  process.stdout.write(`${headline(result)}\n`);
  const count = (verdict: string): number => result.defects.filter((defect) => defect.verdict === verdict).length;
  const figures = {
    defects: result.defects.length - count('undecided'),
    'defects noticed': count('noticed'),
    missed: count('missed'),
    'not reached': count('unreached'),
    undecided: count('undecided'),
  };
  process.stdout.write(`figures ${JSON.stringify(figures)}\n`);
  const missed = result.defects
    .filter(({ verdict }) => verdict === 'missed' || verdict === 'unreached')
    .map(({ id }) => id);
  if (write && sample === undefined) {
    writeFormatted(RECORD, JSON.stringify({ missed }));
    writeFileSync(join(ROOT, 'docs', 'images', 'grade.svg'), gradeBadge(result));
  }
  const recorded = JSON.parse(readFileSync(RECORD, 'utf8')) as { readonly missed: readonly string[] };
  const added = missed.filter((id) => !recorded.missed.includes(id));
  if (added.length > 0) process.stdout.write(`Missed now, and noticed before: ${added.join(', ')}\n`);
  return added.length > 0 ? 1 : 0;
}

function listDefects(): string[] {
  const { api } = loadApi();
  const model = inferResourceModel(api);
  return OPERATORS.flatMap(({ mutants }) => [...mutants({ api, model })].map(({ id }) => id));
}

void main().then((exitCode) => {
  process.exitCode = exitCode;
});
