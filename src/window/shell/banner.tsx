import { type JSX } from 'preact';
import type { ForcedResponse } from '../../server/actions/shapes';
import { chosenSandbox } from '../base/address';
import { callAdmin } from '../base/client';
import { isClockSet, loadOverview, overview } from '../base/store';
import { ActionButton } from '../parts/form';
import { dateTimeText } from '../parts/text';

/** What is not natural right now, each with a button that takes it away. */
export function Banner(): JSX.Element | null {
  const { forced = [], faults = [], clock } = overview.value ?? {};
  const isSet = clock !== undefined && isClockSet();
  if (forced.length === 0 && faults.length === 0 && !isSet) return null;
  return (
    <section class="banner" aria-label="Not natural right now">
      <span class="banner-title">Not natural right now</span>
      <ul>
        {forced.map((response) => (
          <li key={`${response.sandbox} ${response.operation}`}>
            <span>
              <code>{response.operation}</code> answers {response.text}
              {response.sandbox === '*' && <> in all sandboxes</>}
              {response.sandbox !== 'default' && response.sandbox !== '*' && <> in sandbox {response.sandbox}</>}
            </span>
            <ActionButton
              class="small"
              label={`Remove the response of ${response.operation}`}
              act={removeResponse(response)}
            >
              Remove
            </ActionButton>
          </li>
        ))}
        {faults.map((fault) => (
          <li key={fault}>
            <span>
              fault <code>{fault}</code>
            </span>
            <ActionButton class="small" label={`Remove the fault ${fault}`} act={removeFault(fault, faults)}>
              Remove
            </ActionButton>
          </li>
        ))}
        {isSet && (
          <li>
            <span>
              the clock {clock.kind === 'fixed' ? 'stands at' : 'was set, it is'} {dateTimeText(clock.now)};
              <span class="quiet"> requests are dated by it</span>
            </span>
            <ActionButton class="small" label="Remove the time that was set" act={resetClock}>
              Remove
            </ActionButton>
          </li>
        )}
      </ul>
    </section>
  );
}

function removeResponse({ operation, sandbox }: ForcedResponse): () => Promise<void> {
  return async () => {
    await callAdmin('responses', { method: 'DELETE', query: { operation, sandbox } });
    await loadOverview();
  };
}

function removeFault(fault: string, faults: readonly string[]): () => Promise<void> {
  return async () => {
    const left = faults.filter((other) => other !== fault);
    await callAdmin('faults', { method: 'PUT', query: { sandbox: chosenSandbox() }, body: { faults: left } });
    await loadOverview();
  };
}

async function resetClock(): Promise<void> {
  await callAdmin('clock', { method: 'PUT', query: { sandbox: chosenSandbox() }, body: { now: null } });
  await loadOverview();
}
