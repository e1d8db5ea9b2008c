import { RESPONSE_CHECKS } from '../../src/checks/response/registry';
import { observe, refusal, run } from './answer';
import { PROTOCOL_CASES } from './cases/index';
import { BODY_CASES } from './cases/body-cases';

describe.each(Object.entries(PROTOCOL_CASES))('%s', (id, { speaks, silent, idle }) => {
  test.each(speaks.map(([name, answer, ...findings]) => ({ name, answer, findings })))('speaks of $name', (row) => {
    const said = run(id, row.answer) ?? [];
    expect(said.map((text, index) => text.slice(0, row.findings[index]?.length))).toEqual(row.findings);
  });

  test.each(silent)('finds nothing in %s', (_, answer) => {
    expect(run(id, answer)).toEqual([]);
  });

  test.each(idle)('has nothing to judge in %s', (_, answer) => {
    expect(run(id, answer)).toBeUndefined();
  });
});

test('a credential stands in no finding about it', () => {
  const answer = refusal(401, 'the key k3y-that-was-sent', {
    headers: { 'WWW-Authenticate': 'Bearer key="k3y-that-was-sent"' },
    secrets: ['k3y-that-was-sent'],
  });
  const findings = RESPONSE_CHECKS.find(({ id }) => id === 'secret-echo')!.run(observe(answer))!;
  expect(findings.map(({ at }) => at)).toEqual(['/response/headers/www-authenticate', '/response/body/message']);
  expect(JSON.stringify(findings)).not.toContain('k3y-that');
});

test('what a client may not read is not shown in a finding about it', () => {
  const check = RESPONSE_CHECKS.find(({ id }) => id === 'write-only')!;
  for (const [, answer] of BODY_CASES['write-only']!.speaks) {
    expect(check.run(observe(answer))!.map(({ actual }) => actual)).toEqual(['a value']);
  }
});

test('a long text is looked through in no time', () => {
  const text = 'at at com.a('.repeat(5_000) + ' SELECT a'.repeat(5_000) + '/x'.repeat(20_000) + ' in /a'.repeat(5_000);
  expect(run('internals', refusal(400, text))).toEqual([]);
});

test.each(RESPONSE_CHECKS.map(({ id, source }) => ({ id, source })))('$id says where it comes from', ({ source }) => {
  expect(source).toMatch(/^(?:RFC \d+|OAS 3|WFC \d|the (?:contract|description))/);
});
