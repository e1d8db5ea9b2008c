import { problem, type ProblemCode } from '../checks/problem';
import { fitStatus } from '../mock/fit-status';
import { findResponse } from '../openapi/find-response';
import type { ApiModel, Operation, Parameter } from '../openapi/model';
import { documentsHeader } from '../mock/conditional-writes';
import type { OperationPlan } from '../mock/operation-plan';
import type { NeedsExplanation, RefusalExplanation } from './explain-needs';
import { placeText } from './reason';

/** A status that an operation documents beside that of its success. */
export interface OtherAnswer {
  /** As the description writes it: `404`, `4XX`, `default`. */
  readonly status: string;
  /** Header of a request that gets it. */
  readonly prefer: string | undefined;
  /** Names of examples, each of which can be asked for. */
  readonly examples: readonly string[];
  /** Requests that get it without asking for it, as far as they are known. */
  readonly when: readonly string[];
  readonly place: string | undefined;
}

/** @param usual - statuses of the success */
export function explainOtherAnswers(
  api: ApiModel,
  plan: OperationPlan,
  needs: NeedsExplanation,
  usual: readonly number[],
): OtherAnswer[] {
  const { document } = api;
  const { operation } = plan;
  return [...operation.responses.values()]
    .filter((response) => !usual.some((status) => findResponse(operation, status) === response))
    .map((response) => {
      const code = codeFor(operation, response.status);
      const names = response.content.flatMap(({ examples }) => examples.flatMap(({ name }) => name ?? []));
      return {
        status: response.status,
        prefer: code === undefined ? undefined : `Prefer: code=${code}`,
        examples: [...new Set(names)],
        when: occasions(api, plan, needs)
          .filter(({ status }) => findResponse(operation, status) === response)
          .map(({ when }) => when),
        place: placeText(document, response.pointer),
      };
    });
}

/** A status that only this response is for; for `default`, one that is a failure. */
function codeFor(operation: Operation, status: string): number | undefined {
  if (/^[2-5]\d\d$/.test(status)) return Number(status);
  const first = /^[2-5]XX$/.test(status) ? Number(status.charAt(0)) * 100 : status === 'default' ? 500 : undefined;
  if (first === undefined) return undefined;
  const response = operation.responses.get(status);
  for (let code = first; code < first + 100; code++) if (findResponse(operation, code) === response) return code;
  return undefined;
}

interface Occasion {
  readonly status: number;
  readonly when: string;
}

/** What is known to lead to a status, from what a request needs and from what the operation does. */
function occasions(api: ApiModel, plan: OperationPlan, needs: NeedsExplanation): Occasion[] {
  const { credentials, parameters, body, ended } = needs;
  const { operation } = plan;
  const fitting = (code: ProblemCode): number => fitStatus(problem(code, ''), operation, api).status;
  return [
    ...refused(credentials?.without, 'without credentials'),
    ...refused(parameters?.without, 'without a required parameter'),
    ...when(fitting('invalid_parameter'), operation.parameters.some(isJudged), 'a parameter that breaks its schema'),
    ...refused(body?.without, 'without a body'),
    ...when(fitting('invalid_field'), body !== undefined, 'a body that breaks its schema'),
    ...stateOccasions(plan.behaviour, operation),
    ...(plan.above === undefined
      ? []
      : when(404, true, `an item of ${plan.above.resource} in the path that is not there`)),
    ...when(406, plan.offered.length > 0, 'an Accept that leaves out what there is'),
    ...when(413, body !== undefined, 'a body that is too large'),
    ...when(415, body !== undefined, 'a body of another media type'),
    ...when(429, true, 'standin mock --rate-limit, once it is used up'),
    ...(ended === undefined ? endOccasions(operation) : refused(ended, 'every request, since its sunset')),
  ];
}

function stateOccasions(behaviour: OperationPlan['behaviour'], operation: Operation): Occasion[] {
  if (behaviour === undefined) return [];
  const { binding, takesIfMatch, kind, resource } = behaviour;
  const isOne = binding.keyParameter !== undefined && kind !== 'upsert';
  const isBelow = resource.scope.some(({ parent }) => parent !== undefined);
  return [
    ...when(404, isOne, `{${binding.keyParameter ?? ''}} that no item has`),
    ...when(404, isBelow, 'an item in the path above that is not there'),
    ...when(
      304,
      kind === 'read' && documentsHeader(operation, 'if-none-match'),
      'If-None-Match with the ETag of the item',
    ),
    ...when(412, takesIfMatch && isOne, 'If-Match with another ETag than that of the item'),
  ];
}

function endOccasions({ lifecycle: { deprecated, sunset } }: Operation): Occasion[] {
  if (!deprecated || sunset === undefined) return [];
  return when(410, true, `every request, from ${new Date(sunset).toISOString()} on`);
}

function when(status: number, isSo: boolean, text: string): Occasion[] {
  return isSo ? [{ status, when: text }] : [];
}

function refused(refusal: RefusalExplanation | undefined, text: string): Occasion[] {
  return refusal === undefined ? [] : [{ status: refusal.status, when: text }];
}

const ANNOTATIONS: ReadonlySet<string> = new Set(['type', 'description', 'example', 'examples', 'default', 'title']);

/** Is there a value that its schema refuses? A plain text is taken whatever it says. */
function isJudged({ schema }: Parameter): boolean {
  const { type } = schema?.value ?? {};
  if (schema === undefined || type === undefined) return false;
  return (
    type !== 'string' || Object.keys(schema.value).some((name) => !ANNOTATIONS.has(name) && !name.startsWith('x-'))
  );
}
