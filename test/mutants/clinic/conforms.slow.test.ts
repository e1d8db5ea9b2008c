import { join } from 'node:path';
import { runContract } from '../../../src/library/run-contract';
import { readDescription, responseFor } from '../../laws/description';
import { createSchemas } from '../../laws/schemas';
import { headerOf, jsonOf, type Answer, type Call } from '../message';
import { startMutantProxy } from '../proxy';
import { CLINIC_API } from './api';
import { ClinicClient } from './client';
import { startClinic } from './server';

test.each(['own', 'full'] as const)('a service that archives conforms, in mode %s', async (mode) => {
  const { url, close } = await startClinic();
  try {
    const options = { ...CLINIC_API.runOptions(url), apiKey: 'test-key', mode, seed: 1, retries: 0 };
    const { contracts } = await runContract(options);
    const failed = contracts.flatMap(({ steps }) => steps.filter(({ verdict }) => verdict.kind === 'fail'));
    expect(failed.map(({ name }) => name)).toEqual([]);
  } finally {
    await close();
  }
});

test('every response that a witness gets is as described', async () => {
  const description = readDescription(join(__dirname, 'clinic.yaml'));
  const schemas = createSchemas(description);
  /** What is wrong with an answer, by a validator that is not our own. */
  const wrongIn = ({ method, target }: Call, answer: Answer): unknown => {
    const isAt = (path: string): boolean =>
      new RegExp(`^/api/v1${path.replace(/\{\w+\}/g, '[^/]+')}(\\?|$)`).test(target);
    const operation = description.operations.find((each) => each.method === method && isAt(each.path));
    if (operation === undefined || answer.body.length === 0) return undefined;
    const [body] = responseFor(operation, answer.status)?.bodies ?? [];
    if (body === undefined || headerOf(answer, 'Content-Type') !== 'application/json') return 'It is not described.';
    const judge = schemas.judge(body.schema, 'response');
    return judge === undefined ? 'It cannot be judged.' : judge(jsonOf(answer));
  };
  const wrong: unknown[] = [];
  let judged = 0;
  const { url, close } = await startClinic();
  const defect = {
    id: 'none',
    title: 'nothing is altered',
    start:
      () =>
      async ({ call, pass }: { readonly call: Call; readonly pass: () => Promise<Answer> }): Promise<Answer> => {
        const answer = await pass();
        const error = wrongIn(call, answer);
        judged += 1;
        if (error !== undefined) wrong.push([call.method, call.target, answer.status, error]);
        return answer;
      },
  };
  const proxy = await startMutantProxy({ target: url, dialect: CLINIC_API.dialect, defect });
  try {
    for (const { witness } of [...CLINIC_API.defects, ...CLINIC_API.variants]) await witness(new ClinicClient(proxy));
    expect(wrong).toEqual([]);
    expect(judged).toBeGreaterThan(200);
  } finally {
    await proxy.close();
    await close();
  }
});
