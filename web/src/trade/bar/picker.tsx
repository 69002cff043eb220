// The list of markets: type a part of a symbol or a name, and go there.
import type { MarketDetail, Ticker } from '@rialto/sdk';
import { useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { useAsked } from '../../asked/use-asked.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Amount, Change } from '../../ui/amount.tsx';
import { Badge } from '../../ui/badge.tsx';
import { classes } from '../../ui/classes.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { Icon } from '../../ui/icon.tsx';
import type { BesideProps } from '../../ui/opener.ts';
import { Popover, PopoverDialog } from '../../ui/popover.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { pairOf } from '../pair.ts';
import { useVenue } from '../venue/react.ts';
import { chooseRows, type MarketRow } from './choose.ts';
import { useFavourites } from './favourites.ts';
import { texts } from './texts.ts';

export interface PickerProps {
  readonly beside: BesideProps;
  readonly markets: ReadonlyMap<string, MarketDetail>;
  readonly current: string | undefined;
  readonly personId: number | undefined;
  readonly onOpen: (symbol: string) => void;
}

export default function Picker({ beside, ...rest }: PickerProps) {
  const t = useTexts(texts);
  const { isOpen, onOpenChange, triggerRef } = beside;
  return (
    <Popover
      isOpen={isOpen}
      onOpenChange={onOpenChange}
      triggerRef={triggerRef}
      placement="bottom start"
      className="flex w-104"
    >
      <PopoverDialog aria-label={t.markets} className="flex min-h-0 w-full flex-col outline-none">
        <Finder {...rest} onClose={() => onOpenChange(false)} />
      </PopoverDialog>
    </Popover>
  );
}

function Finder({
  markets,
  current,
  personId,
  onOpen,
  onClose,
}: Omit<PickerProps, 'beside'> & { readonly onClose: () => void }) {
  const t = useTexts(texts);
  const { trading } = useVenue();
  const coins = useAsked('venue/coins', () => trading.public.coinsInfo()).asked;
  const tickers = useAsked('venue/tickers', () => trading.public.tickers()).asked;
  const [stars, toggle] = useFavourites(personId);
  const [typed, setTyped] = useState('');
  const names = useMemo(
    () => new Map(coins.state === 'known' ? coins.value.map((one) => [one.symbol, one]) : []),
    [coins],
  );
  const figures = useMemo(
    () => new Map(tickers.state === 'known' ? tickers.value.map((one) => [one.symbol, one]) : []),
    [tickers],
  );
  const rows = useMemo(
    () => chooseRows(markets.values(), names, stars, typed),
    [markets, names, stars, typed],
  );
  const box = useRef<HTMLDivElement>(null);
  const open = (symbol: string | undefined) => {
    if (symbol === undefined) return;
    onClose();
    onOpen(symbol);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const stops = [...(box.current?.querySelectorAll<HTMLElement>('input, [data-market]') ?? [])];
    const at = stops.findIndex((stop) => stop === document.activeElement);
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || at < 0) return;
    event.preventDefault();
    stops.at((at + step + stops.length) % stops.length)?.focus();
  };
  return (
    <div ref={box} onKeyDown={onKeyDown} className="flex min-h-0 flex-1 flex-col">
      <div className="p-2">
        <TextField
          label={t.search}
          isLabelHidden
          placeholder={t.searchHint}
          value={typed}
          onChange={setTyped}
          autoFocus
          autoComplete="off"
          onKeyDown={(event) => {
            if (event.key === 'Enter') open(rows[0]?.market.symbol);
            else event.continuePropagation();
          }}
          start={<Icon name="search" className="size-4" />}
        />
      </div>
      <p role="status" className={rows.length > 0 ? 'sr-only' : 'px-4 pb-4 text-muted'}>
        {rows.length === 0 ? t.nothing : typed === '' ? '' : t.found({ count: rows.length })}
      </p>
      <ul className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-2 pb-2">
        {rows.map((row) => (
          <Row
            key={row.market.symbol}
            row={row}
            ticker={figures.get(row.market.symbol)}
            isCurrent={row.market.symbol === current}
            onOpen={open}
            onStar={toggle}
          />
        ))}
      </ul>
    </div>
  );
}

function Row({
  row: { market, coin, isStarred },
  ticker,
  isCurrent,
  onOpen,
  onStar,
}: {
  readonly row: MarketRow;
  readonly ticker: Ticker | undefined;
  readonly isCurrent: boolean;
  readonly onOpen: (symbol: string) => void;
  readonly onStar: (symbol: string) => void;
}) {
  const t = useTexts(texts);
  const { language } = useLocale();
  const pair = pairOf(market);
  const name = language === 'fa' ? coin?.nameFa : coin?.nameEn;
  const hasFigures = ticker !== undefined && ticker.last !== '';
  return (
    <li className="flex items-center">
      <IconButton
        icon={isStarred ? 'starred' : 'star'}
        isOn={isStarred}
        size="small"
        label={isStarred ? t.removeStar({ market: pair }) : t.addStar({ market: pair })}
        onPress={() => onStar(market.symbol)}
      />
      <button
        type="button"
        data-market={market.symbol}
        {...(isCurrent ? { 'aria-current': 'true' as const } : {})}
        onClick={() => onOpen(market.symbol)}
        className={classes(
          'flex min-h-11 min-w-0 flex-1 cursor-default items-center gap-2 rounded-control px-2 text-start hover:bg-hover',
          isCurrent && 'bg-selected',
        )}
      >
        <span className="flex min-w-0 flex-1 flex-col">
          <bdi dir="ltr" className="self-start font-medium">
            {pair}
          </bdi>
          <span className="truncate text-small text-muted">
            {market.phaseReason === '' ? name : <bdi>{market.phaseReason}</bdi>}
          </span>
        </span>
        {market.isActive ? (
          hasFigures && (
            <span className="flex flex-col items-end">
              <Amount value={ticker.last} decimals={Number(market.quotePrecision)} />
              <Change value={ticker.changePercent} className="text-small" />
            </span>
          )
        ) : (
          <Badge tone="danger">{market.phase === 'halted' ? t.halted : t.closed}</Badge>
        )}
      </button>
    </li>
  );
}
