// The introduction of the reference page: envelope, signing, retries and limits.

import { botScript } from './bot.ts';
import { html, prose, type Html } from './html.ts';

/** The limits in force, as the page tells them. */
export interface ToldLimits {
  readonly requests: number;
  readonly windowMs: number;
  readonly ordersPerDay: number;
}

/** What a newcomer needs before the list of endpoints. */
export function renderGuide(baseUrl: string, limits: ToldLimits): Html {
  const { requests, windowMs, ordersPerDay } = limits;
  const period = windowMs === 1000 ? 'second' : `${windowMs} milliseconds`;
  return html` <section id="start">
      <h2>Getting started</h2>
      <p>
        ${prose(`Every path below is appended to the base address \`${baseUrl}\`. Public endpoints need no credentials:`)}
      </p>
      <pre tabindex="0"><code>curl ${baseUrl}/public/ping</code></pre>
      <ul>
        <li>
          ${prose('An answer is a JSON object with `status`, `serverTime` and `result`. On failure `status` is `"false"`, `result` is `null`, and `error` has `code`, `name`, `message` and `details`.')}
        </li>
        <li>
          ${prose('Numbers are JSON strings in plain decimal notation; times are milliseconds since the Unix epoch. Only fields marked boolean are `true` or `false`.')}
        </li>
        <li>
          ${prose('Prices have exactly `quotePrecision` decimals and volumes exactly `basePrecision`; other amounts have no trailing zeros.')}
        </li>
        <li>
          ${prose('Public endpoints ignore query names that they do not know; private ones refuse them.')}
        </li>
        <li>${prose('Quote the header `X-SVC-REQUEST-ID` when you ask about an answer.')}</li>
      </ul>
    </section>
    <section id="signing">
      <h2>Signing private requests</h2>
      <ol>
        <li>
          ${prose('Add `timestamp`, the current time in milliseconds, to the parameters. It may be a second ahead and `recvWindow` (5000 by default, at most 60000) milliseconds old.')}
        </li>
        <li>
          ${prose('Write the parameters as URL-encoded `name=value` pairs joined with `&`. This text is the query string of a GET or DELETE, the form body of a POST, or the query string of a POST without a body. A JSON body is signed as the same text made from its members in the order sent.')}
        </li>
        <li>
          ${prose('Sign the text with HMAC-SHA256, keyed with your secret, and write the signature as 64 lower-case hexadecimal digits.')}
        </li>
        <li>${prose('Send `X-SVC-APIKEY` and `X-SVC-SIGNATURE`.')}</li>
      </ol>
      <pre tabindex="0"><code id="signing-example">KEY='svc_key_...'
