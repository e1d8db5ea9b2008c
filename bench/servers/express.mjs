// Plain Express with its default settings, the way its guide shows it: one pet to read, one route that answers what it got.
import { readFileSync } from 'node:fs';
import express from 'express';

const pet = process.env.BENCH_BODY_FILE ? JSON.parse(readFileSync(process.env.BENCH_BODY_FILE, 'utf8')) : {};

const app = express();
app.get('/pets/:petId', (request, response) => {
  response.json(pet);
});
app.post('/pets', express.json(), (request, response) => {
  response.status(201).json(request.body);
});

const server = app.listen(Number(process.env.BENCH_PORT ?? 0), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`);
});
