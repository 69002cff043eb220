import type { ReactNode } from 'react';
import {
  Radio,
  RadioGroup as AriaRadioGroup,
  type RadioGroupProps as AriaRadioGroupProps,
} from 'react-aria-components/RadioGroup';
import { classes } from './classes.ts';
import { FieldLabel, FieldNote, type FieldProps } from './field.tsx';

export interface Choice {
  readonly value: string;
  readonly label: string;
  readonly description?: ReactNode;
  readonly isDisabled?: boolean;
}

export interface RadioGroupProps
  extends FieldProps, Omit<AriaRadioGroupProps, 'className' | 'style' | 'children' | 'isInvalid'> {
  choices: readonly Choice[];
  /** One below the other, or side by side as segments of one bar: for two to four short words. */
  look?: 'list' | 'segments' | undefined;
  /** The segments share the whole width. */
  isWide?: boolean | undefined;
}

export function RadioGroup(props: RadioGroupProps) {
  const {
    label,
    isLabelHidden,
    description,
    error,
    className,
    choices,
    look = 'list',
    isWide = false,
    ...rest
  } = props;
  return (
    <AriaRadioGroup
      {...rest}
      isInvalid={error !== undefined}
      orientation={look === 'list' ? 'vertical' : 'horizontal'}
      className={classes('flex min-w-0 flex-col gap-1.5', className)}
    >
      <FieldLabel isHidden={isLabelHidden} isRequired={rest.isRequired}>
        {label}
      </FieldLabel>
      {look === 'list' ? (
        <div className="flex flex-col">
          {choices.map((choice) => (
            <ListChoice key={choice.value} choice={choice} />
          ))}
        </div>
      ) : (
        <div
          className={classes(
            'flex min-h-control items-stretch gap-0.5 rounded-control border border-edge bg-field p-0.5',
            isWide ? 'w-full *:flex-1' : 'self-start',
          )}
        >
          {choices.map((choice) => (
            <Radio
              key={choice.value}
              value={choice.value}
              isDisabled={choice.isDisabled ?? false}
              className="flex cursor-default items-center justify-center rounded-small px-3 max-tablet:min-h-control text-muted transition-colors duration-100 data-disabled:text-control data-hovered:text-text data-selected:bg-selected data-selected:font-medium data-selected:text-accent"
            >
              {choice.label}
            </Radio>
          ))}
        </div>
      )}
      <FieldNote description={description} error={error} />
    </AriaRadioGroup>
  );
}

function ListChoice({ choice }: { choice: Choice }) {
  return (
    <Radio
      value={choice.value}
      isDisabled={choice.isDisabled ?? false}
      className="group flex min-h-control items-center gap-2.5 data-disabled:text-muted data-focus-visible:outline-none"
    >
      <span className="flex size-4.5 shrink-0 items-center justify-center rounded-full border border-control bg-field outline-offset-2 outline-focus transition-colors duration-100 group-data-disabled:border-line group-data-disabled:bg-hover group-data-focus-visible:outline-2 group-data-selected:border-primary group-data-selected:bg-primary">
        <span className="size-1.5 rounded-full group-data-selected:bg-on-primary" />
      </span>
      <span
        className={classes('flex min-w-0 flex-col', choice.description !== undefined && 'py-1.5')}
      >
        <span>{choice.label}</span>
        {choice.description !== undefined && (
          <span className="text-small text-muted">{choice.description}</span>
        )}
      </span>
    </Radio>
  );
}
