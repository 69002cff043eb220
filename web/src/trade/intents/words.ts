// States of orders and intents in words.
import type { Order } from '@rialto/sdk';
import type { Locale } from '../../i18n/locale.tsx';
import { percentSign, writeDecimal } from '../../i18n/number.ts';
import { textsFor } from '../../i18n/texts.ts';
import type { Tone } from '../../ui/badge.tsx';
import { filledPercent, type Intent } from './machine.ts';
import { PERSIAN_REASONS } from './persian-reasons.ts';
import { texts } from './texts.ts';

/** The state of an order, with the reason why it ended. */
export function orderState(order: Order, locale: Locale): string {
  const t = textsFor(texts, locale);
  const percent = `\u2068${writeDecimal(filledPercent(order), locale)}${percentSign(locale)}\u2069`;
  const state =
    order.status === 'partially_filled'
      ? t.partly({ percent })
      : order.status === 'rejected'
        ? t.orderRejected
        : t[order.status];
  const reason = order.statusReason;
  return reason === '' || order.status === 'filled'
    ? state
    : t.reasonOf({ state, reason: t[reason] });
}

export function intentState(intent: Intent, locale: Locale): string {
  const t = textsFor(texts, locale);
  switch (intent.phase) {
    case 'placed':
      return intent.order === undefined ? t.open : orderState(intent.order, locale);
    case 'rejected':
      return t.rejected({ reason: reasonOf(intent, locale) });
    default:
      return t[intent.phase];
  }
}

function reasonOf({ refusal }: Intent, { language }: Locale): string {
  const translated = language === 'fa' ? PERSIAN_REASONS[refusal?.code ?? ''] : undefined;
  return translated ?? refusal?.message ?? '';
}

export function toneOf({ phase, order }: Intent): Tone {
  if (phase === 'rejected' || phase === 'absent') return 'danger';
  if (phase === 'checking') return 'warning';
  return phase === 'placed' && order?.status === 'filled' ? 'success' : 'accent';
}
