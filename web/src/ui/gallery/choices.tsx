import { useState } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { Checkbox } from '../checkbox.tsx';
import { RadioGroup } from '../radio-group.tsx';
import { Switch } from '../switch.tsx';
import { Columns, Section } from './section.tsx';
import { texts as titles } from './texts.ts';

const texts = defineTexts({
  en: {
    post: 'Post only',
    confirm: 'Confirm orders above 1,000 USDT',
    some: 'Some channels',
    off: 'Not available here',
    sound: 'Sound',
    soundNote: 'For direct messages and mentions.',
    push: 'Push to this device',
    hide: 'Hide amounts',
    who: 'Who sees my fills',
    me: 'Only me',
    meNote: 'Nobody else hears of them.',
    desk: 'My desk',
    here: 'This channel',
    side: 'Side',
    buy: 'Buy',
    sell: 'Sell',
    sort: 'Chart',
    candles: 'Candles',
    depth: 'Depth',
    line: 'Line',
  },
  fa: {
    post: 'فقط سفارش‌گذار',
    confirm: 'تأیید سفارش‌های بالای ۱٬۰۰۰ USDT',
    some: 'برخی کانال‌ها',
    off: 'اینجا در دسترس نیست',
    sound: 'صدا',
    soundNote: 'برای پیام‌های مستقیم و نام‌بردن‌ها.',
    push: 'اعلان روی این دستگاه',
    hide: 'پنهان کردن مبلغ‌ها',
    who: 'چه کسی معامله‌های مرا می‌بیند',
    me: 'فقط خودم',
    meNote: 'کس دیگری خبردار نمی‌شود.',
    desk: 'میز من',
    here: 'این کانال',
    side: 'سمت',
    buy: 'خرید',
    sell: 'فروش',
    sort: 'نمودار',
    candles: 'شمعی',
    depth: 'عمق',
    line: 'خطی',
  },
});

export function Choices() {
  const t = useTexts(texts);
  const [who, setWho] = useState('me');
  return (
    <Section name="choices" title={useTexts(titles).choices}>
      <Columns>
        <div className="flex flex-col">
          <Checkbox defaultSelected>{t.confirm}</Checkbox>
          <Checkbox>{t.post}</Checkbox>
          <Checkbox isIndeterminate>{t.some}</Checkbox>
          <Checkbox isDisabled>{t.off}</Checkbox>
        </div>
        <div className="flex flex-col gap-1">
          <Switch defaultSelected description={t.soundNote}>
            {t.sound}
          </Switch>
          <Switch>{t.push}</Switch>
          <Switch isDisabled>{t.hide}</Switch>
          <RadioGroup
            label={t.sort}
            look="segments"
            defaultValue="candles"
            choices={[
              { value: 'candles', label: t.candles },
              { value: 'depth', label: t.depth },
              { value: 'line', label: t.line },
            ]}
          />
        </div>
        <RadioGroup
          label={t.who}
          value={who}
          onChange={setWho}
          choices={[
            { value: 'me', label: t.me, description: t.meNote },
            { value: 'desk', label: t.desk },
            { value: 'here', label: t.here, isDisabled: true },
          ]}
        />
      </Columns>
    </Section>
  );
}
