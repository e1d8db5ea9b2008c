import { type ComponentChildren, type JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';

interface DialogProps {
  readonly title: string;
  /** Escape, the button of the dialog, or a click beside it. */
  readonly onClose: () => void;
  readonly isWide?: boolean;
  readonly children: ComponentChildren;
}

export const FIRST_FIELD = ':is(input, select, textarea):not([readonly], :disabled)';

/** A dialog over the page, while it is rendered. What it is closed with goes back to what had the focus. */
export function Dialog({ title, onClose, isWide = false, children }: DialogProps): JSX.Element {
  const ref = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const dialog = ref.current;
    const focused = document.activeElement;
    dialog?.showModal();
    // The button that closes it comes first, and Enter would press it.
    dialog?.querySelector<HTMLElement>(FIRST_FIELD)?.focus();
    return () => {
      dialog?.close();
      if (focused instanceof HTMLElement && focused.isConnected) focused.focus();
    };
  }, []);
  return (
    <dialog
      ref={ref}
      class={isWide ? 'wide' : ''}
      aria-labelledby={id}
      onCancel={(event) => {
        // That of a field for a file, whose chooser was closed, comes by here as well.
        if (event.target !== ref.current) return;
        event.preventDefault();
        onClose();
      }}
      onMouseDown={(event) => {
        if (event.target === ref.current) onClose();
      }}
    >
      <div class="dialog-inside">
        <header class="dialog-head">
          <h2 id={id}>{title}</h2>
          <button type="button" class="small" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        </header>
        {children}
      </div>
    </dialog>
  );
}
