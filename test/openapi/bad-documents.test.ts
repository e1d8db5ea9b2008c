import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadDescription } from '../../src/files/load-description';
import {
  formatSourceLocation,
  formatStandinError,
  type SourceFinding,
  SpecError,
  type StandinError,
} from '../../src/core/errors/standin-error';
import { once } from '../../src/core/text/memoize';
import { thrownBy } from './load-text';

const CASES = join(__dirname, '..', 'cases', 'bad-documents');

/** `message`, `expected` and `hint` are parts of what the finding says. */
type ExpectedFinding = Partial<SourceFinding> & Pick<SourceFinding, 'pointer'>;

interface Expected {
  /** Of the refusal; absent for a document that is served with its findings. */
  readonly code?: string;
  readonly findings: readonly ExpectedFinding[];
  /** One fault may be spoken of several times, always about the same part of the document. */
  readonly repeats?: boolean;
}

function toMatcher({ message, expected, hint, ...rest }: ExpectedFinding): unknown {
  return expect.objectContaining({
    severity: 'error',
    ...rest,
    ...(message === undefined ? {} : { message: expect.stringContaining(message) }),
    ...(expected === undefined ? {} : { expected: expect.stringContaining(expected) }),
    ...(hint === undefined ? {} : { hint: expect.stringContaining(hint) }),
  });
}

function isAbout(finding: SourceFinding, { pointer }: ExpectedFinding): boolean {
  return `${finding.pointer}/`.startsWith(`${pointer}/`) || `${pointer}/`.startsWith(`${finding.pointer}/`);
}

describe.each(readdirSync(CASES))('the document %s', (name) => {
  const files = readdirSync(join(CASES, name)).filter((file) => file !== 'expected.json');
  const file = join(CASES, name, files[0] ?? '');
  const expected = JSON.parse(readFileSync(join(CASES, name, 'expected.json'), 'utf8')) as Expected;
  // Loaded once for all tests of the document.
  const refusal = once((): StandinError => thrownBy(() => loadDescription(file)));
  const found = once((): readonly SourceFinding[] =>
    expected.code === undefined ? loadDescription(file).warnings : refusal().findings,
  );

  it(`is ${expected.code === undefined ? 'served' : 'refused'} with its findings, each with file, line and column`, () => {
    if (expected.code !== undefined) {
      const error = refusal();
      expect(error).toBeInstanceOf(SpecError);
      expect(error.code).toBe(expected.code);
      expect(error.message).toContain(file);
    }
    expect(found()).toEqual(expect.arrayContaining(expected.findings.map(toMatcher)));
    for (const finding of found()) expect(finding.file).toBe(file);
  });

  it('is accused of nothing else', () => {
    const findings = found();
    if (expected.repeats !== true) expect(findings).toHaveLength(expected.findings.length);
    const strays = findings.filter((finding) => !expected.findings.some((fault) => isAbout(finding, fault)));
    expect(strays).toStrictEqual([]);
  });

  it('has its findings in the order of the text and shows each with its place', () => {
    const findings = found();
    const places = findings.map(({ line = 0, column = 0 }) => line * 10_000 + column);
    expect(places).toStrictEqual(places.toSorted((left, right) => left - right));
    const shown = formatStandinError({ code: 'SPEC_INVALID', message: '', hint: undefined, findings });
    for (const finding of findings) {
      expect(shown).toContain(
        `${formatSourceLocation(finding)} ${finding.severity} ${finding.rule}: ${finding.message}`,
      );
    }
  });
});
