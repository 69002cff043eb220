import { defineTexts } from '../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    network: 'Network',
    networkMatters:
      'Both sides must use the same network. Coins that are sent on another one are lost.',
    paused: 'Paused now',
    noTransaction: 'None yet',
    openTransaction: (v: { id: string }) => `Open the transaction ${v.id} in an explorer`,
    copyTransaction: 'Copy the id of the transaction',
  },
  fa: {
    network: 'شبکه',
    networkMatters:
      'دو طرف باید از یک شبکه استفاده کنند. ارزی که روی شبکهٔ دیگری فرستاده شود از دست می‌رود.',
    paused: 'فعلاً متوقف است',
    noTransaction: 'هنوز ندارد',
    openTransaction: (v: { id: string }) => `باز کردن تراکنش ${v.id} در کاوشگر`,
    copyTransaction: 'رونوشت شناسهٔ تراکنش',
  },
});
