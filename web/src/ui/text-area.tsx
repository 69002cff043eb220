import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField';
import { classes } from './classes.ts';
import { fieldBox, FieldLabel, FieldNote, type FieldProps } from './field.tsx';

export interface TextAreaProps
  extends FieldProps, Omit<AriaTextFieldProps, 'className' | 'style' | 'children' | 'isInvalid'> {
  placeholder?: string | undefined;
  /** How high it is at first, in lines. It grows with the text, to twelve lines. */
  rows?: number | undefined;
}

/** A text of several lines. Each paragraph takes its own direction from its first letters. */
export function TextArea({
  label,
  isLabelHidden,
  description,
  error,
  className,
  placeholder,
  rows = 3,
  ...rest
}: TextAreaProps) {
  return (
    <AriaTextField
      {...rest}
      isInvalid={error !== undefined}
      className={classes('flex min-w-0 flex-col gap-1.5', className)}
    >
      <FieldLabel isHidden={isLabelHidden} isRequired={rest.isRequired}>
        {label}
      </FieldLabel>
      <div className={fieldBox}>
        <AriaTextArea
          {...(placeholder === undefined ? {} : { placeholder })}
          rows={rows}
          dir="auto"
          className="field-sizing-content max-h-60 min-h-16 w-full resize-none bg-transparent px-2.5 py-2 outline-none"
        />
      </div>
      <FieldNote description={description} error={error} />
    </AriaTextField>
  );
}
