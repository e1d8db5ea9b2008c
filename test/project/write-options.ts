import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { optionsDocument } from './option-tables';

/** Writes docs/reference/options.md. */
async function main(): Promise<void> {
  const path = join(__dirname, '..', '..', 'docs', 'reference', 'options.md');
  writeFileSync(path, await format(optionsDocument(), { ...(await resolveConfig(path)), parser: 'markdown' }));
}

void main();
