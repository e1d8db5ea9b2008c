import Ajv from 'ajv';
import { formatReport, REPORT_KINDS } from '../../src/report/registry';
import type { RunResult } from '../../src/runner/result/run-result';
import { elements, parseXml } from './markup';
import { contractOf, failed, findingOf, PASSED, resultOf, resultOfSteps, skipped, statusFinding } from './results';

const EVIL = `</pre><script>alert("x" & 'y')</script>]]>\u0000\u001b\ud800\ufffe`;
const SEEN = `</pre><script>alert("x" & 'y')</script>]]>`;
const EVIL_STEP = failed([findingOf('body-json', '/response/body', { message: EVIL, actual: EVIL })], { name: EVIL });

describe('JUnit', () => {
  const xml = (result: RunResult) => parseXml(formatReport('junit', result));

  test('has a flat suite for each contract, cases with times in seconds, a time stamp without a zone', () => {
    const result = resultOf({
      contracts: [contractOf('Books', PASSED)],
      probes: [{ ...PASSED, name: 'getBook without a key' }],
    });
    const suites = elements(xml(result), 'testsuite');
    expect(suites.map(({ attributes }) => attributes)).toMatchObject([
      {
        name: 'Books',
        tests: '1',
        failures: '0',
        errors: '0',
        skipped: '0',
        time: '0.012',
        timestamp: '2026-11-20T10:00:00',
      },
      { name: 'auth behaviour', tests: '1' },
    ]);
    const [first] = elements(suites[0]!, 'testcase');
    expect(first!.attributes).toEqual({
      classname: 'Books',
      name: 'read a book',
      time: '0.012',
      file: 'contracts/Books.yaml',
    });
  });

  test('a failure has its message in the attribute and in the text, with a command', () => {
    const [failure] = elements(xml(resultOfSteps(failed([statusFinding(500, 200)]))), 'failure');
    expect(failure!.attributes).toEqual({
      message: 'status-expected: Expected status 200, got 500',
      type: 'status-expected',
    });
    expect(failure!.text).toContain(
      'status-expected: Expected status 200, got 500\nstep: contracts/a.yaml:4:5\nGET http://',
    );
    expect(failure!.text).toContain('\nreproduce:\ncurl -i "http://localhost/books/1"');
  });

  test('what is hostile comes out as text', () => {
    const [element] = elements(xml(resultOfSteps(EVIL_STEP)), 'testcase');
    expect(element!.attributes['name']).toContain(SEEN);
    expect(elements(element!, 'failure')[0]!.text).toContain(SEEN);
  });

  test('no two cases share class and name', () => {
    const contracts = [
      contractOf('Books', PASSED, PASSED, { ...PASSED, name: 'read a book (2)' }),
      contractOf('Books', PASSED),
    ];
    const names = elements(xml(resultOf({ contracts })), 'testcase').map(
      ({ attributes: { classname, name } }) => `${classname} ${name}`,
    );
    expect(new Set(names).size).toBe(4);
  });

  test('a run that judged nothing has an error, so that nobody takes it for green', () => {
    const root = xml(resultOfSteps(skipped('a', 'pending', 'not yet')));
    expect(root.attributes).toMatchObject({ tests: '2', errors: '1', skipped: '1' });
    expect(elements(root, 'error')[0]!.attributes['type']).toBe('nothing-judged');
  });
});

describe('CTRF', () => {
  const string = { type: 'string' };
  const integer = { type: 'integer' };
  const closed = (required: string[], properties: object): object => ({
    type: 'object',
    required,
    properties,
    additionalProperties: false,
  });
  // What the specification of CTRF says of the members that are used here; it lets no other members in.
  const SCHEMA = closed(['reportFormat', 'specVersion', 'results'], {
    reportFormat: { const: 'CTRF' },
    specVersion: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+$' },
    generatedBy: string,
    timestamp: string,
    results: closed(['tool', 'summary', 'tests'], {
      tool: closed(['name'], { name: { ...string, minLength: 1 }, version: string }),
      summary: closed(['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'start', 'stop'], {
        ...Object.fromEntries(
          ['tests', 'passed', 'failed', 'skipped', 'pending', 'other', 'suites', 'start', 'stop'].map((name) => [
            name,
            integer,
          ]),
        ),
        extra: { type: 'object' },
      }),
      tests: {
        type: 'array',
        items: closed(['name', 'status', 'duration'], {
          name: { ...string, minLength: 1 },
          status: { enum: ['passed', 'failed', 'skipped', 'pending', 'other'] },
          duration: integer,
          suite: { type: 'array', minItems: 1, items: string },
          message: string,
          trace: string,
          stdout: { type: 'array', items: string },
          line: integer,
          filePath: string,
          rawStatus: string,
          retries: integer,
          extra: { type: 'object' },
        }),
      },
      environment: closed([], { appName: string, testEnvironment: string }),
    }),
  });

  test('is what the schema of CTRF allows', () => {
    const result = resultOfSteps(
      PASSED,
      EVIL_STEP,
      { ...PASSED, name: '', attempts: 3, durationMs: 1.5 },
      skipped('b', 'pending', 'later'),
    );
    const report = JSON.parse(formatReport('ctrf', result));
    const validate = new Ajv({ allErrors: true }).compile(SCHEMA);
    validate(report);
    expect(validate.errors ?? []).toEqual([]);
    const { start, stop } = report.results.summary;
    expect(stop - start).toBe(20);
    expect(report.results.tests[2].retries).toBe(2);
    expect(report.results.tests[3]).toMatchObject({ status: 'pending', message: 'later' });
  });
});

