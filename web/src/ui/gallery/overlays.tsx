import { lazy, Suspense, useState } from 'react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { Button } from '../button.tsx';
import { Menu, MenuItem, MenuLine, MenuSection, MenuTrigger } from '../menu.tsx';
import { DialogTrigger, Popover, PopoverDialog } from '../popover.tsx';
import { ShortcutList } from '../shortcuts/list.tsx';
import { createToasts, ToastRegion } from '../toast.tsx';
import { Row, Section } from './section.tsx';
import { texts as titles } from './texts.ts';

// As the client does it: what is opened later is loaded later.
const Dialog = lazy(() => import('../dialog.tsx').then((file) => ({ default: file.Dialog })));
const ConfirmDialog = lazy(() =>
  import('../confirm-dialog.tsx').then((file) => ({ default: file.ConfirmDialog })),
);

const texts = defineTexts({
  en: {
    openMenu: 'Message acts',
    reply: 'Reply',
    quote: 'Quote',
    link: 'Copy link to message',
    more: 'More',
    move: 'Move to another topic',
    history: 'View history',
    remove: 'Delete message',
    openDialog: 'Keyboard shortcuts',
    go: 'Go to',
    trade: 'Trade',
    markets: 'Markets',
    search: 'Search, jump, command',
    messages: 'Messages',
    next: 'Next message',
    openConfirm: 'Delete channel…',
    confirmTitle: 'Delete channel btcusdt',
    confirmText:
      'Its 1,204 messages are archived and nobody can write in it. This cannot be taken back.',
    act: 'Delete channel',
    openPopover: 'Connection',
    live: 'Live. The last event came 2 s ago.',
    toast: 'Show notice',
    toastText: 'Topic moved to #btcusdt.',
    undo: 'Undo',
  },
  fa: {
    openMenu: 'کارهای پیام',
    reply: 'پاسخ',
    quote: 'نقل قول',
    link: 'کپی پیوند پیام',
    more: 'بیشتر',
    move: 'بردن به موضوع دیگر',
    history: 'دیدن تاریخچه',
    remove: 'حذف پیام',
    openDialog: 'میان‌برهای صفحه‌کلید',
    go: 'رفتن به',
    trade: 'معامله',
    markets: 'بازارها',
    search: 'جست‌وجو، پرش، فرمان',
    messages: 'پیام‌ها',
    next: 'پیام بعدی',
    openConfirm: 'حذف کانال…',
    confirmTitle: 'حذف کانال btcusdt',
    confirmText:
      '۱٬۲۰۴ پیام آن بایگانی می‌شود و دیگر کسی نمی‌تواند در آن بنویسد. این کار بازگشت ندارد.',
    act: 'حذف کانال',
    openPopover: 'اتصال',
    live: 'زنده. آخرین رویداد ۲ ثانیه پیش رسید.',
    toast: 'نمایش اعلان',
    toastText: 'موضوع به #btcusdt منتقل شد.',
    undo: 'برگرداندن',
  },
});

export function Overlays() {
  const t = useTexts(texts);
  const [toasts] = useState(createToasts);
  const [isAsking, setAsking] = useState(false);
  const bindings = [
    { command: 'trade', keys: 'g t' },
    { command: 'markets', keys: 'g m' },
    { command: 'search', keys: 'Ctrl+K' },
    { command: 'search', keys: '/' },
    { command: 'next', keys: 'j' },
    { command: 'reply', keys: 'r' },
  ];
  return (
    <Section name="overlays" title={useTexts(titles).overlays}>
      <Row>
        <MenuTrigger>
          <Button icon="more">{t.openMenu}</Button>
          <Menu>
            <MenuItem icon="reply" keys="r">
              {t.reply}
            </MenuItem>
            <MenuItem icon="quote" keys=">">
              {t.quote}
            </MenuItem>
            <MenuItem icon="link">{t.link}</MenuItem>
            <MenuSection title={t.more}>
              <MenuItem icon="topic">{t.move}</MenuItem>
              <MenuItem icon="clock" isDisabled>
                {t.history}
              </MenuItem>
            </MenuSection>
            <MenuLine />
            <MenuItem icon="trash" isDanger>
              {t.remove}
            </MenuItem>
          </Menu>
        </MenuTrigger>
        <DialogTrigger>
          <Button icon="help">{t.openDialog}</Button>
          <Suspense>
            <Dialog title={t.openDialog}>
              <ShortcutList
                bindings={bindings}
                groups={[
                  {
                    title: t.go,
                    commands: [
                      { command: 'trade', name: t.trade },
                      { command: 'markets', name: t.markets },
                      { command: 'search', name: t.search },
                    ],
                  },
                  {
                    title: t.messages,
                    commands: [
                      { command: 'next', name: t.next },
                      { command: 'reply', name: t.reply },
                    ],
                  },
                ]}
              />
            </Dialog>
          </Suspense>
        </DialogTrigger>
        <Button icon="trash" onPress={() => setAsking(true)}>
          {t.openConfirm}
        </Button>
        <Suspense>
          <ConfirmDialog
            title={t.confirmTitle}
            act={t.act}
            mustType="btcusdt"
            isOpen={isAsking}
            onOpenChange={setAsking}
            onConfirm={() => setAsking(false)}
          >
            {t.confirmText}
          </ConfirmDialog>
        </Suspense>
        <DialogTrigger>
          <Button icon="info">{t.openPopover}</Button>
          <Popover className="p-3">
            <PopoverDialog aria-label={t.openPopover} className="outline-none">
              {t.live}
            </PopoverDialog>
          </Popover>
        </DialogTrigger>
        <Button
          icon="bell"
          onPress={() =>
            toasts.show({
              text: t.toastText,
              tone: 'success',
              action: { label: t.undo, onPress: () => undefined },
            })
          }
        >
          {t.toast}
        </Button>
      </Row>
      <ToastRegion toasts={toasts} />
    </Section>
  );
}
