// What lists of keys have in common: a row, the dialog with the new secret, the form's fields.
import { useState, type ReactNode } from 'react';
import { writeDate, writeRecent } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Badge } from '../../ui/badge.tsx';
import { Banner } from '../../ui/banner.tsx';
import { Button } from '../../ui/button.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Icon } from '../../ui/icon.tsx';
import { useAct } from '../use-act.ts';
import { texts } from './texts.ts';

export interface KeyRowProps {
  readonly name: string;
  readonly marks: readonly string[];
  readonly rights: readonly string[];
  readonly addresses: readonly string[];
  readonly lastUsedMs: number | undefined;
  readonly endsMs: number | undefined;
  readonly revoke: () => Promise<unknown>;
  readonly onRevoked: () => void;
}

export function KeyRow(props: KeyRowProps) {
  const t = useTexts(texts);
  const locale = useLocale();
  const [isAsking, setAsking] = useState(false);
  const { run, isPending } = useAct();
  const { name, lastUsedMs, endsMs, addresses } = props;
  const facts = [
    lastUsedMs === undefined
      ? t.neverUsed
      : t.lastUsed({ time: writeRecent(lastUsedMs, Date.now(), locale) }),
    ...(endsMs === undefined ? [] : [t.endsAt({ time: writeDate(endsMs, locale) })]),
    ...(addresses.length === 0 ? [] : [t.from({ addresses: addresses.join(', ') })]),
  ];
  const revoke = async () => {
    const isDone = await run(props.revoke, t.revoked);
    setAsking(false);
    if (isDone) props.onRevoked();
  };
  return (
    <li className="flex items-center gap-3 py-3">
      <Icon name="key" className="text-muted" />
      <div className="flex min-w-0 flex-1 flex-col gap-1">
        <span className="flex flex-wrap items-center gap-1.5">
          <bdi className="font-medium">{name}</bdi>
          {props.rights.map((right) => (
            <Badge key={right}>{right}</Badge>
          ))}
          {props.marks.map((mark) => (
            <Badge key={mark} tone="warning">
              {mark}
            </Badge>
          ))}
        </span>
        <span className="text-small text-muted">{facts.join(' · ')}</span>
      </div>
      <Button size="small" onPress={() => setAsking(true)} aria-label={t.revokeTitle({ name })}>
        {t.revoke}
      </Button>
      <ConfirmDialog
        title={t.revokeTitle({ name })}
        act={t.revokeAct}
        isOpen={isAsking}
        onOpenChange={setAsking}
        isPending={isPending}
        onConfirm={() => void revoke()}
      >
        {t.revokeNote}
      </ConfirmDialog>
    </li>
  );
}

export interface Made {
  readonly keyId?: string;
  readonly secret: string;
}

/** The secret, once. A click beside the dialog does not close it: it would be lost. */
export function MadeDialog({
  made,
  onClose,
}: {
  readonly made: Made;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  return (
    <Dialog
      title={t.madeTitle}
      isAlert
      isOpen
      onOpenChange={onClose}
      actions={
        <Button variant="primary" onPress={onClose}>
          {t.stored}
        </Button>
      }
    >
      <div className="flex flex-col gap-4">
        <Banner tone="warning">{t.madeNote}</Banner>
        {made.keyId !== undefined && <Shown label={t.keyId} text={made.keyId} copy={t.copyKey} />}
        <Shown
          label={made.keyId === undefined ? t.keyId : t.secret}
          text={made.secret}
          copy={made.keyId === undefined ? t.copyKey : t.copySecret}
        />
      </div>
    </Dialog>
  );
}

function Shown({ label, text, copy }: { label: string; text: string; copy: string }): ReactNode {
  return (
    <div className="flex flex-col gap-1.5">
      <span className="text-small font-medium">{label}</span>
      <div className="flex items-center gap-2 rounded-control border border-line bg-background ps-3 pe-1">
        <code dir="ltr" className="min-w-0 flex-1 py-2 text-start font-mono break-all select-all">
          {text}
        </code>
        <CopyButton text={text} label={copy} />
      </div>
    </div>
  );
}

/** One address or network per line or between commas. */
export const addressesIn = (text: string): readonly string[] =>
  text.split(/[\s,،]+/u).filter((one) => one !== '');

const DAY_MS = 86_400_000;
const DAYS = { in30: 30, in90: 90, in365: 365 } as const;
export const ENDS = ['in30', 'in90', 'in365', 'never'] as const;
export type Ends = (typeof ENDS)[number];

/** Undefined for a key that never ends. */
export const endOf = (ends: Ends, nowMs: number): number | undefined =>
  ends === 'never' ? undefined : nowMs + DAYS[ends] * DAY_MS;
