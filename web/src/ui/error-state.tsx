import type { ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Button } from './button.tsx';
import { CopyButton } from './copy-button.tsx';
import { Icon } from './icon.tsx';
import { texts } from './texts.ts';

export interface ErrorStateProps {
  /** What failed: "The messages could not be loaded." */
  what: string;
  /** Why, and what to do: "The server did not answer within 10 seconds. Check your connection." */
  why: ReactNode;
  /** Tries it again. */
  onRetry?: (() => void) | undefined;
  isRetrying?: boolean | undefined;
  /** The server asked to wait until then (milliseconds since 1970). */
  waitUntil?: number | undefined;
  /** Another act, where trying again does not help. */
  action?: ReactNode;
  /** The id of the request: who asks for help gives it. */
  reference?: string | undefined;
}

/** A part that failed, in its own place. */
export function ErrorState(props: ErrorStateProps) {
  const { what, why, onRetry, isRetrying, waitUntil, action, reference } = props;
  const t = useTexts(texts);
  return (
    <div
      role="alert"
      className="mx-auto flex max-w-md flex-col items-center gap-3 px-6 py-12 text-center"
    >
      <span className="flex size-12 items-center justify-center rounded-full bg-danger-tint text-danger">
        <Icon name="alert" className="size-6" />
      </span>
      <div className="flex flex-col gap-1">
        <p className="text-title font-semibold text-text">{what}</p>
        <p className="text-pretty text-muted">{why}</p>
      </div>
      <div className="flex flex-wrap justify-center gap-2">
        {onRetry !== undefined && (
          <Button
            icon="refresh"
            onPress={onRetry}
            isPending={isRetrying ?? false}
            waitUntil={waitUntil}
          >
            {t.retry}
          </Button>
        )}
        {action}
      </div>
      {reference !== undefined && <Reference reference={reference} />}
    </div>
  );
}

/** The id of a request, to be copied. */
export function Reference({ reference }: { reference: string }) {
  const t = useTexts(texts);
  return (
    <p className="flex items-center gap-1 text-small text-muted">
      {t.reference}
      <bdi dir="ltr" className="font-mono text-text">
        {reference}
      </bdi>
      <CopyButton text={reference} label={t.copyReference} />
    </p>
  );
}
