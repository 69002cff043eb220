// The fee tier of one account and its family: set it, pin it, or leave it to the volume again.
import type { FeeTier } from '@rialto/sdk';
import { useState } from 'react';
import type { LookedAccount, Requested } from '../../api/administration.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { percentSign, writeCount, writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { Checkbox } from '../../ui/checkbox.tsx';
import { Select } from '../../ui/select.tsx';
import { percentOf } from '../../wallet/limits/tiers.ts';
import { ActDialog } from '../act-dialog.tsx';
import { useOperatorAct, useTiers } from '../use-operator.ts';
import { texts } from './texts.ts';

type Outcome = Pick<Requested, 'status' | 'message'>;

export function TierDialog({
  account: { account, owner },
  act,
  onDone,
  onClose,
}: {
  readonly account: LookedAccount;
  readonly act: 'setTier' | 'unpin';
  readonly onDone: (what: string, result: Outcome) => void;
  readonly onClose: () => void;
}) {
  const t = useTexts(texts);
  const setting = useOperatorAct();
  const unpinning = useOperatorAct<{ readonly wasPinned: boolean }>();
  const [tier, setTier] = useState<string | null>(null);
  const [isPinned, setPinned] = useState(false);
  const title = `${t.title({ account })}: ${t[act]}`;
  const go = async (reason: string) => {
    if (act === 'setTier') {
      const params = { account, tier: tier ?? '', isPinned, reason };
      const result = await setting.run({ path: '/fees/set_tier', params });
      if (result !== undefined) onDone(`${title}.`, result);
      return;
    }
    const result = await unpinning.run({ path: '/fees/unpin', params: { account, reason } });
    if (result === undefined) return;
    const said = result.wasPinned ? t.wasPinned : t.wasNotPinned;
    onDone(`${title}. ${said}`, { status: 'done', message: '' });
  };
  const { isRunning, error } = act === 'setTier' ? setting : unpinning;
  return (
    <ActDialog
      title={title}
      act={t[act]}
      mustType={account}
      isDisabled={act === 'setTier' && tier === null}
      isRunning={isRunning}
      error={error}
      onRun={(reason) => void go(reason)}
      onClose={onClose}
    >
      <p>
        <bdi className="font-medium">{owner}</bdi>
      </p>
      <p>{act === 'setTier' ? t.setTierWhy : t.unpinWhy}</p>
      {act === 'setTier' && (
        <>
          <TierChoice value={tier} onChange={setTier} />
          <Checkbox isSelected={isPinned} onChange={setPinned}>
            {t.pin}
          </Checkbox>
        </>
      )}
    </ActDialog>
  );
}

function TierChoice({
  value,
  onChange,
}: {
  readonly value: string | null;
  readonly onChange: (tier: string) => void;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { asked } = useTiers();
  const tiers = asked.state === 'known' ? asked.value : [];
  const rate = (fee: string) =>
    `\u2066${writeDecimal(percentOf(fee), locale)}${percentSign(locale)}\u2069`;
  const label = ({ tier, makerFee, takerFee }: FeeTier) =>
    t.tierChoice({
      tier: writeCount(Number(tier), locale),
      maker: rate(makerFee),
      taker: rate(takerFee),
    });
  return (
    <Select
      label={t.newTier}
      placeholder={t.chooseTier}
      value={value}
      onChange={onChange}
      choices={tiers.map((tier) => ({ value: tier.tier, label: label(tier) }))}
    />
  );
}
