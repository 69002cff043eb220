import { useState } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { Button } from '../button.tsx';
import { EmptyState } from '../empty-state.tsx';
import { ErrorState } from '../error-state.tsx';
import { Skeleton, SkeletonGroup } from '../skeleton.tsx';
import { NoPermission } from '../states.tsx';
import { Section } from './section.tsx';
import { texts as titles } from './texts.ts';

const texts = defineTexts({
  en: {
    empty: 'You are all caught up. Browse channels or start a conversation.',
    browse: 'Browse channels',
    what: 'The messages could not be loaded',
    why: 'The server did not answer within 10 seconds. Check your connection, then try again.',
    slow: 'Too many searches',
    slowWhy: 'The limit is 10 searches per minute.',
    rule: 'Only members of Desk can see this channel.',
    who: 'an administrator',
    ask: 'Ask for access',
  },
  fa: {
    empty: 'همه چیز را خوانده‌اید. کانال‌ها را مرور کنید یا گفت‌وگویی آغاز کنید.',
    browse: 'مرور کانال‌ها',
    what: 'پیام‌ها بارگیری نشدند',
    why: 'سرور تا ۱۰ ثانیه پاسخ نداد. اتصال خود را بررسی کنید و دوباره تلاش کنید.',
    slow: 'شمار جست‌وجوها زیاد است',
    slowWhy: 'سقف ۱۰ جست‌وجو در دقیقه است.',
    rule: 'تنها اعضای میز این کانال را می‌بینند.',
    who: 'یک مدیر',
    ask: 'درخواست دسترسی',
  },
});

export function States() {
  const t = useTexts(texts);
  const [waitUntil] = useState(() => Date.now() + 40_000);
  const box = 'rounded-control border border-line';
  return (
    <Section name="states" title={useTexts(titles).states}>
      <div className="grid gap-4 tablet:grid-cols-2">
        <div className={box}>
          <EmptyState icon="inbox" action={<Button>{t.browse}</Button>}>
            {t.empty}
          </EmptyState>
        </div>
        <div className={box}>
          <ErrorState what={t.what} why={t.why} onRetry={() => undefined} reference="7f3a-91c2" />
        </div>
        <div className={box}>
          <NoPermission rule={t.rule} who={t.who} action={<Button>{t.ask}</Button>} />
        </div>
        <div className={box}>
          <ErrorState
            what={t.slow}
            why={t.slowWhy}
            onRetry={() => undefined}
            waitUntil={waitUntil}
            reference="a04e-77d1"
          />
        </div>
        <div className={`${box} p-4`}>
          <SkeletonGroup>
            {['w-3/4', 'w-1/2', 'w-2/3'].map((width) => (
              <div key={width} className="flex gap-3 py-2">
                <Skeleton className="size-9" isRound />
                <div className="flex flex-1 flex-col gap-2 pt-1">
                  <Skeleton className="h-3.5 w-28" />
                  <Skeleton className={`h-3.5 ${width}`} />
                </div>
              </div>
            ))}
          </SkeletonGroup>
        </div>
      </div>
    </Section>
  );
}
