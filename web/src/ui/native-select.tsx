// The browser's own list of words: it brings no script, and phones show it as they show all others. For lists with
// explanations take Select.
import { useId } from 'react';
import { classes } from './classes.ts';
import type { FieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

export interface NativeSelectProps<V extends string> extends Pick<
  FieldProps,
  'label' | 'className'
> {
  choices: readonly { readonly value: V; readonly label: string }[];
  value: V;
  onChange: (value: V) => void;
  /** What the present choice means. */
  description?: string | undefined;
}

export function NativeSelect<V extends string>(props: NativeSelectProps<V>) {
  const { label, className, choices, value, onChange, description } = props;
  const id = useId();
  return (
    <div className={classes('flex min-w-0 flex-col gap-1.5', className)}>
      <label htmlFor={id} className="text-small font-medium text-text">
        {label}
      </label>
      <div className="relative flex min-w-0 items-center">
        <select
          id={id}
          value={value}
          title={description}
          onChange={({ target }) => {
            const chosen = choices.find((choice) => choice.value === target.value);
            if (chosen !== undefined) onChange(chosen.value);
          }}
          className="h-control w-full min-w-0 appearance-none truncate rounded-control border border-control bg-field ps-3 pe-8 hover:bg-hover"
        >
          {choices.map((choice) => (
            <option key={choice.value} value={choice.value} className="bg-raised text-text">
              {choice.label}
            </option>
          ))}
        </select>
        <Icon name="chevronDown" className="pointer-events-none absolute end-2 size-4 text-muted" />
      </div>
    </div>
  );
}
