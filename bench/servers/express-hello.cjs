// The yardstick for start and memory: Express's own hello world. CommonJS, because it starts a few ms sooner than a module.
const express = require('express');

const app = express();
app.get('/', (request, response) => {
  response.send('Hello World!');
});

const server = app.listen(Number(process.env.BENCH_PORT ?? 0), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
