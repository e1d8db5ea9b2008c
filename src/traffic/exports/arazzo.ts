import type { JsonObject, JsonValue } from '../../core/json/json-value';
import { printable } from '../../core/text/printable';
import { RUN_ID } from '../../formats/contract/contract';
import { writeYaml } from '../../openapi/read/yaml-text';
import { ArazzoSteps } from './arazzo-steps';
import { type ExportKind, Losses } from './export-kind';
import { API_KEY, exportSteps } from './exported-steps';
import { variableName } from './template';

/** Name of the input that has the key of the service. */
const KEY_INPUT = 'apiKey';
const WORKFLOW = 'contract';

/**
 * One workflow with every step (Arazzo 1.0.1). A step that fails goes to the next one, a step of the setup to the cleanup:
 * Arazzo has no word for what is always done.
 */
export const kind: ExportKind = {
  extension: 'arazzo.yaml',
  needsRun: false,
  isExecutable: false,
  write(contract, api, context) {
    const losses = new Losses();
    const { steps, given, usesRunId } = exportSteps(contract, api, context, losses);
    const inputs = new Map([
      ...given.map((name) => [name, name === API_KEY ? KEY_INPUT : variableName(name)] as const),
      ...(usesRunId ? [[RUN_ID, RUN_ID] as const] : []),
    ]);
    const written = new ArazzoSteps(api, inputs, losses).write(steps);
    const { all } = losses;
    const document = {
      arazzo: '1.0.1',
      info: {
        title: contract.name,
        version: '1.0.0',
        ...(all.length === 0 ? {} : { description: `Not in it:\n${all.map(lostLine).join('\n')}` }),
      },
      sourceDescriptions: [{ name: 'api', url: context.description, type: 'openapi' }],
      workflows: [
        {
          workflowId: WORKFLOW,
          summary: contract.name,
          ...(inputs.size === 0 ? {} : { inputs: inputSchema([...inputs.values()]) }),
          steps: [...written],
        },
      ],
    };
    const asked = [...inputs.values()].map((name) => ` --input ${name}=…`).join('');
    const lines = [
      `# ${printable(`Made by standin export of ${contract.document.file}.`)}`,
      `# ${printable(`redocly respect FILE${asked} --server api=${context.baseUrl}`)}`,
      ...(usesRunId ? [`# ${RUN_ID}: eight letters or digits that differ in each run.`] : []),
    ];
    return { text: `${lines.join('\n')}\n${writeYaml(document)}`, lost: all };
  },
};

function lostLine({ step, what }: { readonly step: string | undefined; readonly what: string }): string {
  return `- ${printable(step === undefined ? what : `${step}: ${what}`)}`;
}

/** All but the id of the run may be secrets. */
function inputSchema(names: readonly string[]): JsonObject {
  const properties = names.map((name): [string, JsonValue] => {
    return [name, name === RUN_ID ? { type: 'string' } : { type: 'string', format: 'password' }];
  });
  return { type: 'object', required: [...names], properties: Object.fromEntries(properties) };
}
