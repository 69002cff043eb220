// What failed, for people: the server's own words, or ours where no words came.
import { RialtoError } from '@rialto/sdk';
import { useTexts } from '../i18n/texts.ts';
import { Banner } from '../ui/banner.tsx';
import { ErrorState, Reference } from '../ui/error-state.tsx';
import { texts } from './texts.ts';

interface Failure {
  readonly why: string;
  readonly reference: string | undefined;
  readonly waitUntil: number | undefined;
}

export function useFailure(error: unknown): Failure {
  const t = useTexts(texts);
  if (!(error instanceof RialtoError)) {
    return { why: t.unexpected, reference: undefined, waitUntil: undefined };
  }
  const ours = { NETWORK: t.noAnswer, TIMEOUT: t.tooLate, BAD_ANSWER: t.notOurs }[error.code];
  return {
    why: ours ?? [error.message, error.hint].filter((text) => text !== undefined).join(' '),
    reference: error.requestId,
    waitUntil: error.retryAfterMs === undefined ? undefined : Date.now() + error.retryAfterMs,
  };
}

/** In the place of a part that could not be loaded. */
export function FailureState({
  what,
  error,
  onRetry,
}: {
  readonly what: string;
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const { why, reference, waitUntil } = useFailure(error);
  return (
    <ErrorState
      what={what}
      why={why}
      onRetry={onRetry}
      reference={reference}
      waitUntil={waitUntil}
    />
  );
}

/** Above a form or beside the act that was refused; nothing where nothing failed. */
export function FailureNotice({ what, error }: { readonly what: string; readonly error: unknown }) {
  const { why, reference } = useFailure(error);
  if (error === undefined) return null;
  return (
    <Banner tone="danger">
      <p className="font-medium">{what}</p>
      <p>{why}</p>
      {reference !== undefined && <Reference reference={reference} />}
    </Banner>
  );
}
