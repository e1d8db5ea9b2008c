import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { roomsTable } from './rooms';

/** Writes the table of rooms into ARCHITECTURE.md. */
async function main(): Promise<void> {
  const path = join(__dirname, '..', '..', 'ARCHITECTURE.md');
  const marks = /<!-- rooms -->[\s\S]*<!-- \/rooms -->/;
  const text = readFileSync(path, 'utf8').replace(marks, () => `<!-- rooms -->\n\n${roomsTable()}\n\n<!-- /rooms -->`);
  writeFileSync(path, await format(text, { ...(await resolveConfig(path)), parser: 'markdown' }));
}

void main();
