import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { roomsTable } from './rooms';
import { writeFormatted } from '../support/write-formatted';

/** Writes the table of rooms into ARCHITECTURE.md. */
function main(): void {
  const path = join(__dirname, '..', '..', 'ARCHITECTURE.md');
  const marks = /<!-- rooms -->[\s\S]*<!-- \/rooms -->/;
  const text = readFileSync(path, 'utf8').replace(marks, () => `<!-- rooms -->\n\n${roomsTable()}\n\n<!-- /rooms -->`);
  writeFormatted(path, text);
}

main();
