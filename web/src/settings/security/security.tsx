// Who can open the account: second factors, password and address. The factors themselves are changed on the server's pages.
import { useState, type FormEvent, type ReactNode } from 'react';
import { callSession } from '../../api/session-call.ts';
import { writeDate } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { ownPerson } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { AskedList } from '../asked.tsx';
import { Section } from '../section.tsx';
import { useAct } from '../use-act.ts';
import { useAsked } from '../use-asked.ts';
import { texts } from './texts.ts';

interface Factors {
  readonly totp: boolean;
  readonly passkeys: readonly { readonly label: string; readonly suspected: boolean }[];
  readonly recovery_codes_left: number;
  readonly required: boolean;
  readonly due_at: number | null;
}

const readFactors = (signal: AbortSignal): Promise<Factors> =>
  callSession({ method: 'GET', path: '/second_factors', signal });

export default function Security() {
  const t = useTexts(texts);
  const [answer, reload] = useAsked(readFactors);
  return (
    <>
      <Section
        title={t.factors}
        note={t.factorsNote}
        actions={
          <LinkButton size="small" href="/accounts/security/">
            {t.manage}
          </LinkButton>
        }
      >
        <AskedList answer={answer} onRetry={reload}>
          {(factors) => <FactorList factors={factors} />}
        </AskedList>
        <p className="text-small text-muted">{t.manageNote}</p>
      </Section>
      <PasswordForm />
      <EmailForm />
      <Section title={t.others}>
        <ul className="flex flex-col gap-3">
          <OtherPage name={t.providers} href="/account/identities/" />
          <OtherPage name={t.phrase} href="/account/phrase/" />
        </ul>
      </Section>
    </>
  );
}

function OtherPage({ name, href }: { readonly name: string; readonly href: string }) {
  const t = useTexts(texts);
  return (
    <li className="flex items-center justify-between gap-3">
      <span>{name}</span>
      <LinkButton size="small" href={href}>
        {t.openPage}
      </LinkButton>
    </li>
  );
}

function FactorList({ factors }: { readonly factors: Factors }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { totp, passkeys, recovery_codes_left: codes, required, due_at: dueAt } = factors;
  const isWithout = !totp && passkeys.length === 0;
  const isSuspected = passkeys.some((one) => one.suspected);
  return (
    <>
      {required && isWithout && (
        <Banner tone="warning">
          {dueAt === null ? t.required : t.requiredFrom({ date: writeDate(dueAt * 1000, locale) })}
        </Banner>
      )}
      <dl className="flex flex-col gap-2">
        <Fact name={t.app}>
          <Badge tone={totp ? 'success' : 'neutral'}>{totp ? t.on : t.off}</Badge>
        </Fact>
        <Fact name={t.passkeys}>
          {isSuspected && <Badge tone="danger">{t.suspected}</Badge>}
          <Badge tone={passkeys.length > 0 ? 'success' : 'neutral'}>
            {passkeys.length === 0 ? t.noPasskeys : t.passkeyCount({ count: passkeys.length })}
          </Badge>
        </Fact>
        <Fact name={t.recovery}>
          <Badge tone={!isWithout && codes < 3 ? 'warning' : 'neutral'}>
            {t.recoveryLeft({ count: codes })}
          </Badge>
        </Fact>
      </dl>
    </>
  );
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="flex items-center justify-between gap-3">
      <dt>{name}</dt>
      <dd className="flex gap-1.5">{children}</dd>
    </div>
  );
}

function PasswordForm() {
  const t = useTexts(texts);
  const store = useStore();
  const { run, isPending } = useAct();
  const [old, setOld] = useState('');
  const [fresh, setFresh] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { chat } = store.client;
    const act = () => chat.updateSettings({ old_password: old, new_password: fresh });
    if (!(await run(act, t.passwordChanged))) return;
    setOld('');
    setFresh('');
  };
  return (
    <Section title={t.password} note={t.passwordNote}>
      <form onSubmit={(event) => void submit(event)} className="flex max-w-sm flex-col gap-4">
        <input
          type="text"
          hidden
          readOnly
          autoComplete="username"
          value={store.client.boot.user.email}
        />
        <TextField
          label={t.oldPassword}
          type="password"
          autoComplete="current-password"
          isLatin
          value={old}
          onChange={setOld}
        />
        <TextField
          label={t.newPassword}
          type="password"
          autoComplete="new-password"
          isLatin
          value={fresh}
          onChange={setFresh}
        />
        <Button
          type="submit"
          isPending={isPending}
          isDisabled={old === '' || fresh === ''}
          className="self-start"
        >
          {t.changePassword}
        </Button>
      </form>
    </Section>
  );
}

function EmailForm() {
  const t = useTexts(texts);
  const store = useStore();
  const { run, isPending } = useAct();
  const known = useSelect(store, (state) => ownPerson(state)?.deliveryEmail);
  const [email, setEmail] = useState('');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { chat } = store.client;
    if (await run(() => chat.updateSettings({ email }), t.emailAsked({ email }))) setEmail('');
  };
  return (
    <Section title={t.email} note={t.emailNote}>
      <form onSubmit={(event) => void submit(event)} className="flex max-w-sm flex-col gap-4">
        <p>
          <bdi dir="ltr">{known ?? store.client.boot.user.email}</bdi>
        </p>
        <TextField
          label={t.newEmail}
          type="email"
          autoComplete="email"
          isLatin
          value={email}
          onChange={setEmail}
        />
        <Button
          type="submit"
          isPending={isPending}
          isDisabled={!email.includes('@')}
          className="self-start"
        >
          {t.changeEmail}
        </Button>
      </form>
    </Section>
  );
}
