import { ListBox, ListBoxItem } from 'react-aria-components/ListBox';
import {
  Button as AriaButton,
  Select as AriaSelect,
  SelectValue,
} from 'react-aria-components/Select';
import { classes } from './classes.ts';
import { fieldBox, FieldLabel, FieldNote, type FieldProps } from './field.tsx';
import { Icon } from './icon.tsx';
import { Popover } from './popover.tsx';
import type { Choice } from './radio-group.tsx';

export interface SelectProps<V extends string> extends FieldProps {
  choices: readonly (Choice & { readonly value: V })[];
  value: V | null;
  onChange: (value: V) => void;
  placeholder?: string | undefined;
  isRequired?: boolean | undefined;
  isDisabled?: boolean | undefined;
}

/** One of several words. For two to four short ones take a RadioGroup with segments: nothing has to be opened. */
export function Select<V extends string>(props: SelectProps<V>) {
  const { label, isLabelHidden, description, error, className, choices, value, onChange } = props;
  return (
    <AriaSelect
      value={value}
      onChange={(key) => {
        const chosen = choices.find((choice) => choice.value === key);
        if (chosen !== undefined) onChange(chosen.value);
      }}
      isInvalid={error !== undefined}
      isRequired={props.isRequired ?? false}
      isDisabled={props.isDisabled ?? false}
      {...(props.placeholder === undefined ? {} : { placeholder: props.placeholder })}
      className={classes('flex min-w-0 flex-col gap-1.5', className)}
    >
      <FieldLabel isHidden={isLabelHidden} isRequired={props.isRequired}>
        {label}
      </FieldLabel>
      <AriaButton
        className={classes(
          fieldBox,
          'h-control w-full cursor-default gap-2 ps-3 pe-2 text-start data-disabled:border-line data-disabled:bg-hover data-disabled:text-muted data-hovered:bg-hover',
        )}
      >
        <SelectValue className="min-w-0 flex-1 truncate data-placeholder:text-muted">
          {({ selectedText, isPlaceholder, defaultChildren }) =>
            isPlaceholder ? defaultChildren : selectedText
          }
        </SelectValue>
        <Icon name="chevronDown" className="size-4 text-muted" />
      </AriaButton>
      <FieldNote description={description} error={error} />
      <Popover className="min-w-(--trigger-width)">
        <ListBox className="max-h-[inherit] overflow-auto p-1 outline-none" items={choices}>
          {(choice) => (
            <ListBoxItem
              id={choice.value}
              textValue={choice.label}
              isDisabled={choice.isDisabled ?? false}
              className="flex min-h-row cursor-default items-center gap-2 rounded-control px-2.5 outline-none data-disabled:text-control data-focused:bg-hover"
            >
              {({ isSelected }) => (
                <>
                  <span className="flex min-w-0 flex-1 flex-col py-1">
                    <span className="truncate">{choice.label}</span>
                    {choice.description !== undefined && (
                      <span className="text-small text-muted">{choice.description}</span>
                    )}
                  </span>
                  <span className="size-4.5">
                    {isSelected && <Icon name="check" className="size-4.5 text-accent" />}
                  </span>
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
