import { type JSX } from 'preact';
import { useState } from 'preact/hooks';
import { joinPointer } from '../../../core/json/json-pointer';
import { equalJson, isJsonObject, type JsonObject, type JsonValue, ownProperty } from '../../../core/json/json-value';
import { scalarText, stringifyJson } from '../../../core/json/stringify-json';
import type { AdminError, Column } from '../../../server/actions/shapes';
import { Field, type FieldProps } from '../../parts/form';
import { kindOf, valueOfText, withProperty } from './row-draft';

interface RowFieldsProps {
  /** Those that have a field. */
  readonly columns: readonly Column[];
  readonly item: JsonObject;
  readonly error: AdminError | undefined;
  /** Name of a property that cannot be another one: the key of a row that there is. */
  readonly fixed: string | undefined;
  readonly isDisabled: boolean;
  readonly onChange: (item: JsonObject) => void;
}

/** A field for each simple property of a row. */
export function RowFields({ columns, item, error, fixed, isDisabled, onChange }: RowFieldsProps): JSX.Element {
  return (
    <div class="fields">
      {columns.map((column) => (
        <Field
          key={column.name}
          label={column.name}
          hint={hintOf(column)}
          messages={fieldMessages(column, item, error)}
        >
          {(props) => (
            <ValueInput
              props={{ ...props, 'aria-required': column.isRequired, disabled: isDisabled }}
              column={column}
              value={ownProperty(item, column.name)}
              isFixed={column.name === fixed}
              onChange={(value) => {
                onChange(withProperty(item, column.name, value));
              }}
            />
          )}
        </Field>
      ))}
    </div>
  );
}

/** A finding of what is missing is about the whole row; it is shown where it can be put right. */
function fieldMessages({ name, isRequired }: Column, item: JsonObject, error: AdminError | undefined): string[] {
  const messages = messagesOf(error, joinPointer('', name));
  const isMissing = isRequired && !Object.hasOwn(item, name) && messagesOf(error, '').length > 0;
  return messages.length === 0 && isMissing ? ['This property is required'] : messages;
}

function messagesOf(error: AdminError | undefined, pointer: string): string[] {
  return (error?.findings ?? []).filter((finding) => finding.pointer === pointer).map(({ message }) => message);
}

function hintOf({ type, isRequired, isReadOnly, refersTo, description }: Column): string {
  const facts = [
    type,
    ...(isRequired ? ['required'] : []),
    ...(isReadOnly ? ['read-only for clients'] : []),
    ...(refersTo === null ? [] : [`key in ${refersTo}`]),
  ].join(', ');
  return description === '' ? facts : `${facts}. ${description}`;
}

interface ValueInputProps {
  readonly props: FieldProps & {
    readonly 'aria-required': boolean;
    readonly disabled: boolean;
  };
  readonly column: Column;
  readonly value: JsonValue | undefined;
  readonly isFixed: boolean;
  readonly onChange: (value: JsonValue | undefined) => void;
}

function ValueInput({ props, column, value, isFixed, onChange }: ValueInputProps): JSX.Element {
  const text =
    value === undefined || value === null ? '' : isJsonObject(value) ? stringifyJson(value) : scalarText(value);
  // Decided once: an input that becomes another one loses the focus.
  const [isLong] = useState(text.length > 80 || text.includes('\n'));
  const choices = column.values ?? (kindOf(column.type) === 'boolean' ? [true, false] : undefined);
  if (choices !== undefined && !isFixed)
    return <Choice props={props} choices={choices} value={value} onChange={onChange} />;
  const shared = {
    ...props,
    value: text,
    readOnly: isFixed,
    spellcheck: false,
    autocomplete: 'off',
    placeholder: placeholderOf(value),
    onInput: ({ currentTarget }: { currentTarget: { value: string } }) => {
      onChange(valueOfText(column, currentTarget.value));
    },
  };
  if (isLong) return <textarea {...shared} class="prose" rows={4} />;
  const isNumber = ['integer', 'number'].includes(kindOf(column.type));
  return <input {...shared} inputMode={isNumber ? 'decimal' : 'text'} />;
}

function placeholderOf(value: JsonValue | undefined): string {
  if (value === '') return 'an empty text';
  return value === null ? 'null' : '';
}

/** One of several values, none, or one that is not among them. */
function Choice({
  props,
  choices,
  value,
  onChange,
}: Pick<ValueInputProps, 'props' | 'value' | 'onChange'> & { choices: readonly JsonValue[] }): JSX.Element {
  const isKnown = value === undefined || choices.some((choice) => equalJson(choice, value));
  const all = isKnown ? choices : [...choices, value];
  const at = value === undefined ? '' : String(all.findIndex((choice) => equalJson(choice, value)));
  return (
    <select
      {...props}
      value={at}
      onChange={({ currentTarget }) => {
        onChange(currentTarget.value === '' ? undefined : all[Number(currentTarget.value)]);
      }}
    >
      <option value="">(left out)</option>
      {all.map((choice, index) => (
        <option key={index} value={String(index)}>
          {typeof choice === 'string' && choice !== '' ? choice : stringifyJson(choice)}
        </option>
      ))}
    </select>
  );
}
