import { createServer } from 'node:http';
import { StandinError } from 'standin';
import { createMockServer } from 'standin/express';

const app = await createMockServer();
const server = createServer(app).listen(0, '127.0.0.1', async () => {
  const url = `http://127.0.0.1:${server.address().port}/pets/1`;
  const response = await fetch(url, { headers: { authorization: 'Bearer test-key' } });
  console.log('import:', response.status, await response.text());
  server.close();
  if (response.status !== 200 || typeof StandinError !== 'function') process.exitCode = 1;
});
