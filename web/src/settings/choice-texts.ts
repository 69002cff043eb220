import { defineTexts } from '../i18n/texts.ts';

export const choiceTexts = defineTexts({
  en: {
    theme: 'Theme',
    system: 'As the device',
    dark: 'Dark',
    light: 'Light',
    language: 'Language',
  },
  fa: { theme: 'پوسته', system: 'مانند دستگاه', dark: 'تیره', light: 'روشن', language: 'زبان' },
});
