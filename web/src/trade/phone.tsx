// The trade view of phones: one part at a time, and below it what opens the form.
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { useTexts } from '../i18n/texts.ts';
import { Button } from '../ui/button.tsx';
import { RadioGroup } from '../ui/radio-group.tsx';
import { PARTS, type Part } from './address.ts';
import { AccountSlot, ChatSlot, SignIn, type FormSlotProps, type Side } from './slots.tsx';
import type { Linked } from './account/linked.tsx';
import { Tape } from './tape/tape.tsx';
import { texts } from './texts.ts';
import { useMarket, useVenue } from './venue/react.ts';

const Sheet = lazy(() => import('./sheet.tsx'));

export interface PhoneProps {
  readonly part: Part;
  readonly onPart: (part: Part) => void;
  readonly chart: ReactNode;
  readonly book: ReactNode;
  readonly pick: FormSlotProps['pick'];
  readonly linked: Linked | undefined;
}

export function Phone({ part, onPart, chart, book, pick, linked }: PhoneProps) {
  const t = useTexts(texts);
  const { base } = useMarket();
  const { isSignedIn } = useVenue();
  const [side, setSide] = useState<Side>();
  const names = {
    chart: t.chart,
    book: t.bookShort,
    trades: t.trades,
    orders: t.orders,
    chat: t.chat,
  };
  const shown = {
    chart,
    book,
    trades: <Tape />,
    orders: <AccountSlot linked={linked} />,
    chat: <ChatSlot />,
  }[part];
  const unit = base.toUpperCase();
  return (
    <>
      <div className="border-b border-line bg-panel px-3 py-2">
        <RadioGroup
          label={t.parts}
          isLabelHidden
          look="segments"
          isWide
          choices={PARTS.map((one) => ({ value: one, label: names[one] }))}
          value={part}
          onChange={(chosen) => {
            const found = PARTS.find((one) => one === chosen);
            if (found !== undefined) onPart(found);
          }}
        />
      </div>
      <section
        aria-label={names[part]}
        className="flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain bg-panel"
      >
        {shown}
      </section>
      <div className="flex gap-2 border-t border-line bg-panel px-3 py-2">
        {isSignedIn ? (
          <>
            <Button variant="buy" className="flex-1" onPress={() => setSide('buy')}>
              {t.buyOf({ base: unit })}
            </Button>
            <Button variant="sell" className="flex-1" onPress={() => setSide('sell')}>
              {t.sellOf({ base: unit })}
            </Button>
          </>
        ) : (
          <SignIn className="flex-1" />
        )}
      </div>
      {side !== undefined && (
        <Suspense>
          <Sheet side={side} pick={pick} onClose={() => setSide(undefined)} />
        </Suspense>
      )}
    </>
  );
}
