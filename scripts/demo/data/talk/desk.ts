// The desk and its markets.
import { topic, type Thread } from './thread.ts';

export const DESK: readonly Thread[] = [
  topic(
    'otc-desk',
    'block in BTC',
    { daysAgo: 12, hour: 8.4 },
    [
      ['nora', 0, 'Client wants a two-way in 40 BTC, settlement today. Anybody against 12 bp?'],
      ['marco', 4, 'Against what mid? The book is one-sided since seven.'],
      [
        'nora',
        1,
        'Ours. Depth at 10 bp, just now:\n\n| side | size (BTC) | average |\n| --- | ---: | ---: |\n| bid | 18.4 | 64,012 |\n| ask | 9.7 | 64,155 |',
        { key: 'depth' },
      ],
      ['maryam', 3, 'I can warehouse 25 until Amsterdam opens. The rest I would want to work.'],
      [
        'marco',
        2,
        '{{quote depth}}\nThen quote 16 on the offer and 12 on the bid. If they lift us we are short into a thin book.',
      ],
      [
        'nora',
        6,
        'Quoted 64,000 / 64,180. They took the bid. **40 BTC bought at 64,000.**',
        { react: { tada: ['marco', 'maryam', 'sara'], eyes: ['marco'] } },
      ],
      ['bot', 1, 'Booked: `OTC-20931` buy 40 BTC @ 64,000 USDT, client 118, desk account 3.'],
      ['maryam', 18, '25 out at 64,071 average. I keep the other 15 on an iceberg, 0.8 at a time.'],
      ['sara', 5, 'Settlement seen on both legs. Closing the ticket.'],
    ],
    { by: 'sara', minutesAfter: 2 },
  ),

  topic('otc-desk', 'who quotes on Friday', { daysAgo: 6, hour: 13 }, [
    [
      'sara',
      0,
      '/poll Who takes the early quotes on Friday?\nNora\nMaryam\nMarco, as a punishment',
      { votes: { 0: ['maryam'], 2: ['nora', 'sara', 'maryam'] } },
    ],
    [
      'marco',
      9,
      'Democracy was a mistake. Fine: 06:00 to 10:00, and somebody owes me a coffee.',
      { react: { coffee: ['nora', 'sara'] } },
    ],
  ]),

  topic('otc-desk', 'TON liquidity', { minutesAgo: 210 }, [
    [
      'maryam',
      0,
      'TON spread is back at 9 bp. I doubled the quote size in tonusdt; tell me if your hedges notice.',
    ],
    ['nora', 12, 'They do. Filled 3,000 without walking a level.'],
    [
      'marco',
      5,
      'Keep it for the week and show me the inventory on Friday.',
      { starredBy: ['nora'] },
    ],
  ]),

  topic('btcusdt', 'daily levels', { daysAgo: 13, hour: 6.2 }, [
    [
      'bot',
      0,
      'Yesterday: open 63,412 · high 64,590 · low 62,980 · close 64,021 · volume 1,204 BTC',
    ],
    [
      'hana',
      22,
      'Third day that 64,600 is sold. Same size, same five minutes after the Tokyo fix.',
    ],
    ['omar', 14, 'Somebody’s TWAP. Watch it stop on the 15th.'],
    ['nora', 3, 'If it stops I want to be long already.'],
  ]),
  topic('btcusdt', 'daily levels', { daysAgo: 9, hour: 6.2 }, [
    [
      'bot',
      0,
      'Yesterday: open 64,870 · high 65,930 · low 64,402 · close 65,511 · volume 1,877 BTC',
    ],
    [
      'omar',
      31,
      'And there it goes. No seller at 64,600 any more.',
      { react: { eyes: ['hana', 'nora'] } },
    ],
    ['hana', 2, 'You said the 15th. You were two days late, I am still impressed.'],
    ['amir', 40, 'Funding turned positive everywhere else. I would not chase it above 66k.'],
  ]),
  topic('btcusdt', 'daily levels', { daysAgo: 1, hour: 6.2 }, [
    ['bot', 0, 'Yesterday: open 63,950 · high 64,610 · low 63,377 · close 64,188 · volume 986 BTC'],
    ['hana', 18, 'Back where we started two weeks ago. All that noise for nothing.'],
    [
      'nora',
      5,
      'Not for nothing, somebody paid the spread the whole way.',
      { react: { joy: ['hana', 'omar', 'maryam'] } },
    ],
    ['amir', 9, 'Range 63.4–64.6. I sell the top and buy the bottom until it hurts.'],
    ['reza', 25, 'What do you use as a stop in a range like that?'],
    [
      'amir',
      4,
      'Half of the average range of a day beyond the edge:\n\n$$stop = edge \\pm \\frac{1}{2}\\,\\overline{(high - low)}$$\n\nThe last ten days that is about 640 dollars.',
      { starredBy: ['reza', 'grace'] },
    ],
    ['reza', 3, 'Clear, thank you.'],
  ]),

  topic(
    'btcusdt',
    'liquidation cascade on Tuesday?',
    { daysAgo: 7, hour: 15.5 },
    [
      [
        'grace',
        0,
        'Support got eleven tickets in ten minutes: “my stop filled 200 dollars away”. Does anybody have the tape?',
      ],
      [
        'hana',
        6,
        'From the public trades, one second each:\n\n```python\nimport requests, itertools\n\ntrades = requests.get(BASE + "/public/trades",\n                      params={"symbol": "btcusdt", "limit": 500}).json()["result"]\nkey = lambda t: int(t["time"]) // 1000\nfor second, group in itertools.groupby(trades, key):\n    prices = [float(t["price"]) for t in group]\n    print(second, len(prices), min(prices), max(prices))\n```',
        { key: 'tape' },
      ],
      [
        'hana',
        2,
        '14:02:11 to 14:02:14 is all there is: 212 trades, low 63,377. No trade outside of the book, it just was that thin.',
      ],
      [
        'daniel',
        8,
        'Confirmed from our side. The makers had pulled to 60 bp because the reference feed stalled for four seconds. Engine fine, queue depth never above 30.',
      ],
      [
        'grace',
        3,
        'So: every fill was right, and people still feel cheated. Can we say it like that in public?',
      ],
      [
        'marco',
        11,
        'Say exactly that, with the three seconds as a chart. And we refund the fees of stops that filled there; it is 90 dollars in all.',
        { react: { heart: ['grace', 'niloofar', 'reza'], thumbs_up: ['daniel', 'hana'] } },
      ],
      [
        'grace',
        30,
        'Posted in #**announcements>Tuesday, 14:02**. Two people already said thank you, which is a first.',
      ],
    ],
    { by: 'grace', minutesAfter: 20 },
  ),

  topic('btcusdt', 'weekend gap', { minutesAgo: 95 }, [
    ['omar', 0, 'CME closed at 64,420, we are at 64,110. Who is fading the gap?'],
    ['nora', 7, 'Half size. Sunday evening books are made of paper.'],
    ['hana', 11, '@**امیر رستمی** you had the statistics of gaps somewhere?'],
    [
      'amir',
      13,
      'Last 60 weekends: 41 closed within two days, 9 within the week, 10 never. Average 0.9 %.\n\n```spoiler What I make of it\nThe ten that never closed lost more than the forty-one made.\n```',
      { react: { exploding_head: ['hana'], '+1': ['nora', 'omar'] } },
    ],
    ['omar', 4, 'You really know how to sell a trade.'],
  ]),

  topic('market-news', 'listing of LTC/USDT', { daysAgo: 10, hour: 9 }, [
    [
      'marco',
      0,
      'Litecoin opens against Tether on Monday. The market is in `pre_open` until then: orders rest, nothing matches.',
    ],
    [
      'daniel',
      16,
      'Precision 8 and 2, smallest order 5 USDT, post-only in the first minute. It is in `exchange_info` already with `isActive: false`.',
    ],
    ['omar', 20, 'Who makes the market?'],
    [
      'maryam',
      3,
      'We do, with 20 bp at the start. Others are welcome, fees for makers are zero for the first month.',
      { react: { rocket: ['omar', 'nora', 'hana'] } },
    ],
  ]),
  topic('market-news', 'rates decision', { daysAgo: 4, hour: 17.8 }, [
    ['nora', 0, 'Unchanged, as everybody expected. Two dissenters, as nobody expected.'],
    ['hana', 1, 'Dollar down, gold up, we are up 0.7 % in a minute.'],
    ['amir', 4, 'Spread of ethusdt went to 5 bp and is back at 2 already. Fast.'],
    [
      'daniel',
      6,
      'Peak was 4,100 orders in a second. p99 of an acknowledged order 11 ms, nothing rejected.',
      { react: { muscle: ['marco', 'nora'] }, starredBy: ['marco'] },
    ],
    ['marco', 5, 'Frame that.'],
  ]),
  topic('market-news', 'what to read', { daysAgo: 3, hour: 11 }, [
    [
      'omar',
      0,
      'Good paper on iceberg detection: https://arxiv.org/abs/1909.09495. They guess hidden size from the refill times.',
    ],
    ['maryam', 24, 'Then I randomise the refill times from now on.'],
    ['omar', 2, 'That is chapter five.', { react: { joy: ['maryam', 'nora', 'hana', 'daniel'] } }],
  ]),

  topic('risk', 'limits for new accounts', { daysAgo: 8, hour: 10 }, [
    [
      'marco',
      0,
      'Proposal: new accounts start at 50k USDT of open notional and go to 250k after thirty days without a margin of error. Objections?',
    ],
    ['sara', 14, 'None, if an operator can raise it with a second signature.'],
    [
      'niloofar',
      6,
      'I need the refusal to say the limit and the current use. Half of my tickets are “why was this refused”.',
    ],
    [
      'sara',
      9,
      '/todo Limits for new accounts\nsecond signature for raises: two operators, audit entry\nrefusal says limit and use: as the API does for balances\nwrite to the existing accounts: a week before',
    ],
    ['marco', 4, 'Good. Wednesday.'],
  ]),
  topic('risk', 'concentration in IRT', { minutesAgo: 320 }, [
    [
      'sara',
      0,
      'Two accounts hold 38 % of all toman balances. Not a problem as such; it is one when both withdraw on a Thursday afternoon.',
    ],
    ['marco', 8, 'Who speaks with them?'],
    [
      'sara',
      3,
      'I do, on Sunday. Until then the hot wallet stays 20 % above normal.',
      { react: { '+1': ['marco', 'niloofar'] } },
    ],
  ]),

  topic('market-news', 'Tether on TON', { daysAgo: 6, hour: 10 }, [
    [
      'amir',
      0,
      'Tether on TON passed a billion. Half of our users still withdraw by Tron out of habit.',
    ],
    [
      'sara',
      12,
      'We will show the fee beside each network, cheapest first. Habit is cheaper than a help page.',
    ],
    [
      'omar',
      5,
      'Please also say how long each takes. People wait longer than they pay.',
      { react: { '+1': ['sara', 'niloofar'] } },
    ],
  ]),
  topic('btcusdt', 'who is the seller at the fix?', { daysAgo: 11, hour: 7.2 }, [
    ['hana', 0, 'Five days, the same 120 BTC between 00:55 and 01:05 UTC. Not one satoshi more.'],
    ['nora', 8, 'A fund that must match the Tokyo fix. They are paid to be predictable.'],
    [
      'maryam',
      4,
      'Then I lean a bit on the bid from 00:50. Thank you for the tip.',
      { react: { eyes: ['omar', 'hana'] } },
    ],
    ['omar', 33, 'Two of us leaning is a wall, by the way.'],
    ['maryam', 2, 'Who is the other one?'],
    [
      'omar',
      1,
      'A gentleman does not say.',
      { react: { joy: ['maryam', 'nora', 'hana', 'amir'] } },
    ],
  ]),
];
