// The words of the pages of markets and coins, in both languages.
import type { Phase } from '../../trading/markets/market.ts';
import type { NetworkStatus } from '../../trading/coins/coin.ts';
import type { Sort } from './choose.ts';

interface Texts {
  readonly markets: string;
  readonly reserves: string;
  readonly about: (organization: string) => string;
  readonly other: string;
  readonly home: string;
  readonly signIn: string;
  readonly documentation: string;
  readonly navigation: string;
  readonly search: string;
  readonly searchHint: string;
  readonly sort: string;
  readonly sorts: Readonly<Record<Sort, string>>;
  readonly show: string;
  readonly all: string;
  readonly quotes: string;
  readonly count: (count: number, total: number) => string;
  readonly market: string;
  readonly last: string;
  readonly change: string;
  readonly high: string;
  readonly low: string;
  readonly volume: string;
  readonly day: string;
  readonly phases: Readonly<Record<Phase, string>>;
  readonly nothing: string;
  readonly nothingFound: (search: string) => string;
  readonly showAll: string;
  readonly coin: (name: string) => string;
  readonly aboutCoin: (name: string) => string;
  readonly networks: string;
  readonly noNetworks: string;
  readonly mainNetwork: string;
  readonly deposit: string;
  readonly withdrawal: string;
  readonly statuses: Readonly<Record<NetworkStatus, string>>;
  readonly depositFee: string;
  readonly withdrawFee: string;
  readonly minimumDeposit: string;
  readonly minimumWithdraw: string;
  readonly confirmations: string;
  readonly precision: string;
  readonly memo: string;
  readonly memoNeeded: string;
  readonly memoNotNeeded: string;
  readonly contract: string;
  readonly tradedIn: string;
  readonly notTraded: string;
}

export const TEXTS: Readonly<Record<'en' | 'fa', Texts>> = {
  en: {
    markets: 'Markets',
    reserves: 'Reserves',
    about: (organization) => `Prices and volumes of every market of ${organization}.`,
    other: 'فارسی',
    home: 'Front page',
    signIn: 'Sign in',
    documentation: 'Docs',
    navigation: 'Pages',
    search: 'Search',
    searchHint: 'Symbol or name, in English or Persian',
    sort: 'Order by',
    sorts: { volume: 'Volume', change: 'Change', price: 'Price', name: 'Name' },
    show: 'Show',
    all: 'All',
    quotes: 'Traded against',
    count: (count, total) =>
      count === total
        ? `${total} ${total === 1 ? 'market' : 'markets'}`
        : `${count} of ${total} markets`,
    market: 'Market',
    last: 'Last price',
    change: '24 h change',
    high: '24 h high',
    low: '24 h low',
    volume: '24 h volume',
    day: '24 hours',
    phases: {
      pre_open: 'Not open yet',
      auction: 'Auction',
      post_only: 'Opening',
      continuous: 'Open',
      cancel_only: 'Closing',
      halted: 'Halted',
      delisted: 'Delisted',
    },
    nothing: 'There is no market here yet.',
    nothingFound: (search) => `No market matches “${search}”.`,
    showAll: 'Show all markets',
    coin: (name) => `${name}: networks, fees and minimums`,
    aboutCoin: (name) => `How to deposit and withdraw ${name}, and where it is traded.`,
    networks: 'Networks',
    noNetworks: 'This coin is on no network: it can be traded, but not deposited or withdrawn.',
    mainNetwork: 'default',
    deposit: 'Deposits',
    withdrawal: 'Withdrawals',
    statuses: { active: '✓ Open', paused: '⏸ Paused', disabled: '✕ Not offered' },
    depositFee: 'Deposit fee',
    withdrawFee: 'Withdrawal fee',
    minimumDeposit: 'Minimum deposit',
    minimumWithdraw: 'Minimum withdrawal',
    confirmations: 'Confirmations',
    precision: 'Decimals of a withdrawal',
    memo: 'Memo',
    memoNeeded: 'Required: without it a transfer cannot be credited',
    memoNotNeeded: 'Not needed',
    contract: 'Contract',
    tradedIn: 'Traded in',
    notTraded: 'No market trades this coin now.',
  },
  fa: {
    markets: 'بازارها',
    reserves: 'ذخایر',
    about: (organization) => `قیمت و حجم همهٔ بازارهای ${organization}.`,
    other: 'English',
    home: 'صفحهٔ نخست',
    signIn: 'ورود',
    documentation: 'راهنما',
    navigation: 'صفحه‌ها',
    search: 'جست‌وجو',
    searchHint: 'نماد یا نام، به فارسی یا انگلیسی',
    sort: 'ترتیب بر پایهٔ',
    sorts: { volume: 'حجم', change: 'تغییر', price: 'قیمت', name: 'نام' },
    show: 'نمایش',
    all: 'همه',
    quotes: 'در برابر',
    count: (count, total) =>
      count === total
        ? `${persian(total)} بازار`
        : `${persian(count)} بازار از ${persian(total)} بازار`,
    market: 'بازار',
    last: 'آخرین قیمت',
    change: 'تغییر ۲۴ ساعت',
    high: 'بیشترین ۲۴ ساعت',
    low: 'کمترین ۲۴ ساعت',
    volume: 'حجم ۲۴ ساعت',
    day: '۲۴ ساعت',
    phases: {
      pre_open: 'هنوز باز نشده',
      auction: 'حراج',
      post_only: 'در حال گشایش',
      continuous: 'باز',
      cancel_only: 'در حال بسته شدن',
      halted: 'متوقف',
      delisted: 'حذف‌شده',
    },
    nothing: 'اینجا هنوز بازاری نیست.',
    nothingFound: (search) => `هیچ بازاری با «${search}» پیدا نشد.`,
    showAll: 'نمایش همهٔ بازارها',
    coin: (name) => `${name}: شبکه‌ها، کارمزدها و کمینه‌ها`,
    aboutCoin: (name) => `واریز و برداشت ${name} و بازارهای آن.`,
    networks: 'شبکه‌ها',
    noNetworks: 'این رمزارز روی هیچ شبکه‌ای نیست: معامله می‌شود، اما واریز و برداشت ندارد.',
    mainNetwork: 'پیش‌فرض',
    deposit: 'واریز',
    withdrawal: 'برداشت',
    statuses: { active: '✓ باز', paused: '⏸ موقتاً بسته', disabled: '✕ ارائه نمی‌شود' },
    depositFee: 'کارمزد واریز',
    withdrawFee: 'کارمزد برداشت',
    minimumDeposit: 'کمینهٔ واریز',
    minimumWithdraw: 'کمینهٔ برداشت',
    confirmations: 'تعداد تأیید',
    precision: 'رقم‌های اعشار برداشت',
    memo: 'ممو',
    memoNeeded: 'لازم است: بدون آن واریز به حساب شما نمی‌نشیند',
    memoNotNeeded: 'لازم نیست',
    contract: 'قرارداد',
    tradedIn: 'بازارهای این رمزارز',
    notTraded: 'اکنون هیچ بازاری این رمزارز را معامله نمی‌کند.',
  },
};

const PERSIAN_NUMBER = new Intl.NumberFormat('fa');
const persian = (count: number): string => PERSIAN_NUMBER.format(count);
