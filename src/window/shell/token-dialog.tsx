import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { tokenQuestion } from '../base/client';
import { Dialog } from '../parts/dialog';
import { Field } from '../parts/form';

/** Asks for the admin token, which is kept in memory until the page is loaded anew. */
export function TokenDialog({ isAgain }: { isAgain: boolean }): JSX.Element {
  const [text, setText] = useState('');
  const answer = (given: string | undefined): void => {
    tokenQuestion.value?.answer(given);
  };
  return (
    <Dialog
      title="This mock asks for its admin token"
      onClose={() => {
        answer(undefined);
      }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== '') answer(text.trim());
        }}
      >
        <Field
          label="Admin token"
          hint="What the mock was started with: --admin-token. It stays in this page and is forgotten when you leave it."
          messages={isAgain ? ['That was not the token of this mock.'] : []}
        >
          {(props) => (
            <input
              {...props}
              type="password"
              autocomplete="off"
              value={text}
              onInput={({ currentTarget }) => {
                setText(currentTarget.value);
              }}
            />
          )}
        </Field>
        <div class="actions">
          <button type="submit" class="primary">
            Use it
          </button>
        </div>
      </form>
    </Dialog>
  );
}
