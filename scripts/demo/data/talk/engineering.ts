// How the venue is built and kept running.
import { topic, type Thread } from './thread.ts';

export const ENGINEERING: readonly Thread[] = [
  topic(
    'engineering',
    'event queue: rebuild after a node dies',
    { daysAgo: 13, hour: 9.5 },
    [
      [
        'daniel',
        0,
        'Question for people who write clients: when a node dies, should a queue come back silently, or should you get an error and register again?',
      ],
      [
        'hana',
        9,
        'Silently, if nothing is lost. I have 30 bots; if all of them register at once you get what you deserve.',
      ],
      [
        'daniel',
        5,
        'Then the id has to say where in the log you are. I am thinking of `position * 4096 + index`.',
      ],
      ['reza', 12, 'Below 2⁵³ for how long?'],
      [
        'daniel',
        3,
        'At 10,000 events a second:\n\n$$\\frac{2^{53}}{4096 \\cdot 10^4 \\cdot 3.15\\cdot10^7} \\approx 7\\ \\text{years}$$\n\nat today’s rate a bit over 800.',
        { react: { '+1': ['hana', 'reza'] } },
      ],
      ['reza', 2, 'I will not be on call by then.', { react: { joy: ['daniel', 'hana', 'sara'] } }],
      [
        'hana',
        30,
        'Tried it on staging: killed the node under 1,200 polls, all of them went on at the other one. Not one `BAD_EVENT_QUEUE_ID`.',
        { react: { tada: ['daniel', 'reza', 'marco'] }, starredBy: ['reza'] },
      ],
    ],
    { by: 'daniel', minutesAfter: 15 },
  ),

  topic(
    'engineering',
    'flaky: book snapshot test',
    { daysAgo: 11, hour: 14 },
    [
      [
        'reza',
        0,
        "This fails about once in forty runs:\n\n```\nexpected [ '64012', '64013' ] to deeply equal [ '64012', '64012.5', '64013' ]\n```",
      ],
      ['daniel', 7, 'Does it wait for the projection or for the engine?'],
      [
        'reza',
        4,
        'The engine… so it reads a level that the projection does not have yet. Of course.',
        { key: 'ofcourse' },
      ],
      [
        'daniel',
        1,
        '{{quote ofcourse}}\nThe sentence that every one of my evenings ends with.',
        { react: { joy: ['reza', 'sara', 'niloofar'] } },
      ],
      [
        'reza',
        55,
        'Fixed; 2,000 runs in a row:\n\n```diff\n- await engine.drained();\n+ await projection.caughtUp(engine.position());\n```',
      ],
    ],
    { by: 'reza', minutesAfter: 3 },
  ),

  topic('engineering', 'signing in Go', { daysAgo: 9, hour: 12.2 }, [
    [
      'omar',
      0,
      'My Go client gets a wrong signature when a symbol has a `+` in it. Anybody seen that?',
    ],
    ['reza', 11, 'You sign the encoded query or the decoded one?'],
    [
      'omar',
      2,
      '```go\nmac := hmac.New(sha256.New, []byte(secret))\nmac.Write([]byte(params.Encode()))\nreq.Header.Set("X-SVC-SIGNATURE", hex.EncodeToString(mac.Sum(nil)))\n```',
    ],
    [
      'reza',
      5,
      '`Encode` sorts the keys, and then you send `RawQuery` in another order. Sign exactly the bytes that you send.',
    ],
    [
      'omar',
      8,
      'That was it. Could the answer say so? “Signature for this request is not valid” is true, but I lost an hour.',
      { react: { '+1': ['hana', 'niloofar'] } },
    ],
    [
      'daniel',
      26,
      'It can say what text *we* signed for keys in the sandbox. Not in production: it would be an oracle. Ticket made.',
    ],
  ]),

  topic(
    'engineering',
    'migration 0012 takes a lock',
    { daysAgo: 6, hour: 8 },
    [
      [
        'sara',
        0,
        'The migration for channels takes `ACCESS EXCLUSIVE` on `subscriptions` for 4 s on the copy of production.',
      ],
      [
        'daniel',
        13,
        'The check constraint. `NOT VALID` first, `VALIDATE` after, then it is a share lock.',
      ],
      [
        'sara',
        22,
        '| step | before | after |\n| --- | ---: | ---: |\n| add columns | 12 ms | 12 ms |\n| constraint | 4,180 ms | 3 ms |\n| validate | – | 2,960 ms, nobody waits |',
        { react: { muscle: ['daniel', 'reza'] } },
      ],
      ['daniel', 2, 'Ship it on Monday morning, not on a Friday.'],
      ['marco', 40, 'Thank you for saying that before I had to.'],
    ],
    { by: 'sara', minutesAfter: 5 },
  ),

  topic(
    'engineering',
    'naming things',
    { daysAgo: 5, hour: 16 },
    [
      [
        'niloofar',
        0,
        '/poll What do we call an order that waits for its price?\nstop\ntrigger\nconditional\nsleeper',
        { votes: { 0: ['omar', 'nora', 'hana'], 1: ['daniel', 'reza'], 3: ['marco', 'niloofar'] } },
      ],
      ['daniel', 6, 'Who voted for *sleeper*?'],
      [
        'marco',
        1,
        'The person who pays for the servers.',
        { react: { joy: ['niloofar', 'daniel', 'reza', 'grace'] } },
      ],
      ['nora', 14, 'Everybody who trades says stop. Please.'],
      ['niloofar', 20, 'Stop it is.'],
    ],
    { by: 'niloofar', minutesAfter: 1 },
  ),

  topic('engineering', 'review: retry with the same client id', { daysAgo: 2, hour: 10.5 }, [
    [
      'reza',
      0,
      '@**Daniel Weiss** when you have ten minutes: the retry path. A second request with the same `clientOrderId` gets the first answer back, for the life of the account.',
    ],
    [
      'daniel',
      35,
      'Read it. Two things:\n\n1. What if the first one was *refused*? Does the id stay used?\n2. `lookup` runs once for each waiting request. They could share a statement.',
    ],
    [
      'reza',
      12,
      '1. No, a refusal uses nothing.\n2. Done, one statement for whatever waits: 9.1 → 2.4 ms at the median.',
      { react: { fire: ['daniel'] } },
    ],
    ['daniel', 3, 'Then it is in. Nice work.', { react: { tada: ['reza', 'sara'] } }],
  ]),

  topic('engineering', 'release notes', { minutesAgo: 260 }, [
    ['niloofar', 0, 'Cutting the notes for this week. What did users notice?'],
    [
      'daniel',
      9,
      '- orders with the same client id are answered, not repeated\n- the book of a halted market says when it halted\n- `GET /public/status` has the queue depth',
    ],
    ['reza', 4, '- Persian names of networks in `coins_info`'],
    [
      'hana',
      16,
      'And tickers no longer go backwards for a second after a restart. I noticed, believe me.',
    ],
    [
      'niloofar',
      21,
      'All in. @*engineering* last call before I publish at five.',
      { react: { '+1': ['daniel', 'reza'] } },
    ],
  ]),

  topic(
    'incidents',
    'reference feed stalled',
    { daysAgo: 7, hour: 14.1 },
    [
      ['bot', 0, '**WARN** reference feed `kaiko-1`: no update for 3,000 ms. Makers widen.'],
      ['bot', 1, '**OK** reference feed `kaiko-1`: back after 4,212 ms.'],
      ['sara', 3, 'On it. @*on-call* who is it today?'],
      [
        'daniel',
        2,
        'Me. Their load balancer moved us and kept the old connection open. No loss on our side; makers did what they should.',
      ],
      [
        'daniel',
        40,
        'What we change:\n\n- two feeds, and the makers take the median\n- alert at 1,500 ms instead of 3,000\n- the widening is announced on the status page',
      ],
      ['sara', 12, 'Agreed. Owner for the second feed?'],
      ['daniel', 1, 'Me, until Thursday.'],
    ],
    { by: 'daniel', minutesAfter: 60 },
  ),
  topic(
    'incidents',
    'Tron withdrawals delayed',
    { daysAgo: 3, hour: 19 },
    [
      ['grace', 0, 'Seven withdrawals on TRX are “processing” for more than twenty minutes.'],
      [
        'sara',
        5,
        'The node is six blocks behind. Restarting it; nothing was broadcast twice, I checked the nonces first.',
      ],
      ['sara', 18, 'Caught up. All seven are confirmed, the oldest after 41 minutes.'],
      [
        'grace',
        2,
        'Told everybody. One of them answered with a cake emoji.',
        { react: { cake: ['sara', 'niloofar'] } },
      ],
    ],
    { by: 'sara', minutesAfter: 4 },
  ),
  topic('incidents', 'disk at 81 %', { minutesAgo: 130 }, [
    ['bot', 0, '**WARN** `db-2` volume `pgdata` 81 % used, growing 0.4 % an hour.'],
    [
      'daniel',
      14,
      'Old partitions of the event log: retention ran, but the replica’s slot holds the WAL. @**سارا کریمی** may I drop the slot of `db-3-old`?',
    ],
    ['sara', 6, 'Yes, that machine is gone since last week.'],
    ['bot', 9, '**OK** `db-2` volume `pgdata` 54 % used.'],
  ]),

  topic(
    'engineering',
    'what a refusal should say',
    { daysAgo: 4, hour: 13.3 },
    [
      [
        'niloofar',
        0,
        'I read two hundred tickets. The word that comes up most is “why”. Can every refusal say three things: what was expected, what came, what to do?',
      ],
      [
        'reza',
        9,
        'Before: `INVALID_VOLUME`. After: `Volume 0.000123456 has 9 places; btcusdt takes 8. Send 0.00012345.`',
      ],
      ['niloofar', 1, 'I could cry.', { react: { heart: ['reza', 'grace', 'hana'] } }],
      [
        'daniel',
        14,
        'Careful with balances: “you have 3, you need 5” is fine for the owner of a key with `read`, and a leak for one without.',
      ],
      [
        'reza',
        6,
        'Noted, the number is only there when the key may read it.',
        { starredBy: ['niloofar'] },
      ],
    ],
    { by: 'niloofar', minutesAfter: 30 },
  ),
  topic(
    'engineering',
    'clock skew of a user',
    { daysAgo: 8, hour: 15 },
    [
      [
        'hana',
        0,
        'A user in Osaka gets `TIMESTAMP_OUT_OF_WINDOW` only in the afternoon. His clock drifts 400 ms an hour.',
      ],
      ['daniel', 6, 'Windows, virtual machine, time service off?'],
      ['hana', 19, 'Two out of three. How do you know these things?'],
      ['daniel', 2, 'Scars. He can ask `GET /public/time` once a minute and keep the difference.'],
      [
        'hana',
        44,
        'Works, he says thank you and sends a picture of his cat.',
        { react: { cat: ['daniel', 'reza', 'niloofar'] } },
      ],
    ],
    { by: 'hana', minutesAfter: 2 },
  ),
];
