import type { ServerParts } from '../adapters/create-mock-server';
import type { FilePlace } from '../mock/file-places';
import type { OperationPlan } from '../mock/operation-plan';
import type { SourceDocument } from '../openapi/source-document';
import type { BodyOrigin } from '../payload/body-origin';
import type { Example } from '../openapi/model';
import type { Evidence } from '../resources/resource-model';
import { placeText, type Reason } from './reason';

/** Where the body of a success comes from. */
export interface SourceExplanation {
  /** `impossible`: nothing can be made that the schema allows, and the answer is 501. */
  readonly from: 'state' | 'example' | 'generated' | 'no-body' | 'impossible';
  /** `list of /things`, `the example "small"`, `made up from the schema`. */
  readonly text: string;
  /** Of the example, or of the schema that the body is made from. */
  readonly place: string | undefined;
  /** For `state`: what the operation does there. */
  readonly behaviour: string | undefined;
  /** For `state`: path of the resource. */
  readonly resource: string | undefined;
  /** For `state`: how sure that is. */
  readonly confidence: string | undefined;
  /** What speaks for it, or why it is nothing better. */
  readonly reasons: readonly Reason[];
}

export async function explainSource({ api, mock }: ServerParts, plan: OperationPlan): Promise<SourceExplanation> {
  const { operation, answer, behaviour, success, successStatus } = plan;
  if (answer.from === 'state') {
    const { binding } = behaviour ?? {};
    return {
      from: 'state',
      text: `${answer.behaviour} of ${answer.resource}`,
      place: undefined,
      behaviour: answer.behaviour,
      resource: answer.resource,
      confidence: binding?.confidence,
      reasons: [
        ...(binding?.evidence ?? []).map((each) => evidenceOf(api, each)),
        ...aboveReasons(plan),
        ...taskReasons(plan),
      ],
    };
  }
  const origin = await mock.context.payloads.originOf(operation, success, successStatus, undefined);
  const why = { text: answer.why, place: placeText(api.document, operation.pointer) };
  const source = statelessSource(api.document, plan, origin, why);
  return { ...STATELESS, ...source, reasons: [...source.reasons, ...aboveReasons(plan), ...taskReasons(plan)] };
}

const WITH_FILE: Readonly<Record<FilePlace['does'], string>> = {
  download: 'answers the file that was sent, where one was',
  upload: 'keeps the file that is sent',
  remove: 'takes away the file that was sent',
};

function aboveReasons({ above, file }: OperationPlan): Reason[] {
  const reasons = file === undefined ? [] : [{ text: WITH_FILE[file.does], place: undefined }];
  return above === undefined
    ? []
    : [...reasons, { text: `404 where ${above.resource} has no such item`, place: undefined }];
}

function taskReasons({ tasks }: OperationPlan): Reason[] {
  const paths = new Set(tasks().map(({ kind }) => kind.resource.path));
  return [...paths].map((path) => ({
    text: `tells of a task that is kept in ${path}, and done when it is read`,
    place: undefined,
  }));
}

const STATELESS = { behaviour: undefined, resource: undefined, confidence: undefined };

/** @param why - no state stands behind */
function statelessSource(
  document: SourceDocument,
  { success }: OperationPlan,
  origin: BodyOrigin,
  why: Reason,
): Pick<SourceExplanation, 'from' | 'text' | 'place' | 'reasons'> {
  const place = success === undefined ? undefined : placeText(document, success.pointer);
  switch (origin.kind) {
    case 'example': {
      const { name, pointer, mediaType, passedOver } = origin;
      const text = `${name === undefined ? 'the example' : `the example "${name}"`} of ${mediaType}`;
      const reasons = [why, ...passedOver.map((each) => brokenExample(document, each))];
      return { from: 'example', text, place: placeText(document, pointer), reasons };
    }
    case 'generated': {
      const { pointer, mediaType, passedOver } = origin;
      const lack = { text: 'the description shows no example of this answer', place };
      const broken = passedOver.map((each) => brokenExample(document, each));
      const reasons = [why, ...(broken.length === 0 ? [lack] : broken)];
      if (pointer === undefined) return { from: 'generated', text: `a sample of ${mediaType}`, place, reasons };
      const text = `made up from the schema of ${mediaType}`;
      return { from: 'generated', text, place: placeText(document, pointer), reasons };
    }
    case 'no-body':
      return { from: 'no-body', text: 'no body', place, reasons: [why] };
    case 'impossible':
      return {
        from: 'impossible',
        text: 'no body can be made: 501',
        place,
        reasons: [why, { text: origin.reason, place }],
      };
  }
}

export function evidenceOf({ document }: ServerParts['api'], { text, pointer }: Evidence): Reason {
  return { text, place: pointer === '' ? undefined : placeText(document, pointer) };
}

function brokenExample(document: SourceDocument, { name, pointer }: Example): Reason {
  const which = name === undefined ? 'the example' : `the example "${name}"`;
  return { text: `${which} breaks its schema and is passed over`, place: placeText(document, pointer) };
}
