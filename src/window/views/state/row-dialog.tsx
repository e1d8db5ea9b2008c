import { type JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { JsonObject } from '../../../core/json/json-value';
import { joinPointer } from '../../../core/json/json-pointer';
import { stringifyJsonPretty } from '../../../core/json/stringify-json';
import type { AdminError, CollectionSummary, Column, Row } from '../../../server/actions/shapes';
import { useAction } from '../../base/use-admin';
import { Dialog } from '../../parts/dialog';
import { DiffView } from '../../parts/diff';
import { ErrorMessage, Field } from '../../parts/form';
import { Conflict } from './conflict';
import { type Base, isSimple, NO_VERSION, otherMessages, type Place, readItem, removeRow, saveRow } from './row-draft';
import { RowFields } from './row-fields';

interface RowDialogProps {
  readonly place: Place;
  readonly summary: CollectionSummary;
  /** `undefined` adds one. What is here when the dialog opens is what is edited, whatever happens to the row later. */
  readonly row: Row | undefined;
  /** What a row that is added begins with. */
  readonly beginning?: JsonObject;
  readonly onClose: () => void;
}

/** Adds, changes or removes a row. */
export function RowDialog({ place, summary, row, beginning = {}, onClose }: RowDialogProps): JSX.Element {
  const [base, setBase] = useState<Row | undefined>(row);
  const [text, setText] = useState(() => stringifyJsonPretty(row?.item ?? beginning));
  const [wanted, setWanted] = useState<'save' | 'remove'>('save');
  const { run, isBusy, error, clearError } = useAction();
  const isGone = base !== undefined && base.version === NO_VERSION;
  const item = useMemo(() => readItem(text), [text]);
  const mine = wanted === 'remove' ? null : typeof item === 'string' ? {} : item;

  const act = async (what: 'save' | 'remove', from: Row | undefined, isForced = false): Promise<void> => {
    setWanted(what);
    const isDone = await run(async () => {
      if (what === 'save' && typeof item !== 'string') await saveRow(place, baseOf(from), item);
      if (what === 'remove' && from !== undefined) await removeRow(place, from, isForced);
    });
    if (isDone) onClose();
  };
  const takeTheirs = (theirs: Row | null): void => {
    if (theirs === null) {
      onClose();
      return;
    }
    setBase(theirs);
    setText(stringifyJsonPretty(theirs.item));
    clearError();
  };

  const title = base === undefined ? `New row of ${place.collection}` : titleOf(place, summary, base);
  const isConflict = error?.code === 'conflict';
  return (
    <Dialog title={title} isWide onClose={onClose}>
      {isConflict && (
        <Conflict
          mine={mine}
          theirs={error.current?.item ?? null}
          isTaken={base === undefined || isGone}
          isBusy={isBusy}
          onKeepMine={() => {
            if (wanted === 'remove' && error.current === null) onClose();
            else void act(wanted, error.current ?? undefined);
          }}
          onTakeTheirs={() => {
            takeTheirs(error.current);
          }}
        />
      )}
      {!isConflict && (
        <RowForm
          summary={summary}
          base={base}
          text={text}
          item={item}
          error={error}
          isBusy={isBusy}
          onText={setText}
          onSave={() => {
            void act('save', base);
          }}
          onRemove={() => {
            void act('remove', base, error?.code === 'still_referenced');
          }}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

/** What was removed is stored anew. */
function baseOf(row: Row | undefined): Base {
  return row?.version === NO_VERSION ? undefined : row;
}

function titleOf({ collection }: Place, { isSingle }: CollectionSummary, { key }: Row): string {
  return isSingle ? collection : `${collection}: ${key}`;
}

interface RowFormProps {
  readonly summary: CollectionSummary;
  readonly base: Row | undefined;
  readonly text: string;
  readonly item: JsonObject | string;
  readonly error: AdminError | undefined;
  readonly isBusy: boolean;
  readonly onText: (text: string) => void;
  readonly onSave: () => void;
  readonly onRemove: () => void;
  readonly onClose: () => void;
}

function RowForm(props: RowFormProps): JSX.Element {
  const { summary, base, text, item, error, onText, onSave } = props;
  const form = useRef<HTMLFormElement>(null);
  // A property that no column knows is seen in the text alone; one that the text broke waits for it.
  const [known, setKnown] = useState<JsonObject>(typeof item === 'string' ? {} : item);
  const simple = summary.columns.filter(isSimple);
  const isKey = ({ name }: Column): boolean => name === summary.key;
  const columns = [...simple.filter(isKey), ...simple.filter((column) => !isKey(column))];
  const pointers = columns.map(({ name }) => joinPointer('', name));
  const shown = typeof item === 'string' ? known : item;
  const messages = typeof item === 'string' ? [item] : otherMessages(error, pointers);
  useEffect(() => {
    if (error !== undefined) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [error]);
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (typeof item !== 'string') onSave();
      }}
    >
      <ChangeSinceStart row={base} />
      <RowFields
        columns={columns}
        item={shown}
        error={error}
        fixed={base === undefined ? undefined : summary.key}
        isDisabled={typeof item === 'string'}
        onChange={(changed) => {
          setKnown(changed);
          onText(stringifyJsonPretty(changed));
        }}
      />
      <Field
        label="The whole row, as JSON"
        hint="The same as the fields above, and what has none. Properties that are write-only are not shown, and stay as they are."
        messages={messages}
      >
        {(field) => (
          <textarea
            {...field}
            class="mono"
            rows={Math.min(16, text.split('\n').length + 1)}
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => {
              const read = readItem(currentTarget.value);
              if (typeof read !== 'string') setKnown(read);
              onText(currentTarget.value);
            }}
          />
        )}
      </Field>
      {/* What is wrong where stands at its field. */}
      <ErrorMessage error={error === undefined ? undefined : { ...error, findings: [] }} />
      <Buttons {...props} />
    </form>
  );
}

function Buttons({ summary, base, item, error, isBusy, onRemove, onClose }: RowFormProps): JSX.Element {
  const isGone = base?.version === NO_VERSION;
  const mayRemove = base !== undefined && !isGone && !summary.isSingle;
  return (
    <div class="actions">
      <button type="submit" class="primary" aria-disabled={isBusy || typeof item === 'string'}>
        {base === undefined ? 'Add' : isGone ? 'Put it back' : 'Save'}
      </button>
      <button type="button" onClick={onClose}>
        Cancel
      </button>
      {mayRemove && (
        <button type="button" class="danger actions-end" aria-disabled={isBusy} onClick={onRemove}>
          {error?.code === 'still_referenced' ? 'Remove it all the same' : 'Remove this row'}
        </button>
      )}
    </div>
  );
}

/** How the row differs from the start. */
function ChangeSinceStart({ row }: { row: Row | undefined }): JSX.Element | null {
  if (row === undefined || row.change === null) return null;
  if (row.change === 'added') return <p class="view-about quiet">Added since the start.</p>;
  if (row.change === 'removed')
    return <p class="view-about quiet">Removed since the start; this is what it was before.</p>;
  return (
    <details class="view-about">
      <summary>Changed since the start</summary>
      <DiffView before={row.before} after={row.item} />
    </details>
  );
}
