// Asks for the proof: a code, a passkey or the password, whichever the account has.
import { useState, type FormEvent } from 'react';
import { callSession } from '../../api/session-call.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import type { Demand } from './demand.ts';
import { askPasskey, canUsePasskeys } from './passkey.ts';
import { texts } from './texts.ts';

export interface StepUpDialogProps {
  readonly demand: Demand;
  /** With the code, where it is for one act alone; otherwise the session counts as proved. */
  readonly onProved: (code: string | undefined) => void;
  readonly onCancel: () => void;
}

export function StepUpDialog(props: StepUpDialogProps) {
  const t = useTexts(texts);
  const { demand, onCancel } = props;
  return (
    <Dialog
      title={demand.enrol ? t.enrolTitle : t.title}
      size="small"
      isOpen
      onOpenChange={onCancel}
    >
      {demand.enrol ? (
        <div className="flex flex-col gap-4">
          <p className="text-muted">{t.enrol}</p>
          <LinkButton href="/accounts/security/" variant="primary">
            {t.openSecurity}
          </LinkButton>
        </div>
      ) : (
        <Proof {...props} />
      )}
    </Dialog>
  );
}

function Proof({ demand, onProved, onCancel }: StepUpDialogProps) {
  const t = useTexts(texts);
  const [answer, setAnswer] = useState('');
  const [problem, setProblem] = useState<string>();
  const [isPending, setPending] = useState(false);
  const { methods, level } = demand;
  const isCode = methods.includes('totp');
  const hasField = isCode || methods.includes('password');
  const run = (prove: () => Promise<string | undefined>, failed?: string) => {
    setPending(true);
    setProblem(undefined);
    prove()
      .then(onProved)
      .catch((error: unknown) => {
        setProblem(failed ?? (error instanceof Error ? error.message : String(error)));
        setPending(false);
      });
  };
  const send = async (params: Readonly<Record<string, string>>): Promise<undefined> => {
    await callSession({ method: 'POST', path: '/step_up', params });
    return undefined;
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const given = answer.trim();
    run(async () =>
      level === 'each' ? given : send(isCode ? { code: given } : { password: answer }),
    );
  };
  const hasPasskey = methods.includes('passkey') && level === 'fresh' && canUsePasskeys();
  return (
    <form onSubmit={submit} className="flex flex-col gap-4">
      <p className="text-muted">{level === 'each' ? t.whyEach : t.why}</p>
      {problem !== undefined && <Banner tone="danger">{problem}</Banner>}
      {hasField && (
        <TextField
          label={isCode ? t.code : t.password}
          type={isCode ? 'text' : 'password'}
          autoComplete={isCode ? 'one-time-code' : 'current-password'}
          {...(isCode ? { inputMode: 'numeric' as const } : {})}
          isLatin
          autoFocus
          isRequired
          value={answer}
          onChange={setAnswer}
        />
      )}
      {!hasField && !hasPasskey && (
        <>
          <p className="text-muted">{t.elsewhereWhy}</p>
          <LinkButton href={stepUpPage()} variant="primary">
            {t.elsewhere}
          </LinkButton>
        </>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button onPress={onCancel}>{t.cancel}</Button>
        {hasPasskey && (
          <Button
            icon="key"
            variant={hasField ? 'secondary' : 'primary'}
            isPending={isPending && !hasField}
            onPress={() =>
              run(async () => send({ assertion: await askPasskey() }), t.passkeyFailed)
            }
          >
            {t.passkey}
          </Button>
        )}
        {hasField && (
          <Button
            type="submit"
            variant="primary"
            isPending={isPending}
            isDisabled={answer.trim() === ''}
          >
            {t.confirm}
          </Button>
        )}
      </div>
    </form>
  );
}

/** The server's own page for it, which leads back here. */
const stepUpPage = (): string =>
  `/accounts/step_up/?next=${encodeURIComponent(`${location.pathname}${location.search}${location.hash}`)}`;
