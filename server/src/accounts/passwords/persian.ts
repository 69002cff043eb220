// Common Persian words that the English dictionaries lack, in both scripts, and the layout of
// Persian keyboards. A common password typed with the other layout is as common as before.

export const PERSIAN_WORDS: readonly string[] = `
  salam khoda khodaya iran tehran esfahan shiraz mashhad tabriz mohammad mohamad hossein hosein hasan reza
  alireza mehdi mahdi fatemeh zahra maryam sara narges parisa mamad asghar akbar persepolis perspolis
  esteghlal khalij fars parsi farsi azadi eshgh eshghe asheghetam dooset doostat doset daram azizam jigar
  khodafez khodahafez merci mersi bahar golnaz setareh mahtab aseman ramz ramze gozarvazheh karbar modir
  sherkat pool dollar toman
  سلام خدا خدایا ایران تهران اصفهان شیراز مشهد تبریز محمد علی حسین حسن رضا علیرضا مهدی فاطمه زهرا مریم سارا
  نرگس پریسا پرسپولیس استقلال خلیج فارس پارسی فارسی آزادی عشق عاشقتم دوستت دارم عزیزم خداحافظ مرسی بهار
  ستاره مهتاب آسمان رمز گذرواژه کاربر مدیر شرکت پول دلار تومان رمزعبور پسورد
`
  .trim()
  .split(/\s+/);

const PERSIAN_KEYS = 'ضصثقفغعهخحجچشسیبلاتنمکگظطزرذدئوپ۰۱۲۳۴۵۶۷۸۹';
const LATIN_KEYS = "qwertyuiop[]asdfghjkl;'zxcvbnm,\\0123456789";

const KEYS: ReadonlyMap<string, string> = new Map(
  Array.from(PERSIAN_KEYS, (key, index): [string, string] => [key, LATIN_KEYS[index] ?? key]),
);

/** The same keys on a Latin keyboard; undefined for a text without Persian letters. */
export function onLatinKeys(text: string): string | undefined {
  const typed = Array.from(text, (key) => KEYS.get(key) ?? key).join('');
  return typed === text ? undefined : typed;
}
