import { useState } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { Icon } from '../icon.tsx';
import { NumberField } from '../number-field.tsx';
import { Select } from '../select.tsx';
import { TextArea } from '../text-area.tsx';
import { TextField } from '../text-field.tsx';
import { Columns, Section } from './section.tsx';
import { texts as titles } from './texts.ts';

const texts = defineTexts({
  en: {
    name: 'Display name',
    nameNote: 'Shown beside your messages.',
    sara: 'Sara Karimi',
    email: 'E-mail',
    search: 'Search',
    searchHere: 'Search channels',
    channel: 'Channel name',
    taken: 'A channel named btcusdt exists. Choose another name.',
    fixed: 'Organization',
    off: 'Referral code',
    price: 'Price',
    amount: 'Amount',
    amountError: 'Amount has 9 decimals. This market allows 6.',
    comma: 'With a comma that may be decimal',
    letters: 'With letters',
    about: 'About you',
    aboutNote: 'Two lines at most.',
    aboutText: 'OTC desk, Tehran.\nReach me in the morning.',
    type: 'Order type',
    limit: 'Limit',
    limitNote: 'At your price or better',
    market: 'Market',
    marketNote: 'At once, at the best prices',
    stop: 'Stop',
    zone: 'Time zone',
    choose: 'Choose a zone',
  },
  fa: {
    name: 'نام نمایشی',
    nameNote: 'کنار پیام‌های شما دیده می‌شود.',
    sara: 'سارا کریمی',
    email: 'رایانامه',
    search: 'جست‌وجو',
    searchHere: 'جست‌وجوی کانال‌ها',
    channel: 'نام کانال',
    taken: 'کانالی با نام btcusdt وجود دارد. نام دیگری برگزینید.',
    fixed: 'سازمان',
    off: 'کد معرف',
    price: 'قیمت',
    amount: 'مقدار',
    amountError: 'مقدار ۹ رقم اعشار دارد. این بازار ۶ رقم می‌پذیرد.',
    comma: 'با ویرگولی که شاید اعشار باشد',
    letters: 'با حروف',
    about: 'دربارهٔ شما',
    aboutNote: 'حداکثر دو سطر.',
    aboutText: 'میز معاملات خارج از بورس، تهران.\nصبح‌ها در دسترس هستم.',
    type: 'نوع سفارش',
    limit: 'محدود',
    limitNote: 'به قیمت شما یا بهتر',
    market: 'بازار',
    marketNote: 'بی‌درنگ، به بهترین قیمت‌ها',
    stop: 'حد توقف',
    zone: 'منطقهٔ زمانی',
    choose: 'منطقه‌ای برگزینید',
  },
});

/** A field that opens with a text that somebody typed. */
function Typed({ label, text, unit }: { label: string; text: string; unit: string }) {
  const [value, setValue] = useState('');
  const [first, setFirst] = useState(true);
  return (
    <div
      ref={(box) => {
        const input = box?.querySelector('input');
        if (!first || input === null || input === undefined) return;
        setFirst(false);
        // As a person would: through the input's own setter, so that React hears of it.
        Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(
          input,
          text,
        );
        input.dispatchEvent(new Event('input', { bubbles: true }));
      }}
    >
      <NumberField label={label} value={value} onChange={setValue} unit={unit} />
    </div>
  );
}

export function Fields() {
  const t = useTexts(texts);
  const [price, setPrice] = useState('64210.5');
  const [amount, setAmount] = useState('0.123456789');
  const [type, setType] = useState<'limit' | 'market' | 'stop'>('limit');
  return (
    <Section name="fields" title={useTexts(titles).fields}>
      <Columns>
        <TextField label={t.name} defaultValue={t.sara} description={t.nameNote} isRequired />
        <TextField label={t.email} type="email" defaultValue="sara@example.org" isLatin />
        <TextField
          label={t.search}
          type="search"
          placeholder={t.searchHere}
          start={<Icon name="search" className="size-4.5" />}
        />
        <TextField label={t.channel} defaultValue="btcusdt" error={t.taken} />
        <TextField label={t.fixed} defaultValue="Rialto" isReadOnly />
        <TextField label={t.off} defaultValue="A1B2" isDisabled />
        <NumberField label={t.price} value={price} onChange={setPrice} unit="USDT" />
        <NumberField
          label={t.amount}
          value={amount}
          onChange={setAmount}
          unit="BTC"
          error={amount.length > 8 ? t.amountError : undefined}
        />
        <Select
          label={t.type}
          value={type}
          onChange={setType}
          choices={[
            { value: 'limit', label: t.limit, description: t.limitNote },
            { value: 'market', label: t.market, description: t.marketNote },
            { value: 'stop', label: t.stop, isDisabled: true },
          ]}
        />
        <Typed label={t.comma} text="1,500" unit="USDT" />
        <Typed label={t.letters} text="10k" unit="USDT" />
        <Select
          label={t.zone}
          value={null}
          onChange={() => undefined}
          placeholder={t.choose}
          choices={[{ value: 'utc', label: 'UTC' }]}
        />
      </Columns>
      <TextArea label={t.about} defaultValue={t.aboutText} description={t.aboutNote} />
    </Section>
  );
}
