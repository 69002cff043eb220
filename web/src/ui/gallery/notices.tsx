import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { Banner } from '../banner.tsx';
import { Button } from '../button.tsx';
import { useOpener } from '../opener.ts';
import { Pill } from '../pill.tsx';
import { ProgressBar } from '../progress-bar.tsx';
import { OfflineBanner, ReadOnlyNotice } from '../states.tsx';
import { Columns, Row, Section } from './section.tsx';
import { texts as titles } from './texts.ts';

const texts = defineTexts({
  en: {
    info: 'This channel was renamed. Links to its old name still work.',
    success: '3 people were invited. 1 already has an account.',
    warning: 'Your limit price is 6.2% above the market.',
    review: 'Review price',
    danger: 'The order was not placed: the market is halted for maintenance.',
    readOnly: 'This channel was archived on 12 Nov 2026. Nobody can write in it.',
    retry: 'Connect now',
    live: 'Live',
    reconnecting: 'Reconnecting 3 s',
    offline: 'Offline',
    replaying: 'Replaying 120 events',
    filter: 'channel: btcusdt',
    remove: 'Remove filter',
    upload: 'Uploading statement.pdf',
    reading: 'Marking 1,204 messages as read',
  },
  fa: {
    info: 'نام این کانال عوض شد. پیوندهای نام پیشین همچنان کار می‌کنند.',
    success: '۳ نفر دعوت شدند. ۱ نفر از پیش حساب دارد.',
    warning: 'قیمت محدود شما ۶٫۲٪ بالاتر از بازار است.',
    review: 'بازبینی قیمت',
    danger: 'سفارش ثبت نشد: بازار برای نگهداری متوقف است.',
    readOnly: 'این کانال در ۲۱ آبان ۱۴۰۵ بایگانی شد. کسی نمی‌تواند در آن بنویسد.',
    retry: 'اتصال دوباره',
    live: 'زنده',
    reconnecting: 'اتصال دوباره ۳ ث',
    offline: 'آفلاین',
    replaying: 'بازپخش ۱۲۰ رویداد',
    filter: 'کانال: btcusdt',
    remove: 'برداشتن صافی',
    upload: 'بارگذاری statement.pdf',
    reading: 'خوانده کردن ۱٬۲۰۴ پیام',
  },
});

/** Fixed, so that two pictures of the gallery are alike. */
const NOW = Date.parse('2026-11-16T10:02:00Z');

export function Notices() {
  const t = useTexts(texts);
  const { button: opener } = useOpener('dialog');
  return (
    <Section name="notices" title={useTexts(titles).notices}>
      <div className="flex flex-col gap-2">
        <Banner onDismiss={() => undefined}>{t.info}</Banner>
        <Banner tone="success">{t.success}</Banner>
        <Banner tone="warning" action={<Button size="small">{t.review}</Button>}>
          {t.warning}
        </Banner>
        <Banner tone="danger">{t.danger}</Banner>
        <OfflineBanner
          since={NOW - 5 * 60_000}
          now={NOW}
          action={
            <Button size="small" icon="refresh">
              {t.retry}
            </Button>
          }
        />
        <ReadOnlyNotice>{t.readOnly}</ReadOnlyNotice>
      </div>
      <Row>
        <Pill tone="good" icon="check" opener={opener}>
          {t.live}
        </Pill>
        <Pill tone="warning" icon="busy" opener={opener}>
          {t.reconnecting}
        </Pill>
        <Pill tone="danger" icon="offline" opener={opener}>
          {t.offline}
        </Pill>
        <Pill icon="refresh">{t.replaying}</Pill>
        <Pill onRemove={() => undefined} removeLabel={t.remove}>
          {t.filter}
        </Pill>
      </Row>
      <Columns>
        <ProgressBar label={t.upload} percent={64} />
        <ProgressBar label={t.reading} />
      </Columns>
    </Section>
  );
}
