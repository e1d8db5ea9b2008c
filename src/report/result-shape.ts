import { ERROR_CODES } from '../errors/codes';
import { MODES, RESULT_FORMAT, SKIP_CAUSES } from '../runner/run-result';
import { SUSPECTS } from './root-cause';
import { schemaOfShape, type ObjectShape, type Shape } from './shape';

const text = (about?: string): Shape => ({ kind: 'text', ...(about === undefined ? {} : { about }) });
const words = (list: readonly string[], about?: string): Shape => ({
  kind: 'words',
  words: list,
  ...(about === undefined ? {} : { about }),
});
const whole = (minimum: number, about?: string): Shape => ({
  kind: 'number',
  isWhole: true,
  minimum,
  ...(about === undefined ? {} : { about }),
});
const duration = (about: string): Shape => ({ kind: 'number', isWhole: false, minimum: 0, about });
const list = (items: Shape, about?: string): Shape => ({
  kind: 'list',
  items,
  ...(about === undefined ? {} : { about }),
});
const object = (
  required: ObjectShape['required'],
  optional: ObjectShape['optional'] = {},
  about?: string,
): ObjectShape => ({
  kind: 'object',
  required,
  optional,
  ...(about === undefined ? {} : { about }),
});

const FINDING = object(
  {
    check: text('Id of the check that spoke; docs/checks.md explains it.'),
    severity: words(['error', 'warning', 'info']),
    at: text('JSON pointer to the place in the exchange, such as /response/body/name.'),
    message: text('One sentence for people.'),
  },
  {
    expected: text(),
    actual: text(),
    spec: text('JSON pointer into the description.'),
    place: text('The same place as file:line:column.'),
    hint: text(),
  },
);

const SOURCE_FINDING = object(
  { rule: text(), severity: words(['error', 'warning']), file: text(), pointer: text(), message: text() },
  { line: whole(1), column: whole(1), expected: text(), hint: text() },
);

const ERROR = object(
  {
    code: words(ERROR_CODES, 'Stable; docs/errors.md explains it.'),
    message: text(),
    findings: list(SOURCE_FINDING, 'What is wrong in which file, where the error is about one.'),
  },
  { hint: text() },
);

const VERDICT: Shape = {
  kind: 'choice',
  of: [
    object({ kind: words(['pass']), checksRun: whole(0) }),
    object({ kind: words(['fail']), findings: list(FINDING) }),
    object(
      { kind: words(['error']), error: ERROR },
      {},
      'No answer came, or a schema does not compile: nothing could be judged.',
    ),
    object({ kind: words(['skipped']), cause: words(SKIP_CAUSES), reason: text() }),
  ],
};

const OMITTED = text('What of the body is not shown: it is no text, or longer than 16 KiB.');

const REQUEST = object(
  {
    method: text(),
    url: text(),
    headers: list(text(), 'Names and values in turn, as sent; $STANDIN_API_KEY stands for the key.'),
  },
  { body: text(), omitted: OMITTED },
  'The request as it was sent.',
);

const RESPONSE = object(
  { headers: list(text(), 'Names and values in turn, without secrets.') },
  { body: text('Without secrets.'), omitted: OMITTED },
  'What came back, of a step that failed, where no earlier one failed in the same way.',
);

const RECIPE = object(
  {
    request: REQUEST,
    uses: list(
      text(),
      'Names of captured values, and runId for the id of the run; they stand in the request as shell variables.',
    ),
    captures: list(
      object(
        { name: text(), text: text('A runtime expression, such as $response.body#/id.') },
        {
          pattern: text('Regular expression whose one group is the value; absent: all of it.'),
          value: text('What the expression names, where the request as it was sent does not show it.'),
        },
      ),
    ),
  },
  { expects: list(text(), 'Names of further captured values that the step expects in the answer.') },
  'How to send the request again after the steps that captured what it uses.',
);

