import { useState } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { Amount, Change } from '../amount.tsx';
import { Avatar } from '../avatar.tsx';
import { Badge, CountBadge } from '../badge.tsx';
import { Button } from '../button.tsx';
import { Checkbox } from '../checkbox.tsx';
import { IconButton } from '../icon-button.tsx';
import { Icon } from '../icon.tsx';
import { NumberField } from '../number-field.tsx';
import { Pill } from '../pill.tsx';
import { RadioGroup } from '../radio-group.tsx';
import { texts as titles } from './texts.ts';

const texts = defineTexts({
  en: {
    sara: 'Sara Karimi',
    reza: 'Reza Ahmadi',
    topic: 'funding question',
    today: 'Today',
    m1: 'Is the 64k wall real?',
    m2: 'Pulled twice this morning. I would not lean on it.',
    m3: 'سلام، من هم همین را دیدم.',
    fresh: '1 new message',
    live: 'Live',
    buy: 'Buy',
    sell: 'Sell',
    side: 'Side',
    price: 'Price',
    amount: 'Amount',
    total: 'Total',
    fee: 'Fee, about',
    post: 'Post only',
    act: 'Buy 0.500 BTC',
    inbox: 'Inbox',
    recent: 'Recent conversations',
    mentions: 'Mentions',
    star: 'Star message',
    react: 'Add reaction',
    desk: 'Desk',
  },
  fa: {
    sara: 'سارا کریمی',
    reza: 'رضا احمدی',
    topic: 'پرسش دربارهٔ فاندینگ',
    today: 'امروز',
    m1: 'دیوار ۶۴ هزار واقعی است؟',
    m2: 'امروز صبح دو بار برداشته شد. من رویش حساب نمی‌کنم.',
    m3: 'Hello, I saw the same.',
    fresh: '۱ پیام تازه',
    live: 'زنده',
    buy: 'خرید',
    sell: 'فروش',
    side: 'سمت',
    price: 'قیمت',
    amount: 'مقدار',
    total: 'جمع',
    fee: 'کارمزد، حدود',
    post: 'فقط سفارش‌گذار',
    act: 'خرید ۰٫۵۰۰ BTC',
    inbox: 'صندوق ورودی',
    recent: 'گفت‌وگوهای اخیر',
    mentions: 'نام‌بردن‌ها',
    star: 'ستاره‌دار کردن پیام',
    react: 'افزودن واکنش',
    desk: 'میز',
  },
});

/** A conversation, a list and an order form, to judge the whole by. */
export function InUse() {
  const t = useTexts(texts);
  return (
    <section
      data-section="in-use"
      aria-label={useTexts(titles).inUse}
      className="grid gap-px overflow-hidden rounded-panel border border-line bg-line desktop:grid-cols-[13rem_1fr_18rem]"
    >
      <nav aria-label={t.inbox} className="flex flex-col gap-0.5 bg-panel p-2">
        <Item icon="inbox" title={t.inbox} count={8} isOpen />
        <Item icon="clock" title={t.recent} />
        <Item icon="at" title={t.mentions} count={2} />
        <p className="px-2.5 pt-3 pb-1 text-tiny font-semibold text-muted">{t.desk}</p>
        <Item icon="hash" title="otc-desk" count={5} />
        <Item icon="hash" title="btcusdt" count={1} />
        <Item icon="lock" title="treasury" />
      </nav>
      <Conversation />
      <Ticket />
    </section>
  );
}

function Item(props: {
  icon: 'inbox' | 'clock' | 'at' | 'hash' | 'lock';
  title: string;
  count?: number;
  isOpen?: boolean;
}) {
  const isOpen = props.isOpen === true;
  return (
    <a
      href="#in-use"
      {...(isOpen ? { 'aria-current': 'page' as const } : {})}
      className={`flex min-h-row items-center gap-2.5 rounded-control px-2.5 ${isOpen ? 'bg-selected font-medium text-text' : 'text-muted hover:bg-hover hover:text-text'}`}
    >
      <Icon name={props.icon} className="size-4.5" />
      <span className="min-w-0 flex-1 truncate">{props.title}</span>
      <CountBadge count={props.count ?? 0} />
    </a>
  );
}

