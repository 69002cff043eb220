// The columns of the open orders. The row that is being changed has fields in them.
import type { MarketDetail, Order } from '@rialto/sdk';
import type { ReactNode } from 'react';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Amount } from '../../ui/amount.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import type { Column } from '../../ui/table.tsx';
import { texts as formTexts } from '../form/texts.ts';
import { sizeText } from '../form/words.ts';
import { intentState, orderState, toneOf } from '../intents/words.ts';
import { amendable, type AmendField, type Typed } from './amend.ts';
import { KindWord, nameOf, PriceCell, SideWord, SizeCell, Trigger, When } from './cells.tsx';
import type { OpenRow } from './rows.ts';
import { texts } from './texts.ts';

interface OpenColumns {
  readonly markets: ReadonlyMap<string, MarketDetail>;
  readonly symbol: string | undefined;
  readonly hasTriggers: boolean;
  readonly amending: { readonly order: Order; readonly typed: Typed } | undefined;
  readonly canSave: boolean;
  readonly isSaving: boolean;
  readonly onDetails: (order: Order) => void;
  readonly onCancel: (order: Order) => void;
  readonly onAmend: (
    amending: { readonly order: Order; readonly typed: Typed } | undefined,
  ) => void;
  readonly onSave: () => void;
}

export function useOpenColumns(given: OpenColumns): readonly Column<OpenRow>[] {
  const { markets, symbol, amending, onDetails, onCancel, onAmend, onSave } = given;
  const t = useTexts(texts);
  const form = useTexts(formTexts);
  const locale = useLocale();
  const labels = { price: t.newPrice, volume: t.newAmount, stopPrice: t.newTrigger };
  const isAmending = (order: Order) => amending?.order.orderId === order.orderId;

  const field = (name: AmendField, order: Order) => {
    const market = markets.get(order.symbol);
    const typed = amending?.typed[name];
    const value = typed === undefined ? order[name] : typed.kind === 'number' ? typed.value : '';
    return (
      <NumberField
        label={labels[name]}
        isLabelHidden
        value={value}
        unit={(name === 'volume' ? market?.base : market?.quote)?.toUpperCase()}
        onChange={(_value, reading) =>
          amending && onAmend({ ...amending, typed: { ...amending.typed, [name]: reading } })
        }
        className="my-1 w-40"
      />
    );
  };
  const cellOf = (name: AmendField, row: OpenRow, shown: (order: Order) => ReactNode) => {
    if (row.kind === 'intent') return null;
    const { order } = row;
    return isAmending(order) && amendable(order).includes(name) ? field(name, order) : shown(order);
  };
  const columns: (Column<OpenRow> | false)[] = [
    {
      id: 'order',
      title: t.order,
      isRowTitle: true,
      cell: (row) => {
        if (row.kind === 'intent') {
          const { placement } = row.intent;
          const market = markets.get(placement.params.symbol);
          return market === undefined ? null : (
            <span>
              {form.act({
                side: placement.params.side,
                size: sizeText(placement, market, locale),
              })}
            </span>
          );
        }
        const { order, list } = row;
        return (
          <span
            data-order={order.orderId}
            className={list === 'other' ? 'border-s-2 border-accent ps-3' : undefined}
          >
            <Button
              variant="quiet"
              size="small"
              className="-ms-2.5"
              onPress={() => onDetails(order)}
            >
              <When at={order.createdAt} />
              <span className="sr-only"> {t.details({ id: order.orderId })}</span>
            </Button>
            {list === 'first' && <Badge tone="accent">{t.list({ id: order.orderListId })}</Badge>}
          </span>
        );
      },
    },
    symbol === undefined && {
      id: 'market',
      title: t.market,
      cell: (row) =>
        row.kind === 'order' && <bdi dir="ltr">{nameOf(row.order.symbol, markets)}</bdi>,
    },
    {
      id: 'side',
      title: t.side,
      cell: (row) =>
        row.kind === 'order' && (
          <span className="inline-flex items-center gap-2 align-middle">
            <SideWord side={row.order.side} />
            <span className="text-muted">
              <KindWord order={row.order} />
            </span>
          </span>
        ),
    },
    {
      id: 'price',
      title: t.price,
      isNumber: true,
      cell: (row) => cellOf('price', row, (order) => <PriceCell order={order} />),
    },
    {
      id: 'amount',
      title: t.amount,
      isNumber: true,
      cell: (row) =>
        cellOf('volume', row, (order) => (
          <SizeCell order={order} quote={markets.get(order.symbol)?.quote} />
        )),
    },
    {
      id: 'filled',
      title: t.filled,
      isNumber: true,
      cell: (row) => row.kind === 'order' && <Amount value={row.order.filledVolume} />,
    },
    given.hasTriggers && {
      id: 'trigger',
      title: t.trigger,
      isNumber: true,
      cell: (row) => cellOf('stopPrice', row, (order) => <Trigger order={order} />),
    },
    {
      id: 'state',
      title: t.state,
      cell: (row) =>
        row.kind === 'intent' ? (
          <Badge tone={toneOf(row.intent)}>{intentState(row.intent, locale)}</Badge>
        ) : (
          orderState(row.order, locale)
        ),
    },
    {
      id: 'acts',
      title: t.acts,
      cell: (row) => {
        if (row.kind === 'intent') return null;
        const { order, list } = row;
        return (
          <span className="flex gap-1.5">
            {isAmending(order) ? (
              <>
                <Button
                  size="small"
                  variant="primary"
                  isDisabled={!given.canSave}
                  isPending={given.isSaving}
                  onPress={onSave}
                >
                  {t.save}
                </Button>
                <Button size="small" onPress={() => onAmend(undefined)}>
                  {t.stop}
                </Button>
              </>
            ) : (
              <>
                {amendable(order).length > 0 && (
                  <Button
                    size="small"
                    aria-label={t.amendLabel({ id: order.orderId })}
                    onPress={() => onAmend({ order, typed: {} })}
                  >
                    {t.amend}
                  </Button>
                )}
                {list !== 'other' && (
                  <Button size="small" onPress={() => onCancel(order)}>
                    {list === 'first' ? t.cancelList : t.cancelShort}
                  </Button>
                )}
              </>
            )}
          </span>
        );
      },
    },
  ];
  return columns.filter((column) => column !== false);
}
