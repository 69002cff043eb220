import type { ReactNode } from 'react';
import {
  Input,
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField';
import { classes } from './classes.ts';
import { fieldBox, FieldLabel, FieldNote, type FieldProps } from './field.tsx';

export interface TextFieldProps
  extends FieldProps, Omit<AriaTextFieldProps, 'className' | 'style' | 'children' | 'isInvalid'> {
  placeholder?: string | undefined;
  /** Stands inside, before the text: an icon. */
  start?: ReactNode;
  /** Stands inside, after the text: a unit or a small button. */
  end?: ReactNode;
  /** Addresses, codes and e-mail read from left to right in every language. */
  isLatin?: boolean | undefined;
}

export function TextField({
  label,
  isLabelHidden,
  description,
  error,
  className,
  placeholder,
  start,
  end,
  isLatin = false,
  ...rest
}: TextFieldProps) {
  return (
    <AriaTextField
      {...rest}
      isInvalid={error !== undefined}
      className={classes('flex min-w-0 flex-col gap-1.5', className)}
    >
      <FieldLabel isHidden={isLabelHidden} isRequired={rest.isRequired}>
        {label}
      </FieldLabel>
      <div className={classes(fieldBox, 'h-control')}>
        {start !== undefined && <span className="ps-2.5 text-muted">{start}</span>}
        <Input
          {...(placeholder === undefined ? {} : { placeholder })}
          {...(isLatin ? { dir: 'ltr' } : {})}
          className={classes(
            'h-full min-w-0 flex-1 bg-transparent px-2.5 outline-none',
            isLatin && 'rtl:text-end',
          )}
        />
        {end !== undefined && <span className="flex items-center pe-2.5 text-muted">{end}</span>}
      </div>
      <FieldNote description={description} error={error} />
    </AriaTextField>
  );
}
