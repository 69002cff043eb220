import { plural } from '../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

type Named = { name: string };

export const texts = defineTexts({
  en: {
    organization: 'Whole organization',
    organizationNote:
      'Older messages are deleted for good, in channels without a rule of their own and in direct conversations.',
    save: 'Save rule',
    channels: 'Channels with a rule of their own',
    channelsNote: 'The rule of a channel counts instead of the one above.',
    noRules: 'No channel has a rule of its own.',
    forever: 'For ever',
    days: (v: { count: number }, n: WriteCount) =>
      plural('en', v.count, { one: '1 day', other: `${n(v.count)} days` }),
    change: 'Change',
    changeOf: (v: Named) => `Change the rule of ${v.name}`,
    channel: 'Rule of a channel',
    chooseChannel: 'Choose a channel',
    saveOf: (v: Named) => `Save rule of ${v.name}`,
    saved: (v: Named) => `The rule of ${v.name} is saved.`,
    notSaved: 'The rule was not saved.',
  },
  fa: {
    organization: 'همهٔ سازمان',
    organizationNote:
      'پیام‌های قدیمی‌تر برای همیشه حذف می‌شوند، در کانال‌هایی که قاعدهٔ خود را ندارند و در گفت‌وگوهای مستقیم.',
    save: 'ذخیرهٔ قاعده',
    channels: 'کانال‌های دارای قاعدهٔ خود',
    channelsNote: 'قاعدهٔ کانال به جای قاعدهٔ بالا به کار می‌رود.',
    noRules: 'هیچ کانالی قاعدهٔ خود را ندارد.',
    forever: 'برای همیشه',
    days: (v, n) => `${n(v.count)} روز`,
    change: 'تغییر',
    changeOf: (v) => `تغییر قاعدهٔ ${v.name}`,
    channel: 'قاعدهٔ یک کانال',
    chooseChannel: 'کانالی برگزینید',
    saveOf: (v) => `ذخیرهٔ قاعدهٔ ${v.name}`,
    saved: (v) => `قاعدهٔ ${v.name} ذخیره شد.`,
    notSaved: 'قاعده ذخیره نشد.',
  },
});