const STEP = object(
  {
    name: text(),
    phase: words(['setup', 'steps', 'cleanup', 'auth']),
    attempts: whole(0, 'How often the request was sent.'),
    verdict: VERDICT,
    warnings: list(FINDING, 'Findings that fail nothing.'),
  },
  {
    operation: text('operationId; absent when the description has no operation for the request.'),
    place: text('Where the step stands: file:line:column of a contract.'),
    request: REQUEST,
    recipe: RECIPE,
    status: whole(0, 'HTTP status; absent when no answer came.'),
    durationMs: duration('From sending to the last byte, waiting and repetitions included.'),
    response: RESPONSE,
    requestIds: list(
      object({ name: text('Of the header.'), value: text() }),
      'How the service names the failing request in its own logs.',
    ),
  },
);

const CAUSE = object(
  {
    fingerprint: text('Stable between runs; --baseline accepts findings by it.'),
    kind: words(
      ['run', 'finding', 'error'],
      'Does it explain the whole run, what checks found, or what could not be judged?',
    ),
    suspect: words(SUSPECTS),
    check: text('Id of the check, code of the error, or name of the cause.'),
    message: text(),
    operations: list(text()),
    steps: list(text(), 'Names of the steps that it shows in.'),
    count: whole(1, 'How many findings, or steps without a judgement, it stands for.'),
    consequences: whole(0, 'Steps that were skipped because of it.'),
  },
  {
    at: text(),
    expected: text(),
    actual: text(),
    place: text(),
    hint: text(),
    requestIds: text('Those of the answer that showed it first, with the names of their headers.'),
  },
);

const TALLY = object(
  { pass: whole(0), fail: whole(0), error: whole(0), skipped: whole(0) },
  {},
  'How many steps ended in which way.',
);

const OUTCOMES = ['conforms', 'violations', 'cannot-judge', 'inconclusive', 'left-behind'];

/** What is made anew from the rest whenever a result is read. */
export const DERIVED_MEMBERS: readonly string[] = ['exitCode', 'tally', 'causes', 'problems'];

/** The JSON form of a result. */
export const RESULT_SHAPE: ObjectShape = object(
  {
    format: words([RESULT_FORMAT], 'Version of the format.'),
    version: text('Version of standin.'),
    runId: text('Different in each run; names of what the run created hold it.'),
    startedAt: text('Date-time of RFC 3339.'),
    durationMs: duration('Of the whole run.'),
    api: text('Title and version of the description.'),
    description: text('File of the description.'),
    baseUrl: text(),
    mode: words(MODES, 'What the run was allowed to send.'),
    outcome: words(OUTCOMES),
    exitCode: whole(
      0,
      'What the process ends with: 0 conforms, 1 violations, 2 cannot judge, 3 inconclusive, 4 left behind.',
    ),
    tally: TALLY,
    causes: list(CAUSE, 'Why the run is not green: each reason once.'),
    problems: list(
      object({
        id: words(['nothing-judged', 'stopped', 'not-judged', 'never-answered', 'left-behind', 'held-back']),
        subject: text(),
        message: text(),
        hint: text(),
      }),
      'Why the run is not green although no single step says so.',
    ),
    contracts: list(object({ name: text(), file: text(), steps: list(STEP) })),
    probes: list(STEP, 'Generated probes of the auth behaviour.'),
    coverage: list(
      object({
        operation: text(),
        method: text(),
        path: text(),
        steps: whole(0, 'Steps and probes that call it.'),
        statuses: list(whole(0), 'Statuses that it answered with, ascending.'),
      }),
      'Every operation of the description.',
    ),
    leftBehind: list(
      object({
        url: text(),
        operation: text(),
        reason: text(),
        isAccepted: {
          kind: 'boolean',
          about: 'No fault: the description has no way to remove it, or its contract says that it stays.',
        },
      }),
      'What the run made and could not remove.',
    ),
  },
  {
    basePaths: list(text(), 'Paths that the servers of the description put before every path of it.'),
    allowsSkipped: { kind: 'boolean', about: 'May the mode have held back most steps? Absent: no.' },
    shard: object({ index: whole(1), count: whole(1) }, {}, 'Which part of all contracts this is.'),
  },
);

/** The JSON Schema that is published as `docs/result.schema.json`. */
export function resultJsonSchema(isClosed = false): Readonly<Record<string, unknown>> {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    $id: 'https://standin.example/result/1/result.schema.json',
    title: 'What a run of standin verify found',
    ...schemaOfShape(RESULT_SHAPE, isClosed),
  };
}
