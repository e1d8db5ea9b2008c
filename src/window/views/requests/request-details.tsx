import { type ComponentChildren, type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Credentials, ItemChange, RequestDetails, RequestSummary, Why } from '../../../server/actions/shapes';
import { address, hrefOf } from '../../base/address';
import { isClockSet, requestLog } from '../../base/store';
import { useAdmin } from '../../base/use-admin';
import { CopyButton } from '../../parts/copy-button';
import { DiffView } from '../../parts/diff';
import { ErrorMessage } from '../../parts/form';
import { BodyView, HeaderTable } from '../../parts/message';
import { counted, dateTimeText, deliveryTexts, durationText, statusClass } from '../../parts/text';
import { SendDialog } from './send-dialog';

/** One request with all that is known of it, beside the list. */
export function RequestDetailsPane({ seq }: { seq: number }): JSX.Element {
  const { value, error } = useAdmin<RequestDetails>('request', { seq });
  const summary = value ?? requestLog.value.entries.find((entry) => entry.seq === seq);
  return (
    <section class="split-details" aria-label={`Request ${seq}`}>
      <div class="bar bar-line">
        <h2 class="bar-title">{summary === undefined ? `Request ${seq}` : <RequestTitle entry={summary} />}</h2>
        <a
          class="button small"
          href={hrefOf('requests', '', Object.fromEntries(address.value.query))}
          aria-label="Close the request"
        >
          ✕
        </a>
      </div>
      <div class="details" tabIndex={0} role="group" aria-label="Details">
        {summary !== undefined && <Facts entry={summary} />}
        <ErrorMessage error={error} />
        {value !== undefined && <Details details={value} />}
      </div>
    </section>
  );
}

function RequestTitle({ entry: { status, method, target } }: { entry: RequestSummary }): JSX.Element {
  return (
    <>
      <span class={`mark ${statusClass(status)}`}>{status}</span> <span class="method">{method}</span>{' '}
      <span class="target">{target}</span>
    </>
  );
}

function Facts({ entry }: { entry: RequestSummary }): JSX.Element {
  const { operation, sandbox, at, durationMs, forced } = entry;
  return (
    <p class="facts quiet">
      {operation !== null && (
        <span>
          <code>{operation}</code>
        </span>
      )}
      {sandbox !== 'default' && (
        <span>
          sandbox <code>{sandbox}</code>
        </span>
      )}
      <span>
        {dateTimeText(at)}
        {isClockSet() && ' by the clock of the mock'}
      </span>
      {durationMs !== null && <span>{durationText(durationMs)} in the mock</span>}
      {forced !== null && <span class="mark mark-moved">not natural: {forced}</span>}
    </p>
  );
}

function Details({ details }: { details: RequestDetails }): JSX.Element {
  const { seq, operation, message, problems, changedItems, curl, fetch: script, step } = details;
  const { requestHeaders, requestBody, responseHeaders, responseBody, delivery } = details;
  const [isSending, setSending] = useState(false);
  return (
    <>
      <div class="actions">
        <button
          type="button"
          class="primary"
          onClick={() => {
            setSending(true);
          }}
        >
          Send again…
        </button>
        <span class="quiet">Copy as</span>
        <CopyButton about="for a shell" label="curl" text={() => curl} />
        <CopyButton about="in JavaScript" label="fetch" text={() => script} />
        <CopyButton about="as YAML" label="contract step" text={() => step} />
      </div>
      {curl.includes(KEY_VARIABLE) && <KeyHint />}
      {(message !== null || problems.length > 0) && <Problems message={message} problems={problems} />}
      {operation !== null && <OperationLinks operation={operation} />}
      <WhySection seq={seq} />
      {changedItems.length > 0 && (
        <Section title={`Changed ${counted(changedItems.length, 'row')}`}>
          {changedItems.map((change) => (
            <ChangedRow key={`${change.collection} ${change.key}`} change={change} />
          ))}
        </Section>
      )}
      <Section title="Response">
        <HowItIsSent texts={deliveryTexts(delivery)} />
        <HeaderTable headers={responseHeaders} label="Header fields of the response" />
        <BodyView body={responseBody} label="body of the response" headers={responseHeaders} />
      </Section>
      <Section title="Request">
        <HeaderTable headers={requestHeaders} label="Header fields of the request" />
        <BodyView body={requestBody} label="body of the request" headers={requestHeaders} />
      </Section>
      {isSending && (
        <SendDialog
          details={details}
          onClose={() => {
            setSending(false);
          }}
        />
      )}
    </>
  );
}

/** What takes the place of a key in copied commands. */
const KEY_VARIABLE = '$STANDIN_API_KEY';

/** Keys are masked: a copied command takes one from the environment, and most people try it at once. */
function KeyHint(): JSX.Element {
  const { value } = useAdmin<Credentials>('credentials');
  return (
    <p class="facts quiet">
      <span>
        The copied texts take the key from the environment: <code>export STANDIN_API_KEY={value?.key ?? '…'}</code>
      </span>
    </p>
  );
}

/** Where to go on from a request: what its operation takes, and what it answers next. */
function OperationLinks({ operation }: { operation: string }): JSX.Element {
  return (
    <p class="facts">
      <a href={hrefOf('api', operation)}>What {operation} takes</a>
      <a href={hrefOf('responses', operation)}>Choose its next response</a>
    </p>
  );
}

function Section({ title, children }: { title: string; children: ComponentChildren }): JSX.Element {
  return (
    <section class="section">
      <h3>{title}</h3>
      {children}
    </section>
  );
}

/** Where something goes wrong with that on purpose: what stands below it is not what a client gets, or not at once. */
function HowItIsSent({ texts }: { texts: readonly string[] }): JSX.Element | null {
  if (texts.length === 0) return null;
  return (
    <div class="problems">
      {texts.map((text) => (
        <p key={text}>{text}</p>
      ))}
    </div>
  );
}

function Problems({ message, problems }: Pick<RequestDetails, 'message' | 'problems'>): JSX.Element {
  return (
    <div class="problems">
      {message !== null && <p>{message}</p>}
      {problems.length > 0 && (
        <ul>
          {problems.map((problem) => (
            <li key={`${problem.code} ${problem.message}`}>
              <code>{problem.code}</code> {problem.message}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ChangedRow({ change: { collection, key, before, after } }: { change: ItemChange }): JSX.Element {
  const verb = before === null ? 'added' : after === null ? 'removed' : 'changed';
  return (
    <div class="changed-row">
      <p>
        <a href={hrefOf('state', collection.replace(/^\//, ''))}>{collection}</a> <code>{key}</code>{' '}
        <span class="quiet">{verb}</span>
      </p>
      <DiffView before={before} after={after} />
    </div>
  );
}

/** Loaded when somebody wants to know. */
function WhySection({ seq }: { seq: number }): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const { value, error, isLoading } = useAdmin<Why>(isOpen ? 'why' : undefined, { seq });
  return (
    <details
      class="section why"
      onToggle={({ currentTarget }) => {
        setOpen(currentTarget.open);
      }}
    >
      <summary>Why this response?</summary>
      {isLoading && <p class="quiet">Looking…</p>}
      <ErrorMessage error={error} />
      {value?.sections.map(({ title, lines }) => (
        <div key={title}>
          <h4>{title}</h4>
          {lines.map((line, index) => (
            <p key={index} class="why-line">
              {line}
            </p>
          ))}
        </div>
      ))}
    </details>
  );
}
