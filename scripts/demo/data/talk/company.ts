// What concerns everybody: news, the offsite, help for users.
import { topic, type Thread } from './thread.ts';

export const COMPANY: readonly Thread[] = [
  topic('general', 'welcome, Hana', { daysAgo: 13, hour: 7.5 }, [
    [
      'sara',
      0,
      'Hana starts today in Tokyo and will look after our API users there. Say hello!',
      { react: { wave: ['marco', 'grace', 'reza', 'daniel', 'niloofar', 'omar'] } },
    ],
    [
      'hana',
      9,
      'Hello! I have traded on Rialto for a year and complained about it for eleven months, so somebody decided to hire me.',
      { react: { joy: ['marco', 'daniel', 'nora'] } },
    ],
    ['daniel', 3, 'I remember every single ticket.'],
    ['marco', 12, 'Welcome. Please go on complaining, just closer to the people who can fix it.'],
  ]),
  topic('general', 'stand-up', { daysAgo: 8, hour: 7 }, [
    [
      'reza',
      0,
      'Yesterday: lookups share a statement. Today: the same for cancels. Nothing in the way.',
    ],
    [
      'daniel',
      4,
      'Yesterday: second reference feed. Today: the median. In my way: a vendor who answers within five working days.',
    ],
    [
      'niloofar',
      6,
      'Texts for refusals, English is done, Persian half. I need ten minutes from @**رضا احمدی** for the words of margins.',
    ],
    ['reza', 1, 'After lunch, whenever you like.'],
  ]),
  topic('general', 'stand-up', { daysAgo: 1, hour: 7 }, [
    ['daniel', 0, 'Median of two feeds is live. Today: I stop looking at it every five minutes.'],
    ['reza', 3, 'Client ids for cancels are in review. Today: whatever breaks.'],
    ['niloofar', 8, 'Persian texts done, thanks Reza. Today: release notes.'],
    [
      'hana',
      2,
      'Three users in Osaka moved their bots over. One of them writes Haskell, wish me luck.',
      { react: { fingers_crossed: ['reza', 'daniel'] } },
    ],
  ]),
  topic(
    'general',
    'coffee machine',
    { daysAgo: 4, hour: 8.2 },
    [
      ['omar', 0, 'The machine in Dubai says “descale” and has said so since March.'],
      ['grace', 5, 'Ours in Lagos said that, then it stopped saying anything.'],
      [
        'sara',
        11,
        'Order the kit, both of you, and put it on the office card. This is now policy.',
        { react: { coffee: ['omar', 'grace', 'marco', 'nora'] } },
      ],
    ],
    { by: 'omar', minutesAfter: 1500 },
  ),

  topic('announcements', 'Tuesday, 14:02', { daysAgo: 7, hour: 16.4 }, [
    [
      'grace',
      0,
      'On Tuesday at 14:02:11 UTC our reference feed stalled for four seconds. Market makers widened their quotes, and in three seconds 212 trades in BTC/USDT filled at prices down to 63,377.\n\nEvery one of these trades was matched correctly against the book as it stood. We still think that it should not feel like that, so:\n\n- the fees of stop orders that filled in those three seconds are refunded\n- from Thursday on makers quote from two independent feeds\n- the status page says when makers widen',
      {
        react: {
          heart: ['reza', 'nora', 'hana'],
          '+1': ['marco', 'daniel', 'omar', 'amir'],
        },
        starredBy: ['niloofar'],
      },
    ],
  ]),
  topic('announcements', 'maintenance on Monday', { daysAgo: 5, hour: 9 }, [
    [
      'sara',
      0,
      'Monday, 04:00 to 04:10 UTC: chat and trading stay up, withdrawals pause for about three minutes.\nدوشنبه ساعت ۷:۳۰ تا ۷:۴۰ به وقت تهران: گفت‌وگو و معامله برقرار است، برداشت حدود سه دقیقه متوقف می‌شود.',
    ],
    [
      'sara',
      2880,
      'Done at 04:06. Withdrawals paused for 2 min 14 s.',
      { react: { tada: ['daniel', 'grace', 'marco'] } },
    ],
  ]),

  topic(
    'offsite',
    'where',
    { daysAgo: 12, hour: 11 },
    [
      [
        'marco',
        0,
        'Twelve people, four days, second week of October. Somewhere that everybody can get a visa for. Ideas?',
      ],
      ['grace', 6, 'Istanbul. Direct flights from Lagos, Tehran, Dubai and Berlin.'],
      ['hana', 9, 'And one stop from Tokyo, which is the best I ever get.'],
      ['omar', 4, 'Tbilisi! No visa for anybody here, I checked.'],
      [
        'sara',
        15,
        '/poll Offsite in October\nIstanbul\nTbilisi\nVenice, because of the name',
        {
          votes: {
            0: ['grace', 'hana', 'sara', 'reza'],
            1: ['omar', 'niloofar', 'daniel', 'amir', 'maryam', 'nora'],
            2: ['marco'],
          },
        },
      ],
      ['marco', 60, 'I see that the founder’s home town has one vote.'],
      [
        'nora',
        2,
        'It floods, Marco.',
        { react: { joy: ['grace', 'omar', 'daniel', 'maryam', 'hana'] } },
      ],
      [
        'sara',
        1400,
        'Tbilisi, 12 to 15 October. Booking the hotel today.',
        { react: { tada: ['omar', 'niloofar', 'reza', 'grace'] } },
      ],
    ],
    { by: 'sara', minutesAfter: 10 },
  ),
  topic('offsite', 'programme', { daysAgo: 9, hour: 13 }, [
    [
      'niloofar',
      0,
      'First draft:\n\n| day | morning | afternoon |\n| --- | --- | --- |\n| Sunday | arrival | walk, dinner |\n| Monday | what hurt this year | fix one of it, in pairs |\n| Tuesday | custody: a day in the life of a withdrawal | free |\n| Wednesday | plans | train to the vineyards |',
    ],
    ['daniel', 10, '“Fix one of it, in pairs” is the best thing that ever stood on an agenda.'],
    ['amir', 22, 'Can traders pair with engineers? I have a list.'],
    [
      'reza',
      1,
      'We know that you have a list.',
      { react: { joy: ['amir', 'niloofar', 'daniel'] } },
    ],
    [
      'maryam',
      30,
      'Somebody should speak about inventory for people who never had one. I volunteer, twenty minutes, no slides.',
      { react: { clap: ['niloofar', 'nora'] } },
    ],
    ['niloofar', 5, 'You are on, Tuesday at nine.'],
  ]),
  topic('offsite', 'food', { daysAgo: 2, hour: 15 }, [
    [
      'sara',
      0,
      'For the restaurants: /who eats what? Please react: :seedling: vegetarian, :meat: everything, :fish: fish but no meat.',
      {
        react: {
          seedling: ['niloofar', 'daniel'],
          meat: ['omar', 'marco', 'grace', 'amir', 'reza'],
          fish: ['hana', 'nora'],
        },
      },
    ],
    ['maryam', 14, 'Nothing with walnuts for me, which in Georgia means: bread.'],
    ['omar', 4, 'I will eat your walnuts.', { react: { heart: ['maryam'] } }],
  ]),
  topic('offsite', 'flights', { minutesAgo: 175 }, [
    ['grace', 0, 'Booked: arriving Sunday 14:20 by Istanbul. Anybody near that to share a taxi?'],
    ['hana', 22, '15:05. I wait or you wait?'],
    ['grace', 3, 'I wait, there is coffee.'],
    [
      'omar',
      31,
      'I come by bus from Batumi, long story.',
      { react: { eyes: ['grace', 'hana', 'marco'] } },
    ],
  ]),

  topic(
    'support',
    'deposit without a memo',
    { daysAgo: 10, hour: 10 },
    [
      [
        'tomas',
        0,
        'Good morning. I sent 120 TON from another exchange and forgot the memo. The transaction is confirmed, my balance is not.',
      ],
      [
        'niloofar',
        6,
        'Good morning Tomás. That happens, and it is not lost. Please send me the transaction id here, no screenshots needed.',
      ],
      ['tomas', 3, '`3f1c9a0be47d5c62f0d18a93e6b7745a`'],
      [
        'niloofar',
        25,
        'Found: 120 TON, 09:41. Because it had no memo two people have to look at it; @**سارا کریمی** is the second.',
      ],
      ['sara', 12, 'Signed.'],
      [
        'niloofar',
        2,
        'And credited. Next time the form will not let you copy the address without the memo, that is our lesson.',
        { react: { heart: ['tomas'] } },
      ],
      [
        'tomas',
        1,
        'Obrigado! That was faster than the blockchain.',
        { react: { joy: ['niloofar', 'grace'] } },
      ],
    ],
    { by: 'niloofar', minutesAfter: 5 },
  ),
  topic(
    'support',
    'API key from a second office',
    { daysAgo: 6, hour: 11.5 },
    [
      ['ali', 0, 'سلام، کلید API من از دفتر دوم جواب نمی‌دهد. خطا: «IP not allowed».'],
      [
        'reza',
        8,
        'سلام علی جان. نشانی دفتر دوم در فهرست مجاز کلید نیست. در تنظیمات کلید، بخش «نشانی‌های مجاز»، آن را اضافه کنید؛ چند ثانیه بعد کار می‌کند.',
      ],
      ['ali', 14, 'درست شد، ممنون 🙏', { react: { '+1': ['reza'] } }],
    ],
    { by: 'reza', minutesAfter: 2 },
  ),
  topic('support', 'statement for the tax office', { minutesAgo: 400 }, [
    [
      'tomas',
      0,
      'My accountant asks for all trades of the year as CSV. Is there a way that is not copy and paste?',
    ],
    [
      'grace',
      18,
      'There is: `GET /private/trades/history` pages by time, and here is a loop that writes a CSV:\n\n```bash\nfor month in 01 02 03 04 05 06 07 08 09 10; do\n  rialto-cli trades --from 2026-$month-01 --csv >> trades-2026.csv\ndone\n```',
    ],
    ['tomas', 9, 'Does it hold the fees in the coin or in dollars?'],
    [
      'grace',
      4,
      'In the coin that was paid, with the price at that moment beside it.',
      { starredBy: ['tomas'] },
    ],
    ['tomas', 6, 'Perfect, thank you Grace.', { react: { blush: ['grace'] } }],
  ]),
  topic('support', 'two-factor after a new phone', { minutesAgo: 55 }, [
    ['ali', 0, 'گوشی‌ام عوض شده و کد دو مرحله‌ای را ندارم. کدهای پشتیبان را هم گم کرده‌ام.'],
    [
      'niloofar',
      7,
      'نگران نباشید. برای امنیت شما این کار با تماس تصویری انجام می‌شود و برداشت ۲۴ ساعت بسته می‌ماند. امروز ساعت ۱۷ خوب است؟',
    ],
    ['ali', 4, 'بله، ساعت ۱۷ آنلاین هستم.'],
  ]),

  topic('api-users', 'read me first', { daysAgo: 13, hour: 10 }, [
    [
      'marco',
      0,
      'This channel is public on the web: what you write here can be read by anybody, without an account. **Never post keys or secrets.**\n\n* Reference: `/docs/trading/`\n* Limits: 10 requests a second for an address\n* Times are milliseconds, money is text, nothing is a float',
      { react: { '+1': ['tomas', 'omar', 'hana', 'nora'] }, starredBy: ['tomas'] },
    ],
  ]),
  topic(
    'api-users',
    'order book over long polling',
    { daysAgo: 5, hour: 12 },
    [
      [
        'tomas',
        0,
        'How do people keep a local book? I poll `/public/orderbook` every second and it feels wrong.',
      ],
      [
        'hana',
        16,
        "Register a queue for the event types `market` and `trade`, then apply what comes:\n\n```js\nconst { queue_id, last_event_id } = await register({ event_types: ['trade', 'market'] });\nlet last = last_event_id;\nfor (;;) {\n  const { events } = await poll({ queue_id, last_event_id: last });\n  for (const event of events) { apply(event); last = event.id; }\n}\n```",
      ],
      ['tomas', 22, 'And when I am disconnected?'],
      [
        'hana',
        3,
        'Ask again with the same id. You get what you missed, or `BAD_EVENT_QUEUE_ID`, and then you register again. There is no third case.',
        { react: { exploding_head: ['tomas'] } },
      ],
      [
        'tomas',
        45,
        'Runs since half an hour without a hole. I deleted 200 lines.',
        { react: { tada: ['hana', 'daniel'] } },
      ],
    ],
    { by: 'tomas', minutesAfter: 5 },
  ),
  topic('api-users', 'rounding of fees', { minutesAgo: 150 }, [
    ['omar', 0, 'Fee of a fill of 0.00013 BTC at 64,108: is it rounded up or to even?'],
    [
      'daniel',
      19,
      'Neither: it is cut to 18 places, in your favour. Example: `0.00013 × 64108 × 0.001 = 0.00833404` exactly, nothing to round.',
    ],
    [
      'omar',
      3,
      'Exact is a strange feeling on a Saturday.',
      { react: { joy: ['daniel', 'hana'] } },
    ],
  ]),

  topic('general', 'books', { daysAgo: 10, hour: 16 }, [
    [
      'grace',
      0,
      'I finished *Trading and Exchanges* on the plane. Nine hundred pages and I finally understand what Maryam does.',
    ],
    [
      'maryam',
      6,
      'Then please explain it to my mother.',
      { react: { joy: ['grace', 'sara', 'niloofar'] } },
    ],
    [
      'daniel',
      11,
      'For the other side of the house: *Designing Data-Intensive Applications*, second edition. The chapter on time alone is worth it.',
    ],
    ['reza', 4, '@**Daniel Weiss** may I have it when you are done?'],
    ['daniel', 1, 'It is on my desk, take it.'],
  ]),
  topic('general', 'photo of the week', { daysAgo: 3, hour: 14 }, [
    [
      'omar',
      0,
      'Sunset from the balcony of the Dubai office. No picture, because the camera cannot do it justice, and also because I forgot.',
    ],
    ['nora', 3, 'Best photo so far.', { react: { joy: ['omar', 'marco', 'grace'] } }],
  ]),
  topic(
    'support',
    'limit order that does not fill',
    { daysAgo: 4, hour: 10 },
    [
      [
        'tomas',
        0,
        'I bid 64,100, there were trades at 64,100, and my order is still there. Is that right?',
      ],
      [
        'reza',
        7,
        'It can be: orders of the same price are filled by time. There were 4.2 BTC before yours, and 3.9 were traded.',
      ],
      ['tomas', 2, 'So I was 0.3 BTC too late.'],
      [
        'reza',
        1,
        'Yes. `GET /private/orders` has `aheadVolume`, so that you can see it while you wait.',
        { react: { bulb: ['tomas'] } },
      ],
    ],
    { by: 'reza', minutesAfter: 15 },
  ),
];
