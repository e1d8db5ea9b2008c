// Starts the second Petstore, to try the runner at a server that is not our mock.
//
//   npm run second-petstore -- --port 4702
//   npm run second-petstore -- --plain        the nine operations of a plain deployment
import { parseArgs } from 'node:util';
import { createSecondPetstore } from './index';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '0' }, plain: { type: 'boolean', default: false } },
});

void createSecondPetstore({ plain: values.plain })
  .listen(Number(values.port))
  .then((url) => {
    process.stdout.write(`The second Petstore is at ${url}; its key is test-key. Stop with Ctrl-C.\n`);
  });
