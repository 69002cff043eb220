// What there is of each coin, and about how much it is worth.
import { useMemo, useState } from 'react';
import { FailureState } from '../../asked/failure.tsx';
import { useAsked } from '../../asked/use-asked.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { useLooks } from '../../settings/looks.tsx';
import { useSelect, useStore } from '../../state/react.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { History } from '../history/history.tsx';
import { texts as walletTexts } from '../texts.ts';
import { useTrading } from '../use-trading.ts';
import { WalletLoading } from '../loading.tsx';
import { filterRows, rowsOf, withNews, worthOf, type Worth } from './derive.ts';
import { loadBalances, type Loaded } from './load.ts';
import { BalanceTable } from './table.tsx';
import { texts } from './texts.ts';
import { quotesOf } from './value.ts';

export default function Balances() {
  const t = useTexts(walletTexts);
  const trading = useTrading();
  const { asked, again } = useAsked('wallet balances', (signal) => loadBalances(trading(), signal));
  if (asked.state === 'asking') return <WalletLoading />;
  if (asked.state === 'failed') {
    return <FailureState what={t.notLoaded} error={asked.error} onRetry={again} />;
  }
  return <Shown loaded={asked.value} />;
}

function Shown({ loaded }: { readonly loaded: Loaded }) {
  const t = useTexts(texts);
  const { preferences, change } = useLooks();
  const news = useSelect(useStore(), ({ venue }) => venue.balances);
  const quotes = useMemo(() => quotesOf(loaded.pairs), [loaded]);
  const [quote, setQuote] = useState(quotes[0] ?? '');
  const [search, setSearch] = useState('');
  const [hidesZero, setHidesZero] = useState(true);
  const quoteDecimals = loaded.quoteDecimals.get(quote) ?? 2;
  const rows = useMemo(() => {
    const balances = withNews(loaded.balances, loaded.accountId, news);
    return rowsOf(balances, loaded.names, loaded.pairs, { quote, quoteDecimals });
  }, [loaded, news, quote, quoteDecimals]);
  const shown = filterRows(rows, { search, hidesZero });
  const everything = () => {
    setSearch('');
    setHidesZero(false);
  };
  return (
    <>
      <section className="flex flex-wrap items-end gap-x-6 gap-y-3 rounded-panel border border-line bg-panel p-5 max-tablet:p-4">
        <Sum worth={worthOf(rows)} quote={quote} decimals={quoteDecimals} />
        <Select
          label={t.quote}
          value={quote}
          onChange={setQuote}
          choices={quotes.map((value) => ({ value, label: value.toUpperCase() }))}
          className="w-32"
        />
      </section>
      <div className="flex flex-wrap items-center gap-x-6 gap-y-2">
        <TextField
          label={t.search}
          isLabelHidden
          placeholder={t.search}
          value={search}
          onChange={setSearch}
          start={<Icon name="search" className="size-4" />}
          className="w-64 max-tablet:w-full"
        />
        <Switch isSelected={hidesZero} onChange={setHidesZero}>
          {t.hideZero}
        </Switch>
        <Switch
          isSelected={preferences.hidesAmounts}
          onChange={(hidesAmounts) => change({ hidesAmounts })}
        >
          {t.hideAmounts}
        </Switch>
      </div>
      <BalanceTable
        rows={shown}
        quote={quote}
        quoteDecimals={quoteDecimals}
        pairs={loaded.pairs}
        empty={
          <EmptyState icon="wallet" action={<Button onPress={everything}>{t.showAll}</Button>}>
            {search === '' ? t.allEmpty : t.noneFound}
          </EmptyState>
        }
      />
      <p className="text-small text-muted">{t.noMoves}</p>
      <History coins={rows.map(({ balance }) => balance)} />
    </>
  );
}

function Sum({
  worth,
  quote,
  decimals,
}: {
  readonly worth: Worth;
  readonly quote: string;
  readonly decimals: number;
}) {
  const t = useTexts(texts);
  const locale = useLocale();
  const isHidden = useLooks().preferences.hidesAmounts;
  const value = `\u2068${writeDecimal(worth.value, locale, { decimals })}\u2069`;
  const { unpriced } = worth;
  return (
    <div className="flex min-w-0 flex-1 flex-col gap-1 max-tablet:basis-full">
      <h2 className="text-small text-muted">{t.worthLabel}</h2>
      <p className="figures text-heading font-semibold">
        {isHidden ? t.worthHidden : t.worth({ value, coin: quote.toUpperCase() })}
      </p>
      <p className="text-pretty text-small text-muted">
        {t.worthNote}
        {unpriced.length > 0 &&
          ` ${t.unpriced({ coins: unpriced.map((coin) => coin.toUpperCase()).join(', ') })}`}
      </p>
    </div>
  );
}
