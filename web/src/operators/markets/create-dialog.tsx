import type { Coin } from '@rialto/sdk';
import { useState } from 'react';
import type { Requested } from '../../api/administration.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { NativeSelect } from '../../ui/native-select.tsx';
import { Looked } from '../looked.tsx';
import { ReviewedAct } from '../review/reviewed-act.tsx';
import { texts as review } from '../review/texts.ts';
import { useCoins, useOperatorAct } from '../use-operator.ts';
import { nameOf } from './name.ts';
import { TermFields, useTermChanges } from './term-fields.tsx';
import { termTexts } from './term-texts.ts';
import { changesOf, NEEDED, NO_TERMS, problemsOf, type Term } from './terms.ts';
import { texts } from './texts.ts';

/** What the venue takes where nothing is typed. */
const DEFAULTS: Readonly<Partial<Record<Term, string>>> = {
  priceBandPercent: '20',
  marketSlippagePercent: '5',
  haltPercent: '15',
  haltMinutes: '5',
  auctionSeconds: '0',
  maxOpenOrders: '200',
  maxConditionalOrders: '50',
  icebergParts: '20',
};

export interface CreateDialogProps {
  /** Symbols of the markets that there are. */
  readonly taken: readonly string[];
  readonly onDone: (what: string, result: Requested) => void;
  readonly onClose: () => void;
}

export function CreateDialog({ taken, onDone, onClose }: CreateDialogProps) {
  const t = useTexts(texts);
  const r = useTexts(review);
  const terms = useTexts(termTexts);
  const locale = useLocale();
  const { run, isRunning, error, forget } = useOperatorAct();
  const coins = useCoins();
  const [pair, setPair] = useState({ base: '', quote: '' });
  const [values, setValues] = useState(NO_TERMS);
  const changes = useTermChanges(NO_TERMS, values);
  const symbol = `${pair.base}${pair.quote}`;
  const name = nameOf(pair);
  const missing = NEEDED.find((term) => values[term] === '');
  const [wrong] = Object.keys(problemsOf(values)) as Term[];
  const problem =
    pair.base === '' || pair.quote === ''
      ? t.choosePair
      : pair.base === pair.quote
        ? t.sameCoin
        : taken.includes(symbol)
          ? t.exists({ market: name })
          : wrong !== undefined
            ? r.look({ field: terms[wrong] })
            : missing !== undefined
              ? r.missing({ field: terms[missing] })
              : undefined;
  const act = async () => {
    const result = await run({
      path: '/market/create',
      params: { ...pair, ...changesOf(NO_TERMS, values) },
    });
    if (result !== undefined) onDone(t.listed({ market: name }), result);
  };
  const placeholders = {
    ...Object.fromEntries(
      Object.entries(DEFAULTS).map(([term, value]) => [term, writeDecimal(value, locale)]),
    ),
    minimumVolume: terms.oneStep,
    maximumVolume: terms.fromLargest,
    minimumPrice: terms.oneStep,
    maximumPrice: terms.fromListing,
    defaultStpMode: terms.expire_taker,
  };
  return (
    <ReviewedAct
      title={t.list}
      act={t.list}
      mustType={symbol}
      hasReason={false}
      note={t.listWhy({ market: name })}
      changes={[{ name: t.market, after: name }, ...changes]}
      problem={problem}
      isRunning={isRunning}
      error={error}
      onRun={() => void act()}
      onForget={forget}
      onClose={onClose}
    >
      <Looked asking={coins}>
        {(list) => (
          <div className="flex flex-col gap-4">
            <p className="text-muted">{t.listAbout}</p>
            <div className="grid grid-cols-2 gap-x-4 gap-y-3 max-tablet:grid-cols-1">
              {(['base', 'quote'] as const).map((side) => (
                <NativeSelect
                  key={side}
                  label={t[side]}
                  value={pair[side]}
                  onChange={(symbolOfCoin) => setPair((now) => ({ ...now, [side]: symbolOfCoin }))}
                  choices={choicesOf(list, locale.language, t.chooseCoin)}
                />
              ))}
            </div>
            <TermFields
              {...pair}
              isNew
              values={values}
              placeholders={placeholders}
              onChange={(term, value) => setValues((now) => ({ ...now, [term]: value }))}
            />
          </div>
        )}
      </Looked>
    </ReviewedAct>
  );
}

const choicesOf = (coins: readonly Coin[], language: 'en' | 'fa', none: string) => [
  { value: '', label: none },
  ...coins.map(({ symbol, nameEn, nameFa }) => ({
    value: symbol,
    label: `${symbol.toUpperCase()} (${language === 'fa' ? nameFa : nameEn})`,
  })),
];
