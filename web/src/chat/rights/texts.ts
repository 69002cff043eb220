import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    'role:internet': 'Everybody on the internet',
    'role:everyone': 'Everybody, guests included',
    'role:members': 'Members',
    'role:fullmembers': 'Members who are no longer new',
    'role:moderators': 'Moderators and above',
    'role:administrators': 'Administrators and owners',
    'role:owners': 'Owners',
    'role:nobody': 'Nobody',
    chosen: (v: { people: number; groups: number }, n: WriteCount) =>
      `Chosen by hand: ${n(v.people)} people, ${n(v.groups)} groups`,
    choose: 'Choose people and groups…',
    people: 'People',
    groups: 'Groups',
    take: 'Take these',
    cancel: 'Cancel',
  },
  fa: {
    'role:internet': 'همه در اینترنت',
    'role:everyone': 'همه، مهمانان هم',
    'role:members': 'اعضا',
    'role:fullmembers': 'اعضایی که دیگر تازه‌وارد نیستند',
    'role:moderators': 'ناظران و بالاتر',
    'role:administrators': 'مدیران و مالکان',
    'role:owners': 'مالکان',
    'role:nobody': 'هیچ‌کس',
    chosen: (v, n) => `برگزیدهٔ دستی: ${n(v.people)} نفر، ${n(v.groups)} گروه`,
    choose: 'برگزیدن افراد و گروه‌ها…',
    people: 'افراد',
    groups: 'گروه‌ها',
    take: 'همین‌ها',
    cancel: 'لغو',
  },
});