function Conversation() {
  const t = useTexts(texts);
  return (
    <div className="flex min-w-0 flex-col bg-panel">
      <header className="flex min-h-12 flex-wrap items-center gap-2 border-b border-line px-4 py-1.5">
        <Icon name="hash" className="size-4.5 text-muted" />
        <span className="font-semibold">btcusdt</span>
        <Icon name="topic" className="size-4 text-muted" />
        <span className="min-w-0 truncate">{t.topic}</span>
        <span className="ms-auto flex items-center gap-3">
          <Amount value="64210.5" decimals={2} className="font-medium" />
          <Change value="1.24" />
          <Pill tone="good" icon="check">
            {t.live}
          </Pill>
        </span>
      </header>
      <div className="flex flex-col py-2">
        <div className="flex items-center gap-3 px-4 py-1 text-small text-muted">
          <span className="h-px flex-1 bg-line" />
          {t.today}
          <span className="h-px flex-1 bg-line" />
        </div>
        <Message id={2} name={t.reza} time="10:02" text={t.m1} />
        <Message id={1} name={t.sara} time="10:03" text={t.m2} isSelected />
        <div className="flex items-center gap-3 px-4 py-1 text-small font-medium text-accent">
          <span className="h-px flex-1 bg-accent" />
          {t.fresh}
          <span className="h-px flex-1 bg-accent" />
        </div>
        <Message id={7} name="Ada Lovelace" time="10:04" text={t.m3} role="Bot" />
      </div>
    </div>
  );
}

function Message(props: {
  id: number;
  name: string;
  time: string;
  text: string;
  role?: string;
  isSelected?: boolean;
}) {
  const t = useTexts(texts);
  return (
    <article
      className={`flex gap-3 px-4 py-1.5 ${props.isSelected === true ? 'bg-hover' : ''}`}
      aria-label={props.name}
    >
      <Avatar id={props.id} name={props.name} />
      <div className="min-w-0 flex-1">
        <div className="flex h-5 items-center gap-2">
          <bdi className="font-semibold">{props.name}</bdi>
          {props.role !== undefined && <Badge>{props.role}</Badge>}
          <time className="figures text-small text-muted">{props.time}</time>
          {props.isSelected === true && (
            <span className="ms-auto flex">
              <IconButton icon="emoji" label={t.react} size="small" />
              <IconButton icon="star" label={t.star} size="small" />
            </span>
          )}
        </div>
        <p dir="auto" className="text-message">
          {props.text}
        </p>
      </div>
    </article>
  );
}

function Ticket() {
  const t = useTexts(texts);
  const [side, setSide] = useState('buy');
  const [price, setPrice] = useState('64210.5');
  const [amount, setAmount] = useState('0.5');
  return (
    <div className="flex flex-col gap-3 bg-panel p-4">
      <RadioGroup
        label={t.side}
        isLabelHidden
        isWide
        look="segments"
        value={side}
        onChange={setSide}
        choices={[
          { value: 'buy', label: t.buy },
          { value: 'sell', label: t.sell },
        ]}
      />
      <NumberField label={t.price} value={price} onChange={setPrice} unit="USDT" />
      <NumberField label={t.amount} value={amount} onChange={setAmount} unit="BTC" />
      <div className="grid grid-cols-4 gap-1.5">
        {['25', '50', '75', '100'].map((part) => (
          <Button key={part} size="small">
            <Amount value={part} unit="%" />
          </Button>
        ))}
      </div>
      <dl className="grid grid-cols-2 gap-y-1">
        <dt className="text-muted">{t.total}</dt>
        <dd className="text-end">
          <Amount value="32105.25" decimals={2} unit="USDT" />
        </dd>
        <dt className="text-muted">{t.fee}</dt>
        <dd className="text-end">
          <Amount value="32.11" decimals={2} unit="USDT" />
        </dd>
      </dl>
      <Checkbox>{t.post}</Checkbox>
      <Button variant={side === 'sell' ? 'sell' : 'buy'}>{t.act}</Button>
    </div>
  );
}
