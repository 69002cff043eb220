// Forty messages as people of two languages write them, and the side at which each of their blocks begins. A line that
// has another direction than the one above it counts as a block.

type Side = 'ltr' | 'rtl';

export interface Directed {
  readonly text: string;
  /** `null`: nothing in the block says so; it follows the page. */
  readonly sides: readonly (Side | null)[];
}

const directed = (text: string, ...sides: readonly (Side | null)[]): Directed => ({ text, sides });

export const DIRECTED: readonly Directed[] = [
  // Whole messages in one language.
  directed('Is the 64k wall real?', 'ltr'),
  directed('دیوار ۶۴ هزار واقعی است؟', 'rtl'),
  directed('قیمت رفت بالا.\n\nPulled twice this morning.', 'rtl', 'ltr'),
  directed('שלום לכולם', 'rtl'),
  directed('Привет всем', 'ltr'),
  // The first word misleads.
  directed('BTC امروز سه درصد بالا رفت و همه خوشحال‌اند', 'rtl'),
  directed('API key را در تنظیمات بسازید، بعد دوباره امتحان کنید', 'rtl'),
  directed('OK، فردا صبح انجام می‌دهم', 'rtl'),
  directed('سلام everyone, the meeting is moved to Thursday afternoon', 'rtl'),
  directed('PR شمارهٔ ۱۲ را ببینید', 'rtl'),
  directed('I said سلام and they laughed about it', 'ltr'),
  directed('Reza (رضا کریمی) will join the call today', 'ltr'),
  // Names do not count.
  directed('@**Ada Lovelace** سلام', 'rtl'),
  directed('@**Ada Lovelace** hello', 'ltr'),
  directed('سلام @**Ada Lovelace** لطفاً ببین', 'rtl'),
  directed('@**Ada Lovelace**', 'ltr'),
  directed('#**general** را باز کن', 'rtl'),
  directed('#**دانش** has the notes', 'ltr'),
  directed('#**دانش**', 'rtl'),
  directed('@*devs* جلسه شروع شد', 'rtl'),
  // Neither do code, formulas and addresses.
  directed('`npm ci` را اجرا کن', 'rtl'),
  directed('`سلام` is printed', 'ltr'),
  directed('https://example.com/a/b را ببین', 'rtl'),
  directed('https://example.com/a/b', 'ltr'),
  directed('[این صفحه](https://example.com)', 'rtl'),
  directed('$$x^2$$ را حساب کن', 'rtl'),
  // Digits and signs have no direction.
  directed('12345', null),
  directed('۱۲۳۴۵', null),
  directed(':smile:', null),
  directed('+98 21 1234 تماس بگیرید', 'rtl'),
  directed('64,210.50 USDT خریدم با کارمزد کم', 'rtl'),
  directed('... and then it stopped', 'ltr'),
  // Lines of one paragraph.
  directed('سلام به همه\nhello everybody', 'rtl', 'ltr'),
  directed('first line\nsecond line', 'ltr'),
  directed('خط اول\nخط دوم', 'rtl'),
  // Lists, quotes, headings and tables.
  directed('* اولین مورد\n* second item\n* سومین مورد', 'rtl', 'ltr', 'rtl'),
  directed('> نقل قول فارسی\n\nand my answer to it', 'rtl', 'ltr'),
  directed('# گزارش هفتگی\nAll is well.', 'rtl', 'ltr'),
  directed(
    '| نام | Price |\n| --- | --- |\n| بیت‌کوین | 64,210 تومان |',
    'rtl',
    'ltr',
    'rtl',
    'rtl',
  ),
  directed('```spoiler پایان فیلم\nHe was a ghost.\n```', 'rtl', 'ltr'),
];
