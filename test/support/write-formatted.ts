import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';

/** Writes a file as `npm run format` would leave it. */
export function writeFormatted(file: string, text: string): void {
  writeFileSync(file, text);
  execFileSync('npx', ['oxfmt', file], { stdio: 'inherit' });
}