describe('SARIF', () => {
  const run = (result: RunResult) => JSON.parse(formatReport('sarif', result)).runs[0];

  test('points at the line of the description, and at the step', () => {
    const [result] = run(resultOfSteps(failed([statusFinding(500, 200)]))).results;
    expect(result).toMatchObject({
      ruleId: 'status-expected',
      ruleIndex: 0,
      level: 'error',
      occurrenceCount: 1,
      locations: [
        { physicalLocation: { artifactLocation: { uri: 'openapi.yaml' }, region: { startLine: 9, startColumn: 5 } } },
      ],
      relatedLocations: [
        { physicalLocation: { artifactLocation: { uri: 'contracts/a.yaml' }, region: { startLine: 4 } } },
      ],
    });
    expect(result.partialFingerprints['standin/1']).toMatch(/^[0-9a-f]{12}$/);
    expect(result.message.text).toBe('Expected status 200, got 500\nat /response/status\nexpected: 200\nactual: 500');
  });

  test('every rule that speaks is listed, and every index leads to it', () => {
    const { tool, results } = run(
      resultOfSteps(failed([statusFinding(500, 200), findingOf('body-json', '/response/body')])),
    );
    expect(results).toHaveLength(2);
    for (const { ruleId, ruleIndex } of results) expect(tool.driver.rules[ruleIndex].id).toBe(ruleId);
  });

  test('a link and a placeholder in a message are text', () => {
    const [result] = run(
      resultOfSteps(failed([findingOf('a', '/b', { message: '[click](http://evil) {0} [1] {a}' })])),
    ).results;
    expect(result.message.text).toMatch(/^\\\[click\]\(http:\/\/evil\) \{\{0\}\} \[1\] \{a\}\n/);
  });

  test('without a place it points at the step, and without one at the description', () => {
    const bare = findingOf('a', '/b');
    const uris = [failed([bare]), failed([bare], { place: undefined })].map((step) => {
      return run(resultOfSteps(step)).results[0].locations[0].physicalLocation.artifactLocation.uri;
    });
    expect(uris).toEqual(['contracts/a.yaml', 'openapi.yaml']);
  });
});

