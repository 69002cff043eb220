import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

type Named = { name: string };

export const texts = defineTexts({
  en: {
    title: 'Channel folders',
    about:
      'Folders group channels in the navigation. They give no rights. A channel is put into one on its own page.',
    create: 'Create folder',
    none: 'There are no folders yet. Channels stand in one list.',
    channels: (v: { count: number }, n: WriteCount) =>
      plural('en', v.count, { one: '1 channel', other: `${n(v.count)} channels` }),
    up: (v: Named) => `Move ${v.name} up`,
    down: (v: Named) => `Move ${v.name} down`,
    edit: (v: Named) => `Change ${v.name}`,
    archive: (v: Named) => `Archive ${v.name}`,
    archiveAct: 'Archive folder',
    archiveWhat: 'Only a folder without channels can be archived. It can be brought back.',
    archived: (v: { count: number }, n: WriteCount) => `Archived folders: ${n(v.count)}`,
    bringBack: 'Bring back',
    notArchived: 'The folder was not changed.',
    notMoved: 'The order was not changed.',
    name: 'Name',
    description: 'Description',
    nameMissing: 'A folder needs a name.',
    notSaved: 'The folder was not saved.',
    save: 'Save folder',
    cancel: 'Cancel',
  },
  fa: {
    title: 'پوشه‌های کانال',
    about:
      'پوشه‌ها کانال‌ها را در فهرست کنار هم می‌آورند و اجازه‌ای نمی‌دهند. هر کانال در صفحهٔ خودش به پوشه می‌رود.',
    create: 'ساختن پوشه',
    none: 'هنوز پوشه‌ای نیست. کانال‌ها در یک فهرست‌اند.',
    channels: (v, n) => `${n(v.count)} کانال`,
    up: (v) => `بالا بردن ${v.name}`,
    down: (v) => `پایین بردن ${v.name}`,
    edit: (v) => `تغییر ${v.name}`,
    archive: (v) => `بایگانی ${v.name}`,
    archiveAct: 'بایگانی پوشه',
    archiveWhat: 'فقط پوشهٔ بدون کانال بایگانی می‌شود. می‌توان آن را برگرداند.',
    archived: (v, n) => `پوشه‌های بایگانی‌شده: ${n(v.count)}`,
    bringBack: 'برگرداندن',
    notArchived: 'پوشه تغییر نکرد.',
    notMoved: 'ترتیب تغییر نکرد.',
    name: 'نام',
    description: 'توضیح',
    nameMissing: 'پوشه باید نام داشته باشد.',
    notSaved: 'پوشه ذخیره نشد.',
    save: 'ذخیرهٔ پوشه',
    cancel: 'لغو',
  },
});
