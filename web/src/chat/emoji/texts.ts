import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: { search: 'Find an emoji', grid: 'Emoji', none: 'No emoji has this name.' },
  fa: { search: 'جست‌وجوی شکلک', grid: 'شکلک‌ها', none: 'شکلکی با این نام نیست.' },
});
