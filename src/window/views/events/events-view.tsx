import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { DeliveryList, DeliverySummary } from '../../../server/actions/delivery-shapes';
import { chosenSandbox, goTo, hrefOf, address } from '../../base/address';
import { callAdmin } from '../../base/client';
import { overview } from '../../base/store';
import { useAdmin } from '../../base/use-admin';
import type { View } from '../../base/view';
import { ActionButton, ErrorMessage } from '../../parts/form';
import { indentJson } from '../../parts/indent-json';
import { counted, timeText } from '../../parts/text';
import { EventFaults } from './event-faults';

export const eventsView: View = {
  name: 'events',
  title: 'Events',
  sandboxes: 'all',
  isShown: () => overview.value?.hasEvents === true,
  Page: EventsPage,
};

const ROWS_AT_ONCE = 100;

/** What the mock sent by itself, the newest first. */
function EventsPage(): JSX.Element {
  const { latest, error } = useAdmin<DeliveryList>('deliveries', { sandbox: chosenSandbox() }, ['events', 'sandboxes']);
  const [most, setMost] = useState(ROWS_AT_ONCE);
  const deliveries = (latest?.deliveries ?? []).toReversed();
  return (
    <div class="view">
      <div class="view-head">
        <h1>Events</h1>
      </div>
      <p class="quiet view-about">
        The callbacks and webhooks that the mock sent because requests changed something, or is still sending.
      </p>
      <EventFaults />
      <ErrorMessage error={error} />
      {latest !== undefined && deliveries.length === 0 && (
        <p class="quiet">
          None was sent yet. A client says where to in a request, as a callback or a subscription; for all there is{' '}
          <code>--webhook EVENT=URL</code>.
        </p>
      )}
      {deliveries.length > 0 && <DeliveryTable deliveries={deliveries.slice(0, most)} />}
      {deliveries.length > most && (
        <button
          type="button"
          class="link"
          onClick={() => {
            setMost(most + ROWS_AT_ONCE);
          }}
        >
          show more of {counted(deliveries.length, 'event')}
        </button>
      )}
    </div>
  );
}

function DeliveryTable({ deliveries }: { deliveries: readonly DeliverySummary[] }): JSX.Element {
  return (
    <div class="scroll section" role="region" aria-label="Table of the events" tabIndex={0}>
      <table class="table">
        <thead>
          <tr>
            <th scope="col">Event</th>
            <th scope="col">Time</th>
            <th scope="col">To</th>
            <th scope="col">State</th>
            <th scope="col" class="number minor">
              Tries
            </th>
            <th scope="col">
              <span class="off-screen">Actions</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {deliveries.map((delivery) => (
            <DeliveryRow key={`${delivery.sandbox} ${delivery.id} ${delivery.at}`} delivery={delivery} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const MARKS: Readonly<Record<DeliverySummary['state'], string>> = {
  pending: 'mark',
  delivered: 'mark mark-ok',
  failed: 'mark mark-bad',
  refused: 'mark mark-bad',
};

function DeliveryRow({ delivery }: { delivery: DeliverySummary }): JSX.Element {
  const { id, event, url, at, state, attempts, fault } = delivery;
  const isOpen = address.value.rest === id;
  return (
    <>
      <tr>
        <th scope="row">{event}</th>
        <td>{timeText(at)}</td>
        <td class="wrap">{url}</td>
        <td>
          <span class={MARKS[state]}>{state}</span>
          {fault !== undefined && <span class="mark">{fault}</span>}
        </td>
        <td class="number minor">{attempts.length}</td>
        <td>
          <div class="row-actions">
            <button
              type="button"
              class={`small ${isOpen ? 'pressed' : ''}`}
              aria-label={`Details of ${event}`}
              aria-expanded={isOpen}
              onClick={() => {
                goTo(hrefOf('events', isOpen ? '' : id, Object.fromEntries(address.value.query)), { replace: true });
              }}
            >
              Details
            </button>
            <ActionButton
              class="small"
              label={`Send again ${event}`}
              act={() => callAdmin('send-again', { method: 'POST', body: { id } })}
            >
              Send again
            </ActionButton>
          </div>
        </td>
      </tr>
      {isOpen && (
        <tr>
          <td colSpan={6} class="wrap">
            <Details delivery={delivery} />
          </td>
        </tr>
      )}
    </>
  );
}

function Details({ delivery }: { delivery: DeliverySummary }): JSX.Element {
  const { id, sandbox, method, url, body, reason, attempts } = delivery;
  return (
    <section aria-label={`Details of ${id}`}>
      <p>
        <span class="quiet">{method}</span> {url} <span class="quiet">{id}, sandbox</span>{' '}
        {sandbox === 'default' ? 'main' : sandbox}
      </p>
      {reason !== undefined && <p>{reason}</p>}
      {attempts.map(({ at, status, error, durationMs }, index) => (
        <p key={index}>
          <span class="quiet">
            Try {index + 1}, {timeText(at)}:
          </span>{' '}
          {status ?? error} <span class="quiet">{durationMs} ms</span>
        </p>
      ))}
      {body !== undefined && (
        <pre class="code" aria-label="Body">
          {indentJson(body)}
        </pre>
      )}
    </section>
  );
}
