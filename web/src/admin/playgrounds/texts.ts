import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    about:
      'A code playground opens a code block of a language on another site. Readers choose to go there.',
    name: 'Name',
    language: 'Language',
    languageHelp: 'As it stands after the three backticks: python, rust.',
    template: 'Address',
    templateHelp: 'With {code} where the code goes: https://play.example/?code={code}',
    templateWrong: 'The address needs {code} in it.',
    add: 'Add playground',
    remove: 'Delete playground',
    none: 'There are no playgrounds.',
    notSaved: 'The playground was not added.',
    notRemoved: 'The playground was not deleted.',
  },
  fa: {
    about:
      'زمین بازی کد، تکه‌کد یک زبان را در سایت دیگری باز می‌کند. خواننده خودش می‌خواهد که برود.',
    name: 'نام',
    language: 'زبان',
    languageHelp: 'همان که پس از سه بک‌تیک می‌آید: python، rust.',
    template: 'نشانی',
    templateHelp: 'با \u2066{code}\u2069 در جای کد: \u2066https://play.example/?code={code}\u2069',
    templateWrong: 'نشانی باید \u2066{code}\u2069 داشته باشد.',
    add: 'افزودن زمین بازی',
    remove: 'حذف زمین بازی',
    none: 'زمین بازی‌ای نیست.',
    notSaved: 'زمین بازی افزوده نشد.',
    notRemoved: 'زمین بازی حذف نشد.',
  },
});