SECRET='svc_secret_...'
NOW=$(curl -s "${baseUrl}/public/time" | sed 's/.*"result":"//; s/".*//')
QUERY="omitZero=true&amp;timestamp=$NOW"
SIGNATURE=$(printf '%s' "$QUERY" | openssl dgst -sha256 -hmac "$SECRET" | sed 's/^.* //')
curl -s "${baseUrl}/private/account/balances?$QUERY" \\
  -H "X-SVC-APIKEY: $KEY" -H "X-SVC-SIGNATURE: $SIGNATURE"</code></pre>
      <p>
        ${prose('What reads (GET, and `order/test`) may share a signature: ask as many endpoints as you like in one millisecond. What acts (every other POST, and DELETE) needs a signature that nothing has used, and nothing can use it afterwards; two equal writes of one millisecond differ by a `nonce`. With the header `X-SVC-SIGNATURE-VERSION: 2` the signed text is the method, a newline, the full path, a newline and then the text above; such a signature cannot be used for anything else.')}
      </p>
      <p>
        ${prose('When a signature does not match (3004), `details.signedText` is the text that it must be made of, to the letter, `signedLength` its bytes, and `skewMs` how far your `timestamp` is behind the server’s clock. Compare it with what you signed.')}
      </p>
    </section>
    <section id="orders">
      <h2>Orders</h2>
      <ul>
        <li>
          ${prose('Give every order a `clientOrderId`. It is unique for the life of the account: the same id with the same parameters answers the existing order as it is now, with the header `X-SVC-IDEMPOTENT-REPLAY: true`, and with other parameters error 4012. So a caller that lost an answer, or got 1003, simply repeats the call with a new timestamp.')}
        </li>
        <li>
          ${prose('Numbers are never rounded. More decimals than the market has are error 4005 or 4006; zeros at the end change nothing.')}
        </li>
        <li>
          ${prose('An order is taken only within its window: when the engine gets to it later than `timestamp` + `recvWindow`, it is refused with 3006 and has had no effect.')}
        </li>
        <li>
          ${prose('An order reserves what it offers from the moment it is accepted. Fees are taken from what is received: a buyer pays in the base coin, a seller in the quote coin.')}
        </li>
        <li>
          ${prose('A `trailing_stop` that sells follows the highest trade since it trails, and fires at the first trade that is `trailingDelta` basis points below it; one that buys follows the lowest. With `stopPrice` it begins to trail at the first trade that reaches that price, without it at the next trade. It becomes a limit order at `price`, or a market order without one.')}
        </li>
        <li>
          ${prose('A list holds orders that end together. An OCO (`order_list/create_oco`) is a limit order and a stop with one hold: the first that trades or triggers cancels the other, with the reason `list_sibling`. A bracket (`order_list/create_bracket`) is an entry whose exits wait with the status `pending`; when it has ended, they become an OCO for what it filled, and if it filled nothing they are canceled. A list has the id of its first order, and each order names it in `orderListId`.')}
        </li>
        <li>
          ${prose('`order/replace` cancels one order and places another in one step. It looks up the `clientOrderId` of the new order first: the same call again answers both orders as they are now and cancels nothing more. If the old order is canceled and the new one refused, the cancel stands; the answer is 409 and `details` has both. An amendment is repeated in the same way with an `amendId`.')}
        </li>
        <li>
          ${prose('Orders, open orders and balances are read as they are now. Lists of the past (`history`, `trades`, `ledger`) contain every change whose answer was sent before your request arrived.')}
        </li>
        <li>
          ${prose('A page has `items` and `nextCursor`, which is empty at the end. Send it back as `cursor`, with the same other parameters.')}
        </li>
      </ul>
      <p>
        ${prose('A bot from the first order to the last balance, for Node 20 or later. It needs one key that may read and trade, and some of the quote coin:')}
      </p>
      <pre tabindex="0"><code>curl -sO "${baseUrl}/docs/bot.mjs"
KEY='svc_key_...' SECRET='svc_secret_...' node bot.mjs</code></pre>
      <pre tabindex="0"><code id="bot-example">${botScript(baseUrl)}</code></pre>
    </section>
    <section id="limits">
      <h2>Limits</h2>
      <p>
        ${prose(`At most ${requests} requests in any ${period}, all endpoints together, counted per client address (an IPv6 network of 64 bits is one) and, for private requests, also per account over all its keys. A batch is one request. \`X-SVC-RATELIMIT-LIMIT\`, \`-WINDOW\`, \`-REMAINING\` and \`-RESET\` stand on every answer. A refusal is HTTP 429 with \`Retry-After\` in seconds and \`details.retryAfterMs\` in milliseconds; refused requests do not prolong the wait.`)}
      </p>
      <ul>
        <li>
          ${prose(`${ordersPerDay} new orders of an account in a day (UTC); beyond that, 6003.`)}
        </li>
        <li>${prose('A list counts as its orders: two for an OCO, three for a bracket.')}</li>
        <li>
          ${prose(`20 orders in a batch of \`create_batch\`, 50 in one of \`cancel_batch\`; a body of 256 KiB.`)}
        </li>
        <li>
          ${prose('A market has limits of its own, which `/public/exchange_info` and `/public/markets` tell: `minimumQuoteSize`, `maxMarketOrderAsk`, `maxMarketOrderBid`, `maxOpenOrders`, `maxConditionalOrders`, and the price band.')}
        </li>
      </ul>
      <p>
        ${prose('Sizes of lists: `limit` of each endpoint says its most, and what is taken when it is absent.')}
      </p>
    </section>`;
}
