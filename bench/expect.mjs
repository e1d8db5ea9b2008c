// Right before fast: what each answer must be before, between and after the loads.
import { isDeepStrictEqual } from 'node:util';
import { exchange } from './exchange.mjs';

export function expectStatus(answer, status) {
  if (answer.status !== status) {
    throw new Error(`answered ${answer.status} instead of ${status} ${answer.body.slice(0, 200)}`.trim());
  }
}

export function expectPet(answer, status, members = {}) {
  expectStatus(answer, status);
  const pet = JSON.parse(answer.body);
  if (typeof pet.id !== 'number' || typeof pet.name !== 'string') {
    throw new Error(`answered no pet: ${answer.body.slice(0, 200)}`);
  }
  for (const [name, value] of Object.entries(members)) expectEqual(pet[name], value, name);
  return pet;
}

export function expectJson(answer, status, value) {
  expectStatus(answer, status);
  expectEqual(JSON.parse(answer.body), value, 'body');
}

export function expectList(answer, { length, total, status }) {
  expectStatus(answer, 200);
  const pets = JSON.parse(answer.body);
  expectEqual(Array.isArray(pets) && pets.length, length, 'number of pets');
  expectEqual(answer.headers['x-total-count'], String(total), 'X-Total-Count');
  if (status && !pets.every((pet) => pet.status === status)) throw new Error(`listed pets that are not ${status}`);
}

/** The mock is only comparable with its checks and its state on. */
export async function expectGuardedReads(server, { headers }) {
  expectStatus(await exchange(server.port, { path: '/pets/1' }), 401);
  expectStatus(await exchange(server.port, { path: '/pets/not-a-number', headers }), 400);
  expectStatus(await exchange(server.port, { path: '/pets/999999999', headers }), 404);
}

/** Refuses a wrong body, and gives back what was posted. */
export async function expectGuardedWrites(server, { request, headers }) {
  expectStatus(await exchange(server.port, { ...request, headers: { 'Content-Type': 'application/json' } }), 401);
  expectStatus(await exchange(server.port, { ...request, body: '{"name":7}' }), 400);
  const posted = JSON.parse((await exchange(server.port, request)).body);
  expectJson(await exchange(server.port, { path: `/pets/${posted.id}`, headers }), 200, posted);
}

function expectEqual(actual, expected, what) {
  if (!isDeepStrictEqual(actual, expected)) {
    throw new Error(`${what} is ${JSON.stringify(actual)} instead of ${JSON.stringify(expected)}`);
  }
}
