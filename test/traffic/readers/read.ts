import type { RecordedExchange } from '../../../src/traffic/exchange/recorded-exchange';
import { isReadProblem, type ReadProblem, type TrafficReader } from '../../../src/traffic/readers/reader';

/** What a reader makes of a text. */
export interface Reading {
  readonly exchanges: readonly RecordedExchange[];
  readonly problems: readonly ReadProblem[];
}

interface Given {
  /** The name of the file. */
  readonly file?: string;
  /** Files beside it, by their path. */
  readonly beside?: Readonly<Record<string, string | Uint8Array>>;
  /** Values of variables that other files give. */
  readonly values?: Readonly<Record<string, string>>;
  /** In how large pieces the bytes come. */
  readonly chunkBytes?: number;
}

/** Reads a text as if it were a file. */
export async function readWith(
  reader: TrafficReader,
  content: string | Uint8Array,
  { file = 'given', beside = {}, values = {}, chunkBytes = 1000 }: Given = {},
): Promise<Reading> {
  const bytes = Buffer.from(content);
  const exchanges: RecordedExchange[] = [];
  const problems: ReadProblem[] = [];
  const source = {
    file,
    async *chunks() {
      await Promise.resolve();
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
    values: new Map(Object.entries(values)),
    beside: (path: string) => (Object.hasOwn(beside, path) ? Buffer.from(beside[path]!) : undefined),
  };
  for await (const item of reader.read(source)) {
    if (isReadProblem(item)) problems.push(item);
    else exchanges.push(item);
  }
  return { exchanges, problems };
}

/** Problems as `place problem: done`. */
export function told({ problems }: Reading): string[] {
  return problems.map(({ at, problem, done }) => `${at} ${problem}: ${done}`.trim());
}

/** `METHOD origin/target -> status`. */
export function lines({ exchanges }: Reading): string[] {
  return exchanges.map(({ origin, request, response }) => {
    return `${request.method} ${origin}${request.target} -> ${response?.status ?? 'none'}`;
  });
}
