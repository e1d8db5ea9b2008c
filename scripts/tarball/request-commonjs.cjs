const { createServer } = require('node:http');
const { StandinError } = require('standin');
const { createMockServer } = require('standin/express');

(async () => {
  const server = createServer(await createMockServer()).listen(0, '127.0.0.1', async () => {
    const url = `http://127.0.0.1:${server.address().port}/pets/1`;
    const response = await fetch(url, { headers: { authorization: 'Bearer test-key' } });
    console.log('require:', response.status, await response.text());
    server.close();
    if (response.status !== 200 || typeof StandinError !== 'function') process.exitCode = 1;
  });
})();
