import { existsSync } from 'node:fs';
import { createServerParts } from '../adapters/create-mock-server';
import { ConfigError } from '../errors/harness-error';
import { counted } from '../report/wording';
import { CONFIG_FILES } from './config-file';
import { descriptionOptions } from './description-flags';
import { draftContract } from './draft-contract';
import { configText, contractText } from './draft-text';
import type { InitFlags } from './init-command';
import { EXIT } from './main';
import { say } from './terminal';
import { settleDraft } from './settle-draft';
import { writeNewFile } from './write-new-file';

const CONTRACT = 'contracts/every-operation.yaml';
const [CONFIG = ''] = CONFIG_FILES;

/** What descriptions are mostly called. */
const USUAL = ['openapi', 'swagger', 'api'].flatMap((stem) => [`${stem}.yaml`, `${stem}.yml`, `${stem}.json`]);

/**
 * Writes a configuration and a contract with one step for each operation of a description. Every step was tried at the
 * mock; what does not pass there is marked as pending, with the reason.
 *
 * @returns the exit code
 * @throws SpecError, ConfigError when the description cannot be used, or the contract is there already
 */
export async function init(given: string | undefined, flags: InitFlags): Promise<number> {
  if (existsSync(CONTRACT)) {
    throw new ConfigError('CONFIG_INVALID', `${CONTRACT} is there already; no file is overwritten`, {
      hint: 'Move it away to have it written anew.',
    });
  }
  const description = given ?? findDescription();
  const parts = await createServerParts({ description, ...descriptionOptions(flags) });
  say(process.stderr, `Trying ${counted(parts.api.operations.length, 'operation')} at the mock…\n`);
  const drafted = await draftContract(parts);
  const { draft, probesPass } = await settleDraft(parts, drafted);
  const written = [CONTRACT];
  writeNewFile(CONTRACT, contractText(draft));
  const known = CONFIG_FILES.find((name) => existsSync(name));
  if (known === undefined) {
    writeNewFile(CONFIG, configText(parts.api, { description, reading: descriptionOptions(flags), probesPass }));
    written.push(CONFIG);
  }
  const pending = draft.steps.filter((step) => step.pending !== undefined).length;
  const lines = [
    ...written.map((file) => `wrote  ${file}`),
    ...(known === undefined ? [] : [`kept   ${known}, which was there`]),
    '',
    `${counted(draft.steps.length, 'step')}, one for each operation; ${draft.steps.length - pending} pass at the mock` +
      (pending === 0 ? '.' : `, ${pending} are pending with the reason beside them.`),
    ...(probesPass ? [] : ['At the mock some calls without a key pass: authProbes is false in the configuration.']),
    '',
    'Next:',
    `  standin mock ${isConfigured(known) ? '' : `${description} `}          start the mock, and in another terminal`,
    `  standin verify ${isConfigured(known) ? '' : `contracts --spec ${description} --base-url http://127.0.0.1:4010${parts.api.basePath}`}         replay the contract; --base-url URL asks your own service`,
    ...(draft.variables.length === 0
      ? []
      : [
          `  --variable ${draft.variables[0]?.name ?? ''}=…         names things that are at your service, where the contract cannot make them`,
        ]),
  ];
  say(process.stdout, `${lines.map((line) => line.trimEnd()).join('\n')}\n`);
  return EXIT.ok;
}

function isConfigured(known: string | undefined): boolean {
  return known === undefined;
}

function findDescription(): string {
  const found = USUAL.find((name) => existsSync(name));
  if (found !== undefined) return found;
  throw new ConfigError('CONFIG_INVALID', 'No description was named, and there is none with a usual name here', {
    hint: `Name it: standin init path/to/description.yaml. Usual names are ${USUAL.slice(0, 3).join(', ')}.`,
  });
}
