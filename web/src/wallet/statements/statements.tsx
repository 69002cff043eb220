// A statement of a month of either calendar, or of any days.
import { useMemo, useState } from 'react';
import { printDay, type Month } from '../../i18n/calendar.ts';
import { writeDate, writeMonth } from '../../i18n/date.ts';
import { useLocale, type Calendar, type Locale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { monthsBefore, readRange, settled, SETTLED_MS, type Problem } from './period.ts';
import { StatementView } from './statement.tsx';
import { texts } from './texts.ts';

const RANGE = 'range';
const CALENDARS = ['gregorian', 'persian'] as const;

export default function Statements() {
  const t = useTexts(texts);
  const own = useLocale();
  const [calendar, setCalendar] = useState<Calendar>(own.calendar);
  const locale = { ...own, calendar };
  // The moment at which the page was opened: a statement until "now" must not change while it is looked at.
  const [nowMs] = useState(() => Date.now() - SETTLED_MS);
  const months = useMemo(() => monthsBefore(nowMs, calendar), [nowMs, calendar]);
  const [chosen, setChosen] = useState('0');
  const isRange = chosen === RANGE;
  const month = isRange ? undefined : months[Number(chosen)];
  return (
    <>
      <p className="max-w-3xl text-pretty text-muted">{t.about}</p>
      <div className="flex flex-wrap items-start gap-4">
        <RadioGroup
          label={t.calendar}
          look="segments"
          value={calendar}
          onChange={(value) => setCalendar(value === 'persian' ? 'persian' : 'gregorian')}
          choices={CALENDARS.map((value) => ({ value, label: t[value] }))}
        />
        <Select
          label={t.period}
          value={chosen}
          onChange={setChosen}
          choices={[
            ...months.map(({ fromMs }, index) => ({
              value: String(index),
              label:
                index === 0
                  ? t.soFar({ month: writeMonth(fromMs, locale) })
                  : writeMonth(fromMs, locale),
            })),
            { value: RANGE, label: t.range },
          ]}
          className="w-60"
        />
      </div>
      {isRange ? (
        <Range key={calendar} locale={locale} nowMs={nowMs} />
      ) : (
        month !== undefined && <StatementView period={settled(month, nowMs)} locale={locale} />
      )}
    </>
  );
}

/** Typed, not picked: the calendars of browsers know one calendar alone. */
function Range({ locale, nowMs }: { readonly locale: Locale; readonly nowMs: number }) {
  const t = useTexts(texts);
  const { calendar } = locale;
  const [first, setFirst] = useState(() =>
    printDay(monthsBefore(nowMs, calendar)[0]?.fromMs ?? nowMs, calendar),
  );
  const [last, setLast] = useState(() => printDay(nowMs, calendar));
  const read = readRange(first, last, calendar, nowMs);
  const problem: Problem | undefined = 'problem' in read ? read.problem : undefined;
  const period: Month | undefined = 'problem' in read ? undefined : read;
  const isFirst = problem === 'first' || problem === 'future';
  const noteOf = (at: number | undefined) =>
    at === undefined ? t.dayHint : `${t.dayHint}: ${writeDate(at, locale)}`;
  return (
    <>
      <div className="flex flex-wrap gap-4">
        <TextField
          label={t.firstDay}
          isLatin
          value={first}
          onChange={setFirst}
          description={noteOf(period?.fromMs)}
          error={problem !== undefined && isFirst ? t[problem] : undefined}
          className="w-64"
        />
        <TextField
          label={t.lastDay}
          isLatin
          value={last}
          onChange={setLast}
          // One millisecond before the end lies on the last day.
          description={noteOf(period && period.toMs - 1)}
          error={problem !== undefined && !isFirst ? t[problem] : undefined}
          className="w-64"
        />
      </div>
      {period !== undefined && <StatementView period={period} locale={locale} />}
    </>
  );
}