describe('Markdown', () => {
  test('has the outcome, a table, and what is behind each cause folded up', () => {
    const report = formatReport('markdown', resultOfSteps(PASSED, failed([statusFinding(500, 200)])));
    expect(report).toContain('## ❌ VIOLATIONS: Library API 1.0.0\n\n1 failed, 1 passed at `http://localhost`.');
    expect(report).toContain('| 1 | status-expected: Expected status 200, got 500 | getBook | 1 | service |\n');
    expect(report).toContain('```sh\ncurl -i "http://localhost/books/1"');
  });

  test('nothing that a server sent is markup, a mention or a reference', () => {
    const message = 'see @team, #12, <img src=x>, **bold** | `code` [a](b)';
    const actual = '``` | `x` <b>';
    const report = formatReport('markdown', resultOfSteps(failed([findingOf('a', '/b', { message, actual })])));
    expect(report).not.toMatch(/@team|(?<!&)#12|<img|\*\*|\[a\]/);
    expect(report).toContain('- actual: `ˋˋˋ | ˋxˋ <b>`');
    for (const row of report.split('\n').filter((line) => line.startsWith('| 1 '))) {
      expect(row.match(/(?<!\\)\|/g)).toHaveLength(6);
    }
  });

  test('a fence is longer than any in it', () => {
    const request = { ...PASSED.request!, body: '\n````\n' };
    const report = formatReport('markdown', resultOfSteps(failed([statusFinding(1, 2)], { request })));
    expect(report).toMatch(/\n`{5}sh\n[^`]*````[^`]*\n`{5}\n/);
  });

  test('is never longer than 60 kB, and says what it leaves out', () => {
    const body = 'ä'.repeat(20_000);
    const steps = Array.from({ length: 40 }, (_, index) => {
      return failed([findingOf('a', `/x${index}`, { message: body })], {
        operation: `o${index}`,
        request: { ...PASSED.request!, body },
      });
    });
    const report = formatReport('markdown', resultOfSteps(...steps));
    expect(Buffer.byteLength(report)).toBeLessThan(60_001);
    expect(report).toContain('… and 20 more causes; the JSON and HTML reports have them all.');
    expect(report).toMatch(/… \d+ parts omitted because of the size limit/);
  });
});

describe('GitHub annotations', () => {
  test('stand at the line, with everything escaped that has a meaning', () => {
    const finding = findingOf('a:b', '/c', { message: '100%\r\n::error::x', place: 'dir,x/openapi.yaml:3:7' });
    expect(formatReport('github', resultOfSteps(failed([finding], { name: 'a, b: c' })))).toBe(
      '::error file=dir%2Cx/openapi.yaml,line=3,col=7,title=a%3Ab%3A a%2C b%3A c::100%25%0D%0A::error::x\n' +
        '::notice title=standin verify::VIOLATIONS: 1 failed\n',
    );
  });

  test('of more than ten the last says how many there are', () => {
    const steps = Array.from({ length: 15 }, (_, index) =>
      failed([statusFinding(500, 200)], { operation: `o${index}` }),
    );
    const lines = formatReport('github', resultOfSteps(...steps)).split('\n');
    expect(lines.filter((line) => line.startsWith('::error '))).toHaveLength(10);
    expect(lines[9]).toBe('::error title=standin verify::… and 6 more; the other reports have them all');
  });
});

describe('HTML', () => {
  const page = formatReport('html', resultOfSteps(PASSED, EVIL_STEP, skipped('later', 'pending', 'not yet')));

  test('needs nothing from elsewhere', () => {
    expect(page).not.toMatch(/\b(?:src|action)=|href=(?!"#)|@import|url\(|fetch\(/);
    expect(page).toContain(`<meta http-equiv="Content-Security-Policy" content="default-src 'none';`);
  });

  test('what is hostile comes out as text', () => {
    expect(page.match(/<script>/g)).toHaveLength(1);
    expect(page.match(/<\/script>/g)).toHaveLength(1);
    expect(page).toContain('&lt;script&gt;alert(&quot;x&quot; &amp; &#39;y&#39;)&lt;/script&gt;]]&gt;');
    expect(page).not.toMatch(/[\u0000-\u0008\u001b\ud800\ufffe]/u);
  });

  test('every tag that is opened is closed', () => {
    const open: string[] = [];
    for (const [, slash, name = ''] of page
      .replace(/<(?:script|style)>[\s\S]*?<\/(?:script|style)>/g, '')
      .matchAll(/<(\/?)([a-z]\w*)/g)) {
      if (['meta', 'br', 'input'].includes(name)) continue;
      if (slash === '') open.push(name);
      else expect(open.pop()).toBe(name);
    }
    expect(open).toEqual([]);
  });

  test('has headings in order, captions and column headers, and a filter only where there is a script', () => {
    expect([...page.matchAll(/<h(\d)/g)].map(([, level]) => level)).toEqual(['1', '2', '3', '2']);
    expect(page.match(/<caption>/g)).toHaveLength(1);
    expect(page.match(/<th scope="col">/g)).toHaveLength(6);
    expect(page).toContain('<form id="filter" hidden>');
    expect(page).toContain('<html lang="en">');
    expect(page).toMatch(/prefers-color-scheme: ?dark/);
  });

  test('is written for a thousand steps', () => {
    const steps = Array.from({ length: 1000 }, (_, index) =>
      failed([statusFinding(500, 200)], { name: `step ${index}` }),
    );
    expect(formatReport('html', resultOfSteps(...steps)).match(/<tr data-verdict="fail"/g)).toHaveLength(1000);
  });
});

test.each(REPORT_KINDS)('a report of kind %s names the rows of others that changed', (kind) => {
  const othersChanged = [
    { url: 'http://localhost/books/7', properties: ['title'] },
    { url: 'http://localhost/books/8' },
  ];
  const steps = [contractOf('books', PASSED)];
  const told = (result: Parameters<typeof formatReport>[1]): string => formatReport(kind, result, { kind: 'set' });
  expect(told(resultOf({ contracts: steps, othersChanged }))).toMatch(/books(?:\/|&#x2F;)7[^]*books(?:\/|&#x2F;)8/);
  expect(told(resultOf({ contracts: steps }))).not.toMatch(/existed before|othersChanged|rows of others/i);
});
