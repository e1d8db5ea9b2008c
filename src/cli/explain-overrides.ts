import type { OperationPlan } from '../mock/operation-plan';
import type { ApiModel } from '../openapi/model';
import type { OperationExplanation } from './explanation';
import { placed, placeText } from './reason';

/** How to get another answer to a request: in its data, in the description, by what the mock is told, once. */
export function explainOverrides(
  { document }: ApiModel,
  plan: OperationPlan,
  { source, otherAnswers, operation: id }: OperationExplanation,
): string[] {
  const once = onceBy(plan, otherAnswers).map((text) => `once, ${text}`);
  if (source.from === 'state')
    return [
      `other rows: --fixtures FILE with ${source.resource ?? ''}`,
      `another behaviour: --overrides FILE with operations: { ${id}: { behaviour: … } }, or x-standin: false for none`,
      ...once,
    ];
  const stateful = `kept in state: --overrides FILE with operations: { ${id}: { resource: …, behaviour: … } }`;
  const media = plan.success?.content[0];
  if (media === undefined) return [stateful, ...once];
  if (source.from === 'example') return [placed('another body: change the example', source.place), stateful, ...once];
  return [placed('another body: add an example', placeText(document, media.pointer)), stateful, ...once];
}

/** By a header of one request. */
function onceBy({ success }: OperationPlan, otherAnswers: OperationExplanation['otherAnswers']): string[] {
  const content = success?.content ?? [];
  const [name] = content.flatMap(({ examples }) => examples.flatMap((example) => example.name ?? []));
  const other = otherAnswers.find(({ prefer }) => prefer !== undefined)?.prefer;
  return [
    ...(other === undefined ? [] : [`another status: ${other}`]),
    ...(name === undefined ? [] : [`an example of the description: Prefer: example=${name}`]),
    ...(content.length === 0 ? [] : ['made up anew: Prefer: dynamic=true']),
  ];
}
