import { createMockServer } from '../../src/express';
import { runContract } from '../../src/library/run-contract';
import { allSteps } from '../../src/runner/result/outcome';

/** Every way in which a response can be broken on purpose, and the check that has to see it. */
test.each([
  { fault: 'violate:/name:missing;method=POST;path=/pets', check: 'body-schema' },
  { fault: 'violate:/name:type;method=POST;path=/pets', check: 'body-schema' },
  { fault: 'violate:/status:enum;method=POST;path=/pets', check: 'body-schema' },
  { fault: 'violate:/-/name:missing;path=/pets;method=GET', check: 'body-schema' },
  { fault: 'malformed-json;path=/pets', check: undefined },
  { fault: 'wrong-content-type;path=/pets', check: undefined },
  { fault: 'empty;method=POST;path=/pets', check: undefined },
  { fault: 'status:500;path=/pets', check: undefined },
  { fault: 'error-rate:0.5;path=/pets', check: undefined },
])('a run notices $fault', async ({ fault, check }) => {
  const app = await createMockServer();
  app.setFaults(fault);
  const result = await runContract({ app, contracts: ['contracts/core/pets.yaml'], probesAuth: false });
  expect(app.faults()[0]?.happened).toBeGreaterThan(0);
  expect(result.outcome).not.toBe('conforms');
  const checks = allSteps(result).flatMap(({ verdict }) =>
    verdict.kind === 'fail' ? verdict.findings.map((finding) => finding.check) : [],
  );
  if (check === undefined) expect(checks.length).toBeGreaterThan(0);
  else expect(checks).toContain(check);
});

test('a fault of a connection is no agreement either', async () => {
  const app = await createMockServer({ faults: ['truncate;path=/pets;method=GET'] });
  const result = await runContract({ app, contracts: ['contracts/core/pets.yaml'], probesAuth: false, retries: 0 });
  expect(result.outcome).not.toBe('conforms');
});
