// The address book: who is in it, since when they can be used, adding and removing.
import type { AddressBookEntry } from '@rialto/sdk';
import { lazy, Suspense, useState } from 'react';
import { FailureState } from '../../asked/failure.tsx';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Section } from '../../settings/section.tsx';
import { useAct } from '../../settings/use-act.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Table } from '../../ui/table.tsx';
import { WalletLoading } from '../loading.tsx';
import { useTrading } from '../use-trading.ts';
import { texts } from './texts.ts';
import { isUsable, useBook } from './use-book.ts';

const AddDialog = lazy(() => import('./add-dialog.tsx'));
const ConfirmDialog = lazy(() =>
  import('../../ui/confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })),
);

export default function Book() {
  const t = useTexts(texts);
  const locale = useLocale();
  const trading = useTrading();
  const act = useAct();
  const { asked, again } = useBook();
  const [isAdding, setAdding] = useState(false);
  const [removed, setRemoved] = useState<AddressBookEntry>();
  if (asked.state === 'asking') return <WalletLoading />;
  if (asked.state === 'failed') {
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  }
  const nameOf = ({ label }: AddressBookEntry) => (label === '' ? t.unnamed : label);
  const remove = ({ addressId }: AddressBookEntry) =>
    void act
      .run((code) => trading(code).wallet.withdrawAddressRemove({ addressId }), t.removed)
      .then((isDone) => {
        setRemoved(undefined);
        if (isDone) again();
      });
  return (
    <Section
      title={t.title}
      note={t.about}
      actions={
        <Button variant="primary" onPress={() => setAdding(true)}>
          {t.add}
        </Button>
      }
    >
      <Table
        label={t.title}
        rows={asked.value}
        keyOf={({ addressId }) => addressId}
        empty={<p className="px-3 py-4 text-muted">{t.none}</p>}
        columns={[
          {
            id: 'label',
            title: t.label,
            isRowTitle: true,
            cell: (entry) => <bdi>{nameOf(entry)}</bdi>,
          },
          {
            id: 'place',
            title: t.place,
            cell: ({ coin, network }) => (
              <span dir="ltr">
                {coin.toUpperCase()} · {network}
              </span>
            ),
          },
          {
            id: 'address',
            title: t.address,
            cell: ({ address, memo }) => (
              <span dir="ltr" className="flex items-center gap-1">
                <span className="flex min-w-0 flex-col">
                  <code className="max-w-72 break-all">{address}</code>
                  {memo !== '' && <code className="text-small text-muted">{memo}</code>}
                </span>
                <CopyButton text={address} label={t.copyAddress} />
              </span>
            ),
          },
          {
            id: 'usable',
            title: t.usable,
            cell: (entry) =>
              isUsable(entry) ? (
                <Badge tone="success">{t.usableNow}</Badge>
              ) : (
                <Badge tone="warning">
                  {t.usableFrom({ time: writeMoment(Number(entry.usableAt), locale) })}
                </Badge>
              ),
          },
          {
            id: 'acts',
            title: t.acts,
            cell: (entry) => (
              <Button
                size="small"
                variant="quiet"
                aria-label={t.removeOf({ name: nameOf(entry) })}
                onPress={() => setRemoved(entry)}
              >
                {t.remove}
              </Button>
            ),
          },
        ]}
      />
      <Suspense>
        {isAdding && (
          <AddDialog
            onClose={() => setAdding(false)}
            onAdded={() => {
              setAdding(false);
              again();
            }}
          />
        )}
        {removed !== undefined && (
          <ConfirmDialog
            isOpen
            onOpenChange={() => setRemoved(undefined)}
            title={t.removeTitle({ name: nameOf(removed) })}
            act={t.remove}
            isPending={act.isPending}
            onConfirm={() => remove(removed)}
          >
            {t.removeWhy}
          </ConfirmDialog>
        )}
      </Suspense>
    </Section>
  );
}
