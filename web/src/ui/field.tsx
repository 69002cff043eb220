// What every field has around it: the label above, the explanation or the error below.
import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { useTexts } from '../i18n/texts.ts';
import { Icon } from './icon.tsx';
import { texts } from './texts.ts';

/** What all fields take. */
export interface FieldProps {
  label: string;
  /** The label is heard, not seen: only where the place itself says what the field is for. */
  isLabelHidden?: boolean | undefined;
  description?: ReactNode;
  /** The rule, the value, and what to do. Its presence makes the field invalid. */
  error?: string | undefined;
  className?: string | undefined;
}

/** The box of an input: border, ring and colours follow the state of the input inside. */
export const fieldBox =
  'flex min-w-0 items-center rounded-control border border-control bg-field transition-colors duration-100 ' +
  'has-[[data-focused]]:border-focus has-[[data-focused]]:outline-2 has-[[data-focused]]:outline-offset-0 has-[[data-focused]]:outline-focus ' +
  'has-[[data-invalid]]:border-danger has-[[data-disabled]]:border-line has-[[data-disabled]]:bg-hover has-[[data-disabled]]:text-muted ' +
  'has-[[readonly]]:border-line has-[[readonly]]:bg-hover';

export function FieldLabel({
  children,
  isHidden = false,
  isRequired = false,
}: {
  children: ReactNode;
  isHidden?: boolean | undefined;
  isRequired?: boolean | undefined;
}) {
  const t = useTexts(texts);
  return (
    <Label className={isHidden ? 'sr-only' : 'text-small font-medium text-text'}>
      {children}
      {isRequired && <span className="font-normal text-muted"> ({t.required})</span>}
    </Label>
  );
}

/** Below the field: the error if there is one, else the explanation. */
export function FieldNote({
  description,
  error,
}: {
  description: ReactNode;
  error: string | undefined;
}) {
  return (
    <>
      {error === undefined && description !== undefined && (
        <Text slot="description" className="text-small text-muted">
          {description}
        </Text>
      )}
      <FieldError className="flex items-start gap-1 text-small text-danger">
        <Icon name="alert" className="mt-px size-3.5" />
        <span>{error}</span>
      </FieldError>
    </>
  );
}
