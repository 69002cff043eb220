// A new entry of the address book. What is typed is checked against the network's own pattern at once.
import { useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { useAct } from '../../settings/use-act.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { isAddressOf, isMemoOf, networkAt, type ChosenPlace } from '../places/place.ts';
import { firstPlace, PlacePicker } from '../places/picker.tsx';
import { useCoins } from '../places/use-coins.ts';
import { useTrading } from '../use-trading.ts';
import { texts } from './texts.ts';

export default function AddDialog({
  onClose,
  onAdded,
}: {
  readonly onClose: () => void;
  readonly onAdded: () => void;
}) {
  const t = useTexts(texts);
  const trading = useTrading();
  const act = useAct();
  const { asked } = useCoins();
  const coins = asked.state === 'known' ? asked.value : [];
  const [place, setPlace] = useState<ChosenPlace>();
  const [typed, setTyped] = useState({ address: '', memo: '', label: '' });
  const chosen = place ?? firstPlace(coins, 'withdraw');
  const network = networkAt(coins, 'withdraw', chosen);
  const address = typed.address.trim();
  const memo = typed.memo.trim();
  const isAddress = network && isAddressOf(network, address);
  const isMemo = network && isMemoOf(network, memo);
  const add = () =>
    void act
      .run(
        (code) =>
          trading(code).wallet.withdrawAddressAdd({
            ...chosen,
            address,
            ...(memo !== '' && { memo }),
            ...(typed.label.trim() !== '' && { label: typed.label.trim() }),
          }),
        t.added,
      )
      .then((isDone) => {
        if (isDone) onAdded();
      });
  return (
    <Dialog
      title={t.addTitle}
      isOpen
      onOpenChange={onClose}
      actions={(close) => (
        <>
          <Button onPress={close}>{t.cancel}</Button>
          <Button
            variant="primary"
            isPending={act.isPending}
            isDisabled={isAddress !== true || isMemo !== true}
            onPress={add}
          >
            {t.addAct}
          </Button>
        </>
      )}
    >
      <div className="flex flex-col gap-4">
        <PlacePicker coins={coins} direction="withdraw" chosen={chosen} onChoose={setPlace} />
        <TextField
          label={t.address}
          isLatin
          isRequired
          value={typed.address}
          onChange={(text) => setTyped({ ...typed, address: text })}
          error={isAddress === false ? t.wrongAddress({ network: chosen.network }) : undefined}
        />
        {network?.memoRequired === true && (
          <TextField
            label={t.memo}
            description={t.memoNote}
            isLatin
            isRequired
            value={typed.memo}
            onChange={(text) => setTyped({ ...typed, memo: text })}
            error={isMemo === false ? t.wrongMemo : undefined}
          />
        )}
        <TextField
          label={t.label}
          description={t.labelNote}
          value={typed.label}
          onChange={(label) => setTyped({ ...typed, label })}
        />
      </div>
    </Dialog>
  );
}
