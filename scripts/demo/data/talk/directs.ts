// What people write to each other directly.
import { direct, type Thread } from './thread.ts';

export const DIRECTS: readonly Thread[] = [
  direct(['nora', 'amir'], { daysAgo: 5, hour: 9 }, [
    ['nora', 0, 'Are you still offered in size above 64,200?'],
    ['amir', 14, '15 BTC up to 64,350, then nothing until 64,800. Why?'],
    ['nora', 2, 'Client wants out by noon, and I would rather cross with you than with the book.'],
    ['amir', 3, 'Mid plus 2 and we are done.'],
    ['nora', 1, 'Done.', { react: { handshake: ['amir'] } }],
  ]),
  direct(['nora', 'amir'], { minutesAgo: 70 }, [
    ['amir', 0, 'Your size in TON moved my stop, by the way 🙂'],
    ['nora', 8, 'Sorry! Maryam doubled the quotes this morning, did you see #**market-news**?'],
    ['amir', 5, 'I do now.'],
  ]),
  direct(['marco', 'sara'], { daysAgo: 4, hour: 18 }, [
    ['marco', 0, 'The auditors come on the 20th. What do we show first?'],
    [
      'sara',
      11,
      'The chain of the audit log: every act of an operator with the hash of the one before. They can check it with their own script, we need not be in the room.',
    ],
    ['marco', 2, 'I like auditors who are busy.', { react: { joy: ['sara'] } }],
  ]),
  direct(['marco', 'sara'], { minutesAgo: 45 }, [
    [
      'sara',
      0,
      'Both large toman accounts agreed to stagger their withdrawals. Call on Sunday is a formality.',
    ],
    ['marco', 6, 'Thank you. How do you do that?'],
    ['sara', 2, 'I bring tea.'],
  ]),
  direct(['sara', 'reza'], { daysAgo: 2, hour: 8 }, [
    ['sara', 0, 'رضا جان، برای مصاحبهٔ فردا وقت داری؟ یک نفر برای تیم سفارش‌ها.'],
    ['reza', 9, 'بله، ساعت ۱۱ خوب است. رزومه را بفرست لطفاً.'],
    ['sara', 3, 'فرستادم. کمی دربارهٔ تراکنش‌ها بپرس، ادعا کرده بلد است 🙂'],
  ]),
  direct(['reza', 'niloofar'], { minutesAgo: 120 }, [
    ['niloofar', 0, 'متن خطای حد معامله را می‌بینی؟ «مانده کافی نیست» برای سقف معامله درست نیست.'],
    ['reza', 12, 'حق داری. بگذاریم: «سقف معاملهٔ شما {limit} است و {used} آن استفاده شده.»'],
    ['niloofar', 2, 'عالی، همین.'],
  ]),
  direct(['grace', 'niloofar', 'tomas'], { daysAgo: 9, hour: 14 }, [
    [
      'grace',
      0,
      'Tomás, would you try the new deposit form before everybody gets it? You are our expert for missing memos.',
    ],
    [
      'tomas',
      16,
      'With pleasure, I feel called by name.',
      { react: { joy: ['grace', 'niloofar'] } },
    ],
    ['niloofar', 7, 'The link is in your mail. Please break it.'],
    [
      'tomas',
      190,
      'I could not. It even told me *why* the memo matters.',
      { react: { tada: ['grace', 'niloofar'] } },
    ],
  ]),
  direct(['daniel', 'reza', 'sara'], { minutesAgo: 190 }, [
    ['daniel', 0, 'Short: who can take my on-call on Thursday? My daughter has her first recital.'],
    ['reza', 2, 'I can.'],
    [
      'sara',
      5,
      'Swapped in the calendar. And we want a recording.',
      { react: { heart: ['daniel'] } },
    ],
  ]),
  direct(['tomas', 'niloofar'], { minutesAgo: 30 }, [
    [
      'niloofar',
      0,
      'Hi Tomás, your statement for the tax office: the export has the fees now in a column of its own. Could you look whether your accountant is happy?',
    ],
  ]),
  direct(['grace', 'marco'], { minutesAgo: 25 }, [
    [
      'grace',
      0,
      'Draft of the weekly report is in the folder. The number of tickets fell by a third since the refusals say why. Worth a sentence on Monday?',
    ],
    ['marco', 9, 'Worth the first sentence.'],
  ]),
  direct(['hana', 'nora'], { daysAgo: 1, hour: 5 }, [
    [
      'hana',
      0,
      'Do you have an example of a post-only order that is refused? My Haskell man wants to see the exact answer.',
    ],
    [
      'nora',
      30,
      '```json\n{ "code": "POST_ONLY_WOULD_TAKE", "message": "The order would have matched at 64112." }\n```',
      { react: { pray: ['hana'] } },
    ],
  ]),
];
