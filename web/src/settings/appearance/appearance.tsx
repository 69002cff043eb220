// How the client looks: what the account has a setting for goes there, the rest stays in this browser, and the page says so.
import { writeDay, writeTime } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { writeDecimal } from '../../i18n/number.ts';
import { useTexts } from '../../i18n/texts.ts';
import { RadioGroup } from '../../ui/radio-group.tsx';
import { Select } from '../../ui/select.tsx';
import { Switch } from '../../ui/switch.tsx';
import { LanguageChoice, ThemeChoice } from '../choices.tsx';
import { useLooks } from '../looks.tsx';
import { DENSITIES, PALETTES } from '../preferences.ts';
import { Section } from '../section.tsx';
import { commonTexts } from '../texts.ts';
import { useSetting } from '../use-setting.ts';
import { texts } from './texts.ts';

export default function Appearance() {
  const t = useTexts(texts);
  const common = useTexts(commonTexts);
  return (
    <>
      <Section title={t.account} note={common.inAccount}>
        <ThemeChoice />
        <LanguageChoice />
        <HomeView />
      </Section>
      <Section title={t.browser} note={common.inBrowser}>
        <Layout />
      </Section>
      <Section title={t.reading} note={common.inAccount}>
        <Reading />
      </Section>
    </>
  );
}

const HOMES = ['inbox', 'recent_topics', 'all_messages'] as const;

function HomeView() {
  const t = useTexts(texts);
  const [home = 'inbox', setHome] = useSetting('web_home_view');
  return (
    <Select
      label={t.home}
      description={t.homeNote}
      className="max-w-xs"
      value={HOMES.find((one) => one === home) ?? 'inbox'}
      onChange={setHome}
      choices={HOMES.map((value) => ({ value, label: t[value] }))}
    />
  );
}

function Layout() {
  const t = useTexts(texts);
  const { preferences, change } = useLooks();
  const { density, palette, digits, calendar } = preferences;
  return (
    <>
      <RadioGroup
        label={t.density}
        look="segments"
        value={density}
        onChange={(value) => change({ density: DENSITIES.find((one) => one === value) ?? density })}
        choices={DENSITIES.map((value) => ({ value, label: t[value] }))}
      />
      <RadioGroup
        label={t.palette}
        value={palette}
        onChange={(value) => change({ palette: PALETTES.find((one) => one === value) ?? palette })}
        choices={PALETTES.map((value) => ({ value, label: t[value] }))}
      />
      <RadioGroup
        label={t.digits}
        look="segments"
        value={digits ?? 'language'}
        onChange={(value) =>
          change({ digits: value === 'latin' || value === 'persian' ? value : undefined })
        }
        choices={[
          { value: 'language', label: t.asLanguage },
          { value: 'latin', label: t.latinDigits },
          { value: 'persian', label: t.persianDigits },
        ]}
      />
      <RadioGroup
        label={t.calendar}
        look="segments"
        value={calendar ?? 'language'}
        onChange={(value) =>
          change({ calendar: value === 'gregorian' || value === 'persian' ? value : undefined })
        }
        choices={[
          { value: 'language', label: t.asLanguage },
          { value: 'gregorian', label: t.gregorian },
          { value: 'persian', label: t.persianCalendar },
        ]}
      />
      <Preview />
    </>
  );
}

/** What the choices above come to. */
function Preview() {
  const t = useTexts(texts);
  const locale = useLocale();
  const now = Date.now();
  const change = writeDecimal('1.24', locale, { isChange: true, decimals: 2 });
  const fall = writeDecimal('-0.85', locale, { isChange: true, decimals: 2 });
  return (
    <figure className="flex flex-col gap-1.5">
      <figcaption className="text-small font-medium">{t.preview}</figcaption>
      <div className="flex flex-wrap items-center gap-x-5 gap-y-1 rounded-control border border-line bg-background px-3 py-2.5">
        <span className="figures">
          <bdi dir="ltr">{writeDecimal('64210.50', locale, { decimals: 2 })}</bdi>{' '}
          <bdi dir="ltr" className="text-muted">
            USDT
          </bdi>
        </span>
        <bdi dir="ltr" className="figures text-up">
          ▲ {change}%
        </bdi>
        <bdi dir="ltr" className="figures text-down">
          ▼ {fall}%
        </bdi>
        <span className="text-muted">
          {writeDay(now - 40 * 86_400_000, now, locale)} · {writeTime(now, locale)}
        </span>
      </div>
    </figure>
  );
}

function Reading() {
  const t = useTexts(texts);
  const [enterSends = false, setEnterSends] = useSetting('enter_sends');
  const [receipts = true, setReceipts] = useSetting('send_read_receipts');
  const [typingDirect = true, setTypingDirect] = useSetting('send_private_typing_notifications');
  const [presence = true, setPresence] = useSetting('presence_enabled');
  return (
    <div className="flex flex-col gap-1">
      <Switch isSelected={enterSends} onChange={setEnterSends} description={t.enterSendsNote}>
        {t.enterSends}
      </Switch>
      <Switch isSelected={receipts} onChange={setReceipts}>
        {t.receipts}
      </Switch>
      <Switch isSelected={typingDirect} onChange={setTypingDirect}>
        {t.typing}
      </Switch>
      <Switch isSelected={presence} onChange={setPresence}>
        {t.presence}
      </Switch>
    </div>
  );
}
