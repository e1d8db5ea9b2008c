import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { assembleMockServer, type MockServer } from '../../src/server/mock-server';
import { createClock } from '../../src/mock/sandbox/clock';
import { createPrismGenerator } from '../../src/prism/prism-generator';
import { type ApiModel, buildModel } from '../../src/openapi/model/api-model';
import { readSource } from '../../src/openapi/read/read-source';
import { createPayloadSource } from '../../src/payload/payload-source';

export const WEATHER = join(__dirname, 'weather.yaml');

/** The model of a file, which nobody judged; `laziness.slow.test.ts` has it loaded as a user would. */
export function loadModel(file = WEATHER): ApiModel {
  return buildModel(readSource(readFileSync(file, 'utf8'), file));
}

/** A model of the paths given: also what loading would refuse gets in. */
export function modelOf(paths: object, schemas: object = {}, openapi = '3.0.3'): ApiModel {
  const document = { openapi, info: { title: 'Paths', version: '1' }, paths, components: { schemas } };
  return buildModel(readSource(JSON.stringify(document), 'paths.json'));
}

/** A path item whose GET answers with a JSON body of the schema. */
export function getting(operationId: string, schema: object, more: object = {}): object {
  const response = { description: 'It', content: { 'application/json': { schema } } };
  return { get: { operationId, responses: { '200': response }, ...more } };
}

export function mockOf(api: ApiModel): MockServer {
  const { app } = assembleMockServer(api, {
    options: { auth: 'off' },
    clock: createClock(),
    payloads: createPayloadSource({ api, generator: () => createPrismGenerator(api), maker: 'prism' }),
    corsOrigins: [],
    reportDefect(error) {
      throw error;
    },
  });
  return app;
}
