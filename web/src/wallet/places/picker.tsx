// Chooses a coin, and then one of its networks: the same coin on another network is another thing.
import type { Coin } from '@rialto/sdk';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Badge } from '../../ui/badge.tsx';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { texts as walletTexts } from '../texts.ts';
import {
  coinsOf,
  networkName,
  networksOf,
  statusOf,
  type ChosenPlace,
  type Direction,
} from './place.ts';
import { texts } from './texts.ts';

/** The only network of a coin needs no choice. */
export function firstPlace(coins: readonly Coin[], direction: Direction, symbol = ''): ChosenPlace {
  const offered = coinsOf(coins, direction);
  const coin = offered.find((one) => one.symbol === symbol) ?? offered[0];
  const [only, ...more] = networksOf(coin, direction);
  return {
    coin: coin?.symbol ?? '',
    network: only !== undefined && more.length === 0 ? only.NetworkSymbol : '',
  };
}

export function PlacePicker({
  coins,
  direction,
  chosen,
  onChoose,
}: {
  readonly coins: readonly Coin[];
  readonly direction: Direction;
  readonly chosen: ChosenPlace;
  readonly onChoose: (place: ChosenPlace) => void;
}) {
  const t = useTexts(texts);
  const common = useTexts(walletTexts);
  const { language } = useLocale();
  const nameOf = ({ nameEn, nameFa }: Coin) => (language === 'fa' ? nameFa : nameEn);
  const networks = networksOf(
    coins.find(({ symbol }) => symbol === chosen.coin),
    direction,
  );
  return (
    <div className="flex flex-col gap-4">
      <Select
        label={common.coin}
        value={chosen.coin}
        onChange={(symbol) => onChoose(firstPlace(coins, direction, symbol))}
        choices={coinsOf(coins, direction).map((coin) => ({
          value: coin.symbol,
          label: `${coin.symbol.toUpperCase()} · ${nameOf(coin)}`,
        }))}
        className="max-w-80"
      />
      <RadioGroup
        label={t.network}
        description={networks.length > 1 ? t.networkMatters : undefined}
        value={chosen.network}
        onChange={(network) => onChoose({ ...chosen, network })}
        choices={networks.map((network) => ({
          value: network.NetworkSymbol,
          label: networkName(network, language),
          ...(statusOf(network, direction) === 'paused' && {
            description: <Badge tone="warning">{t.paused}</Badge>,
          }),
        }))}
      />
    </div>
  );
}
