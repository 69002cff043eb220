import { useState } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { Button } from '../button.tsx';
import { IconButton } from '../icon-button.tsx';
import { Tooltip } from '../tooltip.tsx';
import { Row, Section } from './section.tsx';
import { texts as titles } from './texts.ts';

const texts = defineTexts({
  en: {
    send: 'Send message',
    cancel: 'Cancel',
    browse: 'Browse channels',
    remove: 'Delete channel',
    buy: 'Buy 0.500 BTC',
    sell: 'Sell 0.500 BTC',
    star: 'Star message',
    search: 'Search',
    more: 'More acts',
    back: 'Back',
    wait: 'Resend code',
  },
  fa: {
    send: 'فرستادن پیام',
    cancel: 'انصراف',
    browse: 'مرور کانال‌ها',
    remove: 'حذف کانال',
    buy: 'خرید ۰٫۵۰۰ BTC',
    sell: 'فروش ۰٫۵۰۰ BTC',
    star: 'ستاره‌دار کردن پیام',
    search: 'جست‌وجو',
    more: 'کارهای بیشتر',
    back: 'بازگشت',
    wait: 'ارسال دوبارهٔ کد',
  },
});

export function Buttons() {
  const t = useTexts(texts);
  const [isStarred, setStarred] = useState(true);
  const [waitUntil] = useState(() => Date.now() + 45_000);
  return (
    <Section name="buttons" title={useTexts(titles).buttons}>
      <Row>
        <Button variant="primary" icon="send">
          {t.send}
        </Button>
        <Button>{t.browse}</Button>
        <Button variant="quiet">{t.cancel}</Button>
        <Button variant="danger" icon="trash">
          {t.remove}
        </Button>
        <Button variant="buy">{t.buy}</Button>
        <Button variant="sell">{t.sell}</Button>
      </Row>
      <Row>
        <Button variant="primary" isPending>
          {t.send}
        </Button>
        <Button isPending>{t.browse}</Button>
        <Button variant="primary" isDisabled>
          {t.send}
        </Button>
        <Button isDisabled>{t.browse}</Button>
        <Button waitUntil={waitUntil}>{t.wait}</Button>
      </Row>
      <Row>
        <Button variant="primary" size="small">
          {t.send}
        </Button>
        <Button size="small">{t.browse}</Button>
        <Button size="small" variant="quiet" icon="filter">
          {t.search}
        </Button>
        <Tooltip text={t.search} keys="Ctrl+K">
          <IconButton icon="search" label={t.search} />
        </Tooltip>
        <IconButton icon="back" label={t.back} />
        <IconButton
          icon={isStarred ? 'starred' : 'star'}
          label={t.star}
          isOn={isStarred}
          onPress={() => setStarred(!isStarred)}
        />
        <IconButton icon="more" label={t.more} size="small" />
        <IconButton icon="bell" label={t.more} isDisabled />
      </Row>
    </Section>
  );
}
