// npm run safety: runs `verify` without contracts at services that are hostile in ways drawn by a seed. Each has rows of
// somebody else. What was done to those rows, and what of the run was left, is counted; both must be nothing.
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { type Shape, TRAITS } from './shape';
import { tryServer, type Trial } from './trial';

const USAGE = `Usage: npm run safety -- [options] [TRAIT=VALUE ...]

  --servers N   try N services (200)
  --seed TEXT   draw them by this seed (first)
  --jobs N      try N services at a time (the number of processors)
  --list        print the traits of services, and their values
  --help        print this text

TRAIT=VALUE holds a trait of all services to one value: list=map answer=303
Each service that was harmed is printed with the command that tries it again.
`;

const text = { type: 'string' } as const;
const flag = { type: 'boolean', default: false } as const;

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { servers: text, seed: text, number: text, jobs: text, list: flag, help: flag },
    allowPositionals: true,
  });
  if (values.help) return print(USAGE);
  if (values.list)
    return print(
      Object.entries(TRAITS)
        .map(([name, all]) => `${name}: ${[...new Set<string | boolean>(all)].join(', ')}\n`)
        .join(''),
    );
  const given = readTraits(positionals);
  // One number stands for one service.
  const first = values.number === undefined ? firstNumber(values.seed ?? 'first') : Number(values.number);
  const count = values.number === undefined ? Number(values.servers ?? 200) : 1;
  const trials: Trial[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      const trial = await tryServer(first + next++, given);
      trials.push(trial);
      if (isBad(trial)) print(formatTrial(trial, positionals));
    }
  };
  await Promise.all(Array.from({ length: Number(values.jobs ?? availableParallelism()) }, work));
  const figures = countAll(trials);
  print(
    `${Object.entries(figures)
      .map(([name, value]) => `${String(value).padStart(9)}  ${name}`)
      .join('\n')}\nfigures ${JSON.stringify(figures)}\n`,
  );
  return trials.some(isBad) ? 1 : 0;
}

function isBad({ harms, isSilent, isRemovableLeft }: Trial): boolean {
  return harms.length > 0 || isSilent || isRemovableLeft;
}

function countAll(trials: readonly Trial[]): Record<string, number> {
  const sum = (of: (trial: Trial) => number): number => trials.reduce((total, trial) => total + of(trial), 0);
  return {
    services: trials.length,
    requests: sum(({ requests }) => requests),
    'rows made by runs': sum(({ created }) => created),
    'services at which a run made something': sum(({ created }) => Number(created > 0)),
    'services with harm to rows of others': sum(({ harms }) => Number(harms.length > 0)),
    'services with silent residue': sum(({ isSilent }) => Number(isSilent)),
    'services with residue that could be removed': sum(({ isRemovableLeft }) => Number(isRemovableLeft)),
    'services with residue that cannot be known to be ours, reported': sum(({ left, isSilent, isRemovableLeft }) =>
      Number(left.length > 0 && !isSilent && !isRemovableLeft),
    ),
    'entries about residue that is not there': sum(({ falseResidue }) => falseResidue),
  };
}

function readTraits(texts: readonly string[]): Partial<Shape> {
  const pairs = texts.map((each) => {
    const [name = '', value = ''] = each.split('=');
    const values = (TRAITS as Partial<Record<string, readonly (string | boolean)[]>>)[name];
    const found = values?.find((one) => String(one) === value);
    if (found === undefined) throw new Error(`${each} is no trait: --list prints them`);
    return [name, found];
  });
  return Object.fromEntries(pairs) as Partial<Shape>;
}

function firstNumber(seed: string): number {
  return createHash('sha256').update(seed).digest().readUInt32BE() % 1_000_000_000;
}

function formatTrial(
  { seed, shape, mode, ending, harms, isSilent, left, leftBehind }: Trial,
  given: readonly string[],
): string {
  const traits = Object.entries(shape).map(([trait, value]) => `${trait}=${String(value)}`);
  const lines = [
    `${['npm run safety -- --number', seed, ...given].join(' ')}   (mode ${mode}, ${ending})`,
    `  ${traits.join(' ')}`,
    ...harms
      .slice(0, 3)
      .map(
        ({ request, before, after }) =>
          `  harm: ${request}: ${JSON.stringify(before)} became ${after === undefined ? 'nothing' : JSON.stringify(after)}`,
      ),
    ...(left.length === 0
      ? []
      : [
          `  left${isSilent ? ' without a word' : ''}: ${left.length}, such as ${JSON.stringify(left[0])}; reported: ${leftBehind[0] ?? 'nothing'}`,
        ]),
  ];
  return `${lines.join('\n')}\n`;
}

function print(output: string): number {
  process.stdout.write(output);
  return 0;
}

void main().then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  },
);
