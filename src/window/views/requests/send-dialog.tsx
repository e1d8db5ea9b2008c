import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RequestDetails, SentRequest } from '../../../server/actions/shapes';
import { goTo, hrefOf } from '../../base/address';
import { callAdmin } from '../../base/client';
import { useAction } from '../../base/use-admin';
import { Dialog } from '../../parts/dialog';
import { ErrorMessage, Field, messagesAt } from '../../parts/form';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'];

/** A request as it is edited: header fields as lines, as people write them. */
interface Draft {
  readonly method: string;
  readonly target: string;
  readonly headers: string;
  readonly body: string;
}

/** What the mock writes of its own, whatever is asked for. */
const WRITTEN_ANEW = /^(?:host|connection|content-length|transfer-encoding|accept-encoding)$/i;

function draftOf({ method, target, requestHeaders, requestBody }: RequestDetails): Draft {
  const lines: string[] = [];
  for (let at = 0; at + 1 < requestHeaders.length; at += 2) {
    const name = requestHeaders[at] ?? '';
    if (!WRITTEN_ANEW.test(name)) lines.push(`${name}: ${requestHeaders[at + 1] ?? ''}`);
  }
  return { method, target, headers: lines.join('\n'), body: requestBody.text ?? '' };
}

/** @returns names and values by turns, or the first line that is no header field */
function headersOf(text: string): string[] | { readonly wrong: string } {
  const headers: string[] = [];
  for (const line of text.split('\n').map((each) => each.trim())) {
    if (line === '') continue;
    const colon = line.indexOf(':');
    if (colon < 1) return { wrong: line };
    headers.push(line.slice(0, colon).trim(), line.slice(colon + 1).trim());
  }
  return headers;
}

/** Sends a request again, changed or not, and opens what came of it. */
export function SendDialog({ details, onClose }: { details: RequestDetails; onClose: () => void }): JSX.Element {
  const [draft, setDraft] = useState(() => draftOf(details));
  const [wrongLine, setWrongLine] = useState<string | undefined>(undefined);
  const { run, isBusy, error } = useAction();
  const { text, size, isCut, isUnread } = details.requestBody;
  const isPart = isCut || isUnread || (text === null && size > 0);
  const send = async (): Promise<void> => {
    const headers = headersOf(draft.headers);
    setWrongLine('wrong' in headers ? headers.wrong : undefined);
    if ('wrong' in headers) return;
    const { method, target, body } = draft;
    await run(async () => {
      const sent = await callAdmin<SentRequest>('send', {
        method: 'POST',
        // Masks that are left as they are stand for what was sent.
        body: { method, target, headers, body: body === '' ? null : body, like: details.seq },
      });
      onClose();
      goTo(hrefOf('requests', String(sent.seq)));
    });
  };
  const change = (changes: Partial<Draft>): void => {
    setDraft({ ...draft, ...changes });
  };
  return (
    <Dialog title="Send again" isWide onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <div class="send-line">
          <Field label="Method" messages={messagesAt(error, '/method')}>
            {(props) => (
              <select
                {...props}
                value={draft.method}
                onChange={({ currentTarget }) => {
                  change({ method: currentTarget.value });
                }}
              >
                {[...new Set([draft.method, ...METHODS])].map((method) => (
                  <option key={method}>{method}</option>
                ))}
              </select>
            )}
          </Field>
          <Field label="Path and query" messages={messagesAt(error, '/target')}>
            {(props) => (
              <input
                {...props}
                class="mono"
                value={draft.target}
                onInput={({ currentTarget }) => {
                  change({ target: currentTarget.value });
                }}
              />
            )}
          </Field>
        </div>
        <Field
          label="Header fields"
          hint="One a line, “Name: value”. A masked secret is sent as it was, unless you write another."
          messages={[
            ...(wrongLine === undefined ? [] : [`“${wrongLine}” is no header field; expected “Name: value”`]),
            ...messagesAt(error, '/headers'),
          ]}
        >
          {(props) => (
            <textarea
              {...props}
              class="mono"
              rows={Math.min(10, draft.headers.split('\n').length + 1)}
              spellcheck={false}
              value={draft.headers}
              onInput={({ currentTarget }) => {
                change({ headers: currentTarget.value });
              }}
            />
          )}
        </Field>
        <Field
          label="Body"
          hint={isPart ? 'Only a part of the body is known, or none of it: this is not what was sent.' : undefined}
          messages={messagesAt(error, '/body')}
        >
          {(props) => (
            <textarea
              {...props}
              class="mono"
              rows={10}
              spellcheck={false}
              value={draft.body}
              onInput={({ currentTarget }) => {
                change({ body: currentTarget.value });
              }}
            />
          )}
        </Field>
        <ErrorMessage error={error} fields={['/method', '/target', '/headers', '/body']} />
        <div class="actions">
          <button type="submit" class="primary" aria-disabled={isBusy}>
            Send
          </button>
          <button type="button" onClick={onClose}>
            Cancel
          </button>
        </div>
      </form>
    </Dialog>
  );
}
