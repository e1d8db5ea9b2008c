import { type JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { AdminError, Credentials, OperationList, OperationSummary } from '../../../server/actions/shapes';
import { address, chosenSandbox, goTo, hrefOf, setQuery } from '../../base/address';
import { callAdmin, errorDetails, fetchAdmin } from '../../base/client';
import { changes, overview, restarts } from '../../base/store';
import type { View } from '../../base/view';
import { ErrorMessage } from '../../parts/form';
import type { ShownOperation } from '../../reference/plugin';
import type { Reference } from '../../reference/reference';

export const referenceView: View = { name: 'api', title: 'API', sandboxes: 'main', Page: ReferencePage };

/** The description as a reference, whose operations can be tried at this mock. */
function ReferencePage(): JSX.Element {
  const { reference, error } = useReference();
  const slot = useRef<HTMLDivElement>(null);
  const text = address.value.query.get('text') ?? '';
  const operation = address.value.rest;
  useEffect(() => {
    if (reference === undefined || slot.current === null) return;
    slot.current.append(reference.element);
    return () => {
      reference.element.remove();
    };
  }, [reference]);
  useEffect(() => {
    reference?.filter(text);
  }, [reference, text]);
  useEffect(() => {
    if (reference === undefined || operation === openedHere) return;
    openedHere = operation;
    reference.open(operation);
  }, [reference, operation]);
  return (
    <div class="column">
      <div class="bar">
        <h1 class="off-screen">API</h1>
        <form
          class="filters"
          role="search"
          aria-label="Filter of the operations"
          onSubmit={(event) => {
            event.preventDefault();
          }}
        >
          <input
            type="search"
            aria-label="Text in the operation"
            placeholder="Filter"
            value={text}
            onInput={({ currentTarget }) => {
              setQuery({ text: currentTarget.value });
            }}
          />
        </form>
      </div>
      <ErrorMessage error={error} />
      {reference === undefined && error === undefined && (
        <p class="empty" role="status">
          Loading the reference…
        </p>
      )}
      <div class="reference" ref={slot} />
    </div>
  );
}

/** Made when the view is opened for the first time, and kept: what was typed and tried is there when one comes back. */
let made: Promise<Reference> | undefined;

/** The operation that the page itself opened or shows already. */
let openedHere = '';

function useReference(): { readonly reference: Reference | undefined; readonly error: AdminError | undefined } {
  const [reference, setReference] = useState<Reference | undefined>(undefined);
  const [error, setError] = useState<AdminError | undefined>(undefined);
  const sandbox = chosenSandbox();
  const header = overview.value?.sandboxHeader;
  const stamp = `${restarts.value} ${changes.description.value}`;
  // Without a header, the address chooses the sandbox, and the description has that of the sandbox.
  const inAddress = header === null ? sandbox : undefined;
  const isKnown = header !== undefined;
  useEffect(() => {
    if (!isKnown) return;
    let isCurrent = true;
    load(inAddress).then(
      (loaded) => {
        if (!isCurrent) return;
        setError(undefined);
        setReference(loaded);
      },
      (cause: unknown) => {
        if (isCurrent) setError(errorDetails(cause));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [stamp, inAddress, isKnown]);
  useEffect(() => {
    const isNamed = sandbox !== undefined && sandbox !== 'default' && header != null;
    reference?.sendWith({ sandboxHeader: isNamed ? [header, sandbox] : undefined });
  }, [reference, sandbox, header]);
  return { reference, error };
}

let newest = 0;

async function load(sandbox: string | undefined): Promise<Reference> {
  const number = ++newest;
  const [text, { operations }, { key }] = await Promise.all([
    fetchAdmin('description', { query: { sandbox } }).then((response) => response.text()),
    callAdmin<OperationList>('operations'),
    callAdmin<Credentials>('credentials'),
  ]);
  made ??= make(operations.length);
  const reference = await made.catch((cause: unknown) => {
    made = undefined;
    throw cause;
  });
  // Answers may overtake each other; an older one is never shown after a newer one.
  if (number === newest) reference.show({ text, operations: operations.map(shownOperation), key });
  return reference;
}

/** Loads the renderer: its script and its style sheet are files of their own, which nothing else needs. */
async function make(operationCount: number): Promise<Reference> {
  const [{ createReference }] = await Promise.all([import('../../reference/reference'), loadStyle()]);
  return createReference((id = '') => {
    openedHere = id;
    goTo(hrefOf('api', id, Object.fromEntries(address.value.query)), { replace: true });
  }, operationCount);
}

function loadStyle(): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = 'window/reference.css';
    link.onload = () => {
      resolve();
    };
    link.onerror = () => {
      link.remove();
      reject(new Error('The style sheet of the reference cannot be loaded. Is the mock still running?'));
    };
    document.head.append(link);
  });
}

function shownOperation(operation: OperationSummary): ShownOperation {
  const { id, method, path, isTryItOffered } = operation;
  return { id, method, path, marks: marksOf(operation), isTryItOffered };
}

function marksOf({ isDeprecated, sunset, stability, isTryItOffered }: OperationSummary): ShownOperation['marks'] {
  return [
    ...(isDeprecated ? [{ text: 'deprecated', kind: 'bad' } as const] : []),
    ...(sunset === null ? [] : [{ text: `until ${sunsetText(sunset)}`, kind: 'bad' } as const]),
    ...(stability === 'stable' ? [] : [{ text: stability, kind: 'moved' } as const]),
    ...(isTryItOffered ? [] : [{ text: 'no try-it', kind: 'plain' } as const]),
  ];
}

/** A date alone where it is the first moment of a day, as descriptions write it. */
function sunsetText(sunset: string): string {
  const [day = '', time = ''] = sunset.split('T');
  return time.startsWith('00:00:00') ? day : `${day} ${time.slice(0, 5)} UTC`;
}
