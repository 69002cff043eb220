import {
  writeDate,
  writeDay,
  writeMoment,
  writeRelative,
  writeTime,
  writeUtc,
} from '../../i18n/date.ts';
import { localeOf, useLocale } from '../../i18n/locale.tsx';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { Amount, Change } from '../amount.tsx';
import { Columns, Section } from './section.tsx';
import { texts as titles } from './texts.ts';

const texts = defineTexts({
  en: { amounts: 'Amounts', changes: 'Changes', times: 'Times', other: 'The other calendar' },
  fa: { amounts: 'مقدارها', changes: 'تغییرها', times: 'زمان‌ها', other: 'تقویم دیگر' },
});

const NOW = Date.parse('2026-11-16T10:02:33Z');

export function Numbers() {
  const t = useTexts(texts);
  const locale = useLocale();
  const other = localeOf(locale.language, {
    calendar: locale.calendar === 'persian' ? 'gregorian' : 'persian',
  });
  const head = 'text-small font-medium text-muted';
  return (
    <Section name="numbers" title={useTexts(titles).numbers}>
      <Columns>
        <div className="flex flex-col gap-1">
          <h3 className={head}>{t.amounts}</h3>
          <Amount value="64210.5" decimals={2} unit="USDT" className="text-heading font-semibold" />
          <Amount value="0.5" decimals={6} unit="BTC" />
          <Amount value="1284512" unit="IRT" />
          <Amount value="-32105.25" decimals={2} unit="USDT" />
        </div>
        <div className="flex flex-col items-start gap-1">
          <h3 className={head}>{t.changes}</h3>
          <Change value="1.24" />
          <Change value="-0.87" />
          <Change value="0" />
          <Change value="-1204.5" unit="USDT" />
        </div>
        <div className="flex flex-col gap-1">
          <h3 className={head}>{t.times}</h3>
          <span>
            {writeDay(NOW - 86_400_000, NOW, locale, 'UTC')}{' '}
            {writeTime(NOW, locale, { zone: 'UTC' })}
          </span>
          <span>{writeDay(NOW - 400 * 86_400_000, NOW, locale, 'UTC')}</span>
          <span>{writeRelative(NOW - 5 * 60_000, NOW, locale)}</span>
          <span>{writeMoment(NOW, locale, 'UTC')}</span>
          <bdi dir="ltr" className="text-muted">
            {writeUtc(NOW)}
          </bdi>
          <span className="text-muted">
            {t.other}: {writeDate(NOW, other, 'UTC')}
          </span>
        </div>
      </Columns>
    </Section>
  );
}
