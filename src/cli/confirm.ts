import { createInterface } from 'node:readline/promises';

/** Asks a person yes or no. @returns false where nobody is there to be asked */
export async function confirm(question: string): Promise<boolean> {
  if (!process.stdin.isTTY || !process.stderr.isTTY || (process.env['CI'] ?? '') !== '') return false;
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return /^y(?:es)?$/i.test((await reader.question(`${question} [y/N] `)).trim());
  } finally {
    reader.close();
  }
}
