import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { llmsText } from './llms-text';
import { ROOT } from './source-files';

writeFileSync(join(ROOT, 'llms.txt'), llmsText());
