import { join } from 'node:path';

/** The command line in the one file that users run; `npm run build` makes it. */
export const BUILT_COMMAND = join(__dirname, '..', '..', 'dist', 'bin', 'standin.js');
