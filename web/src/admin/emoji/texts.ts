import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    about:
      'Pictures of the organization that are used like emoji: :name: in messages, and as reactions.',
    name: 'Name',
    nameHelp: 'Small Latin letters, digits and underscores.',
    nameWrong: 'Use small Latin letters, digits and underscores.',
    picture: 'Picture',
    choose: 'Choose a picture',
    notChosen: 'None chosen',
    pictureHelp: 'Square, PNG, GIF, JPEG or WebP.',
    add: 'Add emoji',
    remove: (v: { name: string }) => `Delete ${v.name}`,
    removeTitle: 'Delete emoji',
    removeWhat: 'Nobody can use it any more. Messages that have it keep it.',
    none: 'There are no custom emoji.',
    notSaved: 'The emoji was not added.',
    notRemoved: 'The emoji was not deleted.',
    by: (v: { name: string }) => `by ${v.name}`,
  },
  fa: {
    about:
      'تصویرهای سازمان که مانند شکلک به کار می‌روند: \u2066:name:\u2069 در پیام، و به‌عنوان واکنش.',
    name: 'نام',
    nameHelp: 'حرف کوچک لاتین، رقم و زیرخط.',
    nameWrong: 'حرف کوچک لاتین، رقم و زیرخط به کار ببرید.',
    picture: 'تصویر',
    choose: 'انتخاب تصویر',
    notChosen: 'انتخاب نشده',
    pictureHelp: 'مربع؛ PNG، GIF، JPEG یا WebP.',
    add: 'افزودن شکلک',
    remove: (v) => `حذف ${v.name}`,
    removeTitle: 'حذف شکلک',
    removeWhat: 'دیگر کسی نمی‌تواند آن را به کار ببرد. پیام‌هایی که آن را دارند نگهش می‌دارند.',
    none: 'شکلکی از سازمان نیست.',
    notSaved: 'شکلک افزوده نشد.',
    notRemoved: 'شکلک حذف نشد.',
    by: (v) => `از ${v.name}`,
  },
});
