// npm run safety: runs `verify` without contracts at services that are hostile in ways drawn by a seed, each with rows of
// somebody else, and counts what was done to those rows and what of the run was left. Both must be none.
import { TRAITS, type Shape } from './shape';
import { tryServer, type Trial } from './trial';

const [from = '0', count = '200', ...traits] = process.argv.slice(2);

async function main(): Promise<void> {
  const given = Object.fromEntries(
    traits
      .map((text) => text.split('='))
      .map(([name, value]) => [name, value === 'true' ? true : value === 'false' ? false : value]),
  ) as Partial<Shape>;
  const trials: Trial[] = [];
  const next = { value: Number(from) };
  const end = Number(from) + Number(count);
  const work = async (): Promise<void> => {
    while (next.value < end) {
      const seed = next.value++;
      try {
        const trial = await tryServer(seed, given);
        trials.push(trial);
        if (trial.harms.length > 0 || trial.isSilent || trial.isRemovableLeft) print(trial);
      } catch (error) {
        process.stdout.write(`seed ${seed}: ${error instanceof Error ? error.message : String(error)}\n`);
      }
    }
  };
  await Promise.all([work(), work(), work()]);
  const sum = (of: (trial: Trial) => number): number => trials.reduce((total, trial) => total + of(trial), 0);
  process.stdout.write(
    `${trials.length} servers, ${sum(({ requests }) => requests.length)} requests, ${sum(({ created }) => created)} rows made; harmed: ${sum(({ harms }) => Math.min(1, harms.length))} servers, silent residue: ${sum(({ isSilent }) => Number(isSilent))}, removable and left: ${sum(({ isRemovableLeft }) => Number(isRemovableLeft))}, false residue: ${sum(({ falseResidue }) => falseResidue)}, nothing made: ${sum(({ created }) => Number(created === 0))}\n`,
  );
}

function print({ seed, shape, mode, harms, isSilent, left, leftBehind }: Trial): void {
  const words = (Object.keys(TRAITS) as (keyof Shape)[]).map((trait) => `${trait}=${String(shape[trait])}`).join(' ');
  process.stdout.write(`seed ${seed} ${mode} ${words}\n`);
  for (const { request, before, after } of harms.slice(0, 2))
    process.stdout.write(`  harm: ${request} ${JSON.stringify(before)} -> ${JSON.stringify(after)}\n`);
  if (left.length > 0)
    process.stdout.write(
      `  left${isSilent ? ' silently' : ''}: ${left.length} ${JSON.stringify(left[0])}; told: ${leftBehind.slice(0, 2).join(' | ')}\n`,
    );
}

void main();
