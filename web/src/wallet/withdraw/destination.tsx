// Where the coins go: an entry of the book, or an address that is typed.
import type { AddressBookEntry, Network } from '@rialto/sdk';
import { writeMoment } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { isUsable } from '../book/use-book.ts';
import { isAddressOf, isMemoOf } from '../places/place.ts';
import { texts } from './texts.ts';

/** The choice of an address that is in no book. */
export const ANOTHER = 'another';

export interface ChosenDestination {
  /** Of the book, or `ANOTHER`; empty until something is chosen. */
  readonly addressId: string;
  readonly address: string;
  readonly memo: string;
}

export function Destination({
  network,
  entries,
  to,
  onChange,
}: {
  readonly network: Network;
  readonly entries: readonly AddressBookEntry[];
  readonly to: ChosenDestination;
  readonly onChange: (to: ChosenDestination) => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const address = to.address.trim();
  const memo = to.memo.trim();
  return (
    <>
      <RadioGroup
        label={t.to}
        value={to.addressId}
        onChange={(addressId) => onChange({ ...to, addressId })}
        choices={[
          ...entries.map((entry) => ({
            value: entry.addressId,
            label: entry.label === '' ? t.unnamed : entry.label,
            description: (
              <>
                <code dir="ltr" className="break-all">
                  {entry.address}
                </code>
                {!isUsable(entry) && (
                  <span className="block">
                    {t.notYet({ time: writeMoment(Number(entry.usableAt), locale) })}
                  </span>
                )}
              </>
            ),
            isDisabled: !isUsable(entry),
          })),
          { value: ANOTHER, label: t.another, description: t.anotherNote },
        ]}
      />
      <a href="/wallet/book" className="self-start text-accent underline underline-offset-2">
        {t.toBook}
      </a>
      {to.addressId === ANOTHER && (
        <>
          <TextField
            label={t.address}
            isLatin
            isRequired
            value={to.address}
            onChange={(text) => onChange({ ...to, address: text })}
            error={
              isAddressOf(network, address) === false
                ? t.wrongAddress({ network: network.NetworkSymbol })
                : undefined
            }
          />
          {network.memoRequired && (
            <TextField
              label={t.memo}
              isLatin
              isRequired
              value={to.memo}
              onChange={(text) => onChange({ ...to, memo: text })}
              error={isMemoOf(network, memo) === false ? t.wrongMemo : undefined}
            />
          )}
        </>
      )}
    </>
  );
}
