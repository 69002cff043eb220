import { defineTexts, type WriteCount } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    create: 'Create group',
    name: 'Name',
    description: 'Description',
    members: 'Members',
    subgroups: 'Groups inside it',
    noSubgroups: 'There is no other group to put inside.',
    counts: (v: { people: number; groups: number }, n: WriteCount) =>
      v.groups === 0
        ? `${n(v.people)} people`
        : `${n(v.people)} people, ${n(v.groups)} groups inside`,
    all: (v: { count: number }, n: WriteCount) =>
      `${n(v.count)} people in all, through the groups inside too.`,
    none: 'There are no groups yet. A group can be mentioned at once and have permissions.',
    edit: (v: { name: string }) => `Change ${v.name}`,
    editTitle: 'Change group',
    save: 'Save changes',
    cancel: 'Cancel',
    nameMissing: 'A group needs a name.',
    notSaved: 'The group was not saved.',
    saved: 'Group saved.',
    deactivate: 'Deactivate group',
    deactivateWhat:
      'It can no longer be mentioned or have permissions. Its members stay in the organization. A group that still decides a permission cannot be deactivated; the answer then says where it is used.',
    notDeactivated: 'The group was not deactivated.',
    can_mention_group: 'Who can mention it',
    can_join_group: 'Who can join by themselves',
    can_leave_group: 'Who can leave by themselves',
    can_add_members_group: 'Who can add members',
    can_remove_members_group: 'Who can remove members',
    can_manage_group: 'Who can change the group',
    permissions: 'Permissions',
  },
  fa: {
    create: 'ساختن گروه',
    name: 'نام',
    description: 'توضیح',
    members: 'اعضا',
    subgroups: 'گروه‌های درون آن',
    noSubgroups: 'گروه دیگری نیست که درون آن بگذارید.',
    counts: (v, n) =>
      v.groups === 0 ? `${n(v.people)} نفر` : `${n(v.people)} نفر، ${n(v.groups)} گروه درون آن`,
    all: (v, n) => `روی هم ${n(v.count)} نفر، با گروه‌های درون آن.`,
    none: 'هنوز گروهی نیست. از یک گروه می‌توان یک‌جا نام برد و به آن اجازه داد.',
    edit: (v) => `تغییر ${v.name}`,
    editTitle: 'تغییر گروه',
    save: 'ذخیرهٔ تغییرها',
    cancel: 'لغو',
    nameMissing: 'گروه باید نام داشته باشد.',
    notSaved: 'گروه ذخیره نشد.',
    saved: 'گروه ذخیره شد.',
    deactivate: 'غیرفعال کردن گروه',
    deactivateWhat:
      'دیگر نمی‌توان از آن نام برد یا به آن اجازه داد. اعضایش در سازمان می‌مانند. گروهی که هنوز اجازه‌ای به آن وابسته است غیرفعال نمی‌شود؛ پاسخ می‌گوید کجا به کار رفته است.',
    notDeactivated: 'گروه غیرفعال نشد.',
    can_mention_group: 'چه کسی از آن نام می‌برد',
    can_join_group: 'چه کسی خودش می‌پیوندد',
    can_leave_group: 'چه کسی خودش ترک می‌کند',
    can_add_members_group: 'چه کسی عضو می‌افزاید',
    can_remove_members_group: 'چه کسی عضو برمی‌دارد',
    can_manage_group: 'چه کسی گروه را تغییر می‌دهد',
    permissions: 'اجازه‌ها',
  },
});
