// Tries the laws at a mock of one description, and prints what came of it as JSON.
import { join } from 'node:path';
import { tryDocument } from './trial';

const COMMAND = join(__dirname, '..', '..', 'dist', 'bin', 'standin.js');

const [file = '', name = file] = process.argv.slice(2);
void tryDocument(COMMAND, file, name).then((trial) => {
  process.stdout.write(JSON.stringify(trial));
});
