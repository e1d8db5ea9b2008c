import { type JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';

interface CopyButtonProps {
  readonly label?: string;
  /** Said behind the label to whoever does not see what stands around it: `body of the response`. */
  readonly about: string;
  /** Made when it is wanted: a body may be large. */
  readonly text: () => string;
}

/** A button that copies a text, and says whether it did. */
export function CopyButton({ label = 'Copy', about, text }: CopyButtonProps): JSX.Element {
  const [result, setResult] = useState<'copied' | 'failed' | undefined>(undefined);
  useEffect(() => {
    if (result === undefined) return;
    const timer = setTimeout(() => {
      setResult(undefined);
    }, 2000);
    return () => {
      clearTimeout(timer);
    };
  }, [result]);
  const copy = (): void => {
    void copyText(text()).then((isCopied) => {
      setResult(isCopied ? 'copied' : 'failed');
    });
  };
  return (
    <span class="copy">
      <button type="button" class="small" onClick={copy}>
        {label}
        <span class="off-screen"> {about}</span>
      </button>
      <span class={`copy-result ${result ?? ''}`} role="status">
        {result === 'copied' && 'copied'}
        {result === 'failed' && 'not copied: the browser does not allow it'}
      </span>
    </span>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** The clipboard is there for secure pages alone, and the mock of a colleague is at plain http. */
function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea');
  area.value = text;
  area.className = 'off-screen';
  // Within an open dialog nothing outside can be selected.
  const around = document.querySelector('dialog[open]') ?? document.body;
  const focused = document.activeElement;
  around.append(area);
  area.select();
  // oxlint-disable-next-line typescript/no-deprecated -- there is nothing else on a page that is not secure
  const isCopied = document.execCommand('copy');
  area.remove();
  if (focused instanceof HTMLElement) focused.focus();
  return isCopied;
}
