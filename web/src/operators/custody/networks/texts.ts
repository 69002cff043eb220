import { plural } from '../../../i18n/plural.ts';
import { defineTexts, type WriteCount } from '../../../i18n/texts.ts';

export const texts = defineTexts({
  en: {
    networks: 'Networks',
    networksNote: 'On a paused network nothing is credited, and no payment begins.',
    network: 'Network',
    state: 'State',
    active: 'Runs',
    paused: 'Paused',
    why: 'Why',
    blocks: 'Blocks read',
    blocksOf: (v: { read: string; tip: string }) => `${v.read} of ${v.tip}`,
    behind: (v: { count: number }, n: WriteCount) =>
      v.count === 0
        ? 'up to date'
        : plural('en', v.count, { one: '1 block behind', other: `${n(v.count)} blocks behind` }),
    rescan: (v: { from: string }) => `reads again from ${v.from}`,
    tip: 'Newest block',
    acts: 'Acts',
    pause: 'Pause',
    resume: 'Resume',
    pauseOf: (v: { network: string }) => `Pause ${v.network}`,
    resumeOf: (v: { network: string }) => `Resume ${v.network}`,
    pauseWhy:
      'Deposits are recorded and credited later. Withdrawals are refused, and what is queued waits. What has been sent goes on.',
    resumeWhy:
      'Deposits that waited are credited, and queued withdrawals are paid. What the watcher finds wrong with the network still pauses it.',
    pausedNow: (v: { network: string }) => `${v.network} is paused.`,
    resumedNow: (v: { network: string }) => `The pause of ${v.network} has ended.`,
  },
  fa: {
    networks: 'شبکه‌ها',
    networksNote: 'روی شبکهٔ متوقف چیزی به حساب نمی‌نشیند و پرداختی آغاز نمی‌شود.',
    network: 'شبکه',
    state: 'وضعیت',
    active: 'در کار',
    paused: 'متوقف',
    why: 'چرا',
    blocks: 'بلوک‌های خوانده‌شده',
    blocksOf: (v) => `${v.read} از ${v.tip}`,
    behind: (v, n) => (v.count === 0 ? 'به‌روز' : `${n(v.count)} بلوک عقب`),
    rescan: (v) => `از ${v.from} دوباره خوانده می‌شود`,
    tip: 'تازه‌ترین بلوک',
    acts: 'کارها',
    pause: 'توقف',
    resume: 'ازسرگیری',
    pauseOf: (v) => `توقف ${v.network}`,
    resumeOf: (v) => `ازسرگیری ${v.network}`,
    pauseWhy:
      'واریزها ثبت می‌شوند و بعداً به حساب می‌نشینند. برداشت تازه پذیرفته نمی‌شود و آنچه در صف است می‌ماند. آنچه فرستاده شده ادامه می‌یابد.',
    resumeWhy:
      'واریزهای مانده به حساب می‌نشینند و برداشت‌های در صف پرداخت می‌شوند. اگر ناظر ایرادی در شبکه ببیند، همچنان متوقف می‌ماند.',
    pausedNow: (v) => `${v.network} متوقف شد.`,
    resumedNow: (v) => `توقف ${v.network} پایان یافت.`,
  },
});

/** Why a network is paused, by the word of the server. */
export const reasonTexts = defineTexts({
  en: {
    node_down: 'Too few nodes answer',
    stale: 'No new block for too long',
    wrong_chain: 'A node follows another chain',
    nodes_disagree: 'The nodes have different blocks',
    reorganised: 'A credited deposit left the chain',
    reorganised_too_deep: 'The last 1000 blocks were replaced',
    operators: 'By operators',
  },
  fa: {
    node_down: 'گره‌های کافی پاسخ نمی‌دهند',
    stale: 'مدتی طولانی بلوک تازه‌ای نیامده است',
    wrong_chain: 'گره‌ای زنجیرهٔ دیگری را دنبال می‌کند',
    nodes_disagree: 'بلوک‌های گره‌ها با هم فرق دارند',
    reorganised: 'واریزی که به حساب نشسته از زنجیره بیرون رفته است',
    reorganised_too_deep: '۱۰۰۰ بلوک آخر جایگزین شده‌اند',
    operators: 'به دست گردانندگان',
  },
});
