// Asks the built package in a process of its own, and counts the worker threads that it starts: inside jest they cannot
// be seen. Takes { options, requests: [[method, path, body]] } as JSON and prints what came back. It does not end the
// process itself: a worker that keeps it alive would let the test wait for ever.
const { join } = require('node:path');
const request = require('supertest');

const BUILT = join(__dirname, '..', '..', 'dist', 'src', 'library', 'create-mock-server.js');
const { createMockServer } = require(BUILT);

let workers = 0;
process.on('worker', () => {
  workers += 1;
});

async function run({ options, requests }) {
  const app = await createMockServer(options);
  const answers = [];
  for (const [method, path, body] of requests) {
    const sent = request(app)[method](path).set('Authorization', 'Bearer test-key');
    const { status, text } = await (body === undefined ? sent : sent.send(body));
    answers.push({ status, text });
  }
  const ofPrism = Object.keys(require.cache).filter((file) =>
    /[\\/](?:@stoplight|json-schema-faker|@faker-js)[\\/]/.test(file),
  );
  console.log(JSON.stringify({ answers, workers, ofPrism }));
}

void run(JSON.parse(process.argv[2]));
