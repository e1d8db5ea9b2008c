import type { ServerParts } from '../adapters/create-mock-server';
import { openTarget } from '../adapters/open-target';
import { packageVersion } from '../adapters/node/package-root';
import type { SourceFinding } from '../errors/source-finding';
import { readContract } from '../formats/read-contract';
import { readSource } from '../openapi/read-source';
import { runContracts } from '../runner/run-contracts';
import type { RunResult, StepResult } from '../runner/run-result';
import type { Draft, DraftStep } from './draft';
import { contractText } from './draft-text';

const STAYS = 'at the mock the run could not remove it';

/** A step that is pending now may be what a later one needed. */
const MOST_ROUNDS = 5;

/**
 * Replays a draft at the mock as `standin verify` does, and marks what does not pass as pending, until the whole does.
 *
 * @returns the draft, and whether the calls without a key that the runner adds pass
 */
export async function settleDraft(
  parts: ServerParts,
  draft: Draft,
): Promise<{ readonly draft: Draft; readonly probesPass: boolean }> {
  let settled = draft;
  let probesPass = true;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const result = await replay(parts, settled, probesPass);
    const steps = result.contracts[0]?.steps ?? [];
    const reasons = steps.map(reasonAgainst);
    probesPass &&= result.probes.every(({ verdict }) => verdict.kind !== 'fail');
    const left = new Set(result.leftBehind.flatMap(({ isAccepted, operation }) => (isAccepted ? [] : [operation])));
    if (reasons.every((reason) => reason === undefined) && left.size === 0) break;
    const marked = settled.steps.map((step, index): DraftStep => {
      const reason = reasons[index];
      const pending = step.pending ?? reason;
      return { ...step, pending, leaves: left.has(step.operation.id) ? STAYS : step.leaves };
    });
    settled = { ...settled, steps: marked };
  }
  return { draft: settled, probesPass };
}

function reasonAgainst({ verdict }: StepResult): string | undefined {
  if (verdict.kind === 'fail') return shortened(verdict.findings[0]?.message ?? 'it does not pass');
  if (verdict.kind === 'error') return shortened(verdict.error.message);
  return verdict.kind === 'skipped' && verdict.cause !== 'pending' ? shortened(verdict.reason) : undefined;
}

function shortened(text: string): string {
  const [line = ''] = text.split('\n');
  return line.length > 200 ? `${line.slice(0, 200)}…` : line;
}

async function replay(parts: ServerParts, draft: Draft, probesAuth: boolean): Promise<RunResult> {
  const { api, app } = parts;
  const findings: SourceFinding[] = [];
  const contract = readContract(readSource(contractText(draft), 'draft.yaml'), api.operations, findings);
  if (contract === undefined) throw new Error(`The draft cannot be read: ${findings[0]?.message ?? ''}`);
  app.reset();
  const version = packageVersion();
  const runId = '1a2b3c4d';
  const target = await openTarget({ app, basePath: api.basePath }, { version, runId });
  try {
    const { transport, baseUrl } = target;
    const run = { version, api, transport, baseUrl, apiKey: 'test-key', runId, mode: 'full', probesAuth } as const;
    return await runContracts(run, [contract]);
  } finally {
    await target.close();
  }
}
