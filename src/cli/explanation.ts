import { relative } from 'node:path';
import type { ServerParts } from '../adapters/create-mock-server';
import type { OperationPlan } from '../mock/operation-plan';
import type { ApiModel, Operation } from '../openapi/model';
import type { Binding, Evidence, ResourceDescription } from '../resources/resource-model';

/** Something that speaks for a conclusion, with the place where it was seen. */
export interface Reason {
  readonly text: string;
  /** `openapi.yaml:12`; `undefined` where no place is known. */
  readonly place: string | undefined;
}

/** One resource, for people and programs. */
export interface ResourceExplanation {
  readonly path: string;
  readonly kind: string;
  readonly itemPath: string | undefined;
  readonly schema: string;
  readonly key: string;
  readonly isKeyClientChosen: boolean;
  readonly scope: readonly string[];
  readonly references: readonly string[];
  readonly confidence: string;
  readonly reasons: readonly Reason[];
}

/** One operation, for people and programs. */
export interface OperationExplanation {
  readonly method: string;
  readonly path: string;
  /** `list of /things`, `example`, `made up from the schema`, `no body`. */
  readonly answer: string;
  readonly isStateful: boolean;
  readonly confidence: string | undefined;
  readonly reasons: readonly Reason[];
  /** What it documents and the mock does not do. */
  readonly notModelled: readonly string[];
}

export interface Explanation {
  readonly standin: 'explanation/1';
  readonly title: string;
  readonly version: string;
  readonly summary: Readonly<
    Record<'operations' | 'stateful' | 'examples' | 'madeUp' | 'withoutBody' | 'resources', number>
  >;
  readonly resources: readonly ResourceExplanation[];
  readonly operations: readonly OperationExplanation[];
}

/** Everything that was inferred from a description, each conclusion with what speaks for it. */
export function explanationOf({ api, mock }: ServerParts): Explanation {
  const plans = [...mock.context.plans.values()];
  const from = (kind: OperationPlan['answer']['from']): number =>
    plans.filter(({ answer }) => answer.from === kind).length;
  return {
    standin: 'explanation/1',
    title: api.title,
    version: api.version,
    summary: {
      operations: api.operations.length,
      stateful: from('state'),
      examples: from('example'),
      madeUp: from('schema'),
      withoutBody: from('no-body'),
      resources: mock.model.resources.length,
    },
    resources: mock.model.resources.map((resource) => explainResource(api, resource)),
    operations: plans.map((plan) => explainOperation(api, plan)),
  };
}

function explainResource(api: ApiModel, resource: ResourceDescription): ResourceExplanation {
  const { path, kind, itemPath, schema, key, scope, references, confidence, evidence } = resource;
  return {
    path,
    kind,
    itemPath,
    schema: schema.pointer.replace(/^\/components\/schemas\//, ''),
    key: kind === 'singleton' ? '' : key.isHidden ? 'kept beside the item' : key.member,
    isKeyClientChosen: key.isClientChosen,
    scope: scope.map(({ name, parent }) => (parent === undefined ? `{${name}}` : `{${name}} of ${parent}`)),
    references: references.map(({ member, to, form }) => `${member} → ${to}${form === 'key' ? '' : ` (${form})`}`),
    confidence,
    reasons: [...evidence, ...references.map((reference) => reference.evidence)].map((each) => reasonOf(api, each)),
  };
}

export function explainOperation(
  api: ApiModel,
  { operation, answer, behaviour, above }: OperationPlan,
): OperationExplanation {
  const { method, written: path } = operation;
  const binding = behaviour?.binding;
  return {
    method,
    path,
    answer: answerText(answer),
    isStateful: answer.from === 'state',
    confidence: binding?.confidence,
    reasons: [
      ...(answer.from === 'state'
        ? (binding?.evidence ?? []).map((each) => reasonOf(api, each))
        : [{ text: answer.why, place: placeOf(api, operation.pointer) }]),
      ...(above === undefined ? [] : [{ text: `404 where ${above.resource} has no such item`, place: undefined }]),
    ],
    notModelled: binding === undefined ? [] : notModelled(operation, binding),
  };
}

function answerText(answer: OperationPlan['answer']): string {
  switch (answer.from) {
    case 'state':
      return `${answer.behaviour} of ${answer.resource}`;
    case 'example':
      return 'example of the description';
    case 'schema':
      return 'made up from the schema';
    case 'no-body':
      return 'no body';
  }
}

function notModelled({ parameters }: Operation, { parameters: known, behaviour }: Binding): string[] {
  const ignored = known.ignored.map(({ parameter, reason }) => `${parameter.name}: ${reason}`);
  if (['list', 'count', 'clear'].includes(behaviour)) return ignored;
  const query = parameters.filter((parameter) => parameter.in === 'query');
  return query.map(({ name }) => `${name}: only lists look at query parameters`);
}

function reasonOf(api: ApiModel, { text, pointer }: Evidence): Reason {
  return { text, place: pointer === '' ? undefined : placeOf(api, pointer) };
}

export function placeOf({ document }: ApiModel, pointer: string): string | undefined {
  const place = document.placeOf(pointer);
  if (place === undefined) return undefined;
  const near = relative(process.cwd(), document.file);
  return `${near.length < document.file.length ? near : document.file}:${place.line}`;
}
