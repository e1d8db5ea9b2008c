import { join } from 'node:path';
import { optionsDocument } from './option-tables';
import { writeFormatted } from '../support/write-formatted';

/** Writes docs/reference/options.md. */
function main(): void {
  const path = join(__dirname, '..', '..', 'docs', 'reference', 'options.md');
  writeFormatted(path, optionsDocument());
}

main();
