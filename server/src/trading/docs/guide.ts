// The introduction of the reference page: envelope, signing, retries and limits.

import { botScript } from './bot.ts';
import { html, prose, type Html } from './html.ts';

/** The limits in force, as the page tells them. */
export interface ToldLimits {
  readonly requests: number;
  readonly windowMs: number;
  readonly ordersPerDay: number;
}

/** Signatures of the key whose seed the page tells. */
const VECTORS = [
  {
    text: 'symbol=btcusdt&limit=50&timestamp=1760000000000',
    signature:
      '9fbec8deb8fed64803e2a8017e40a6566ea262832685b3e91947304eb7d8552cfc44c3cf12494029cea26e9a45a196267cf3205dc7620ffdba9dc0b5c63b3106',
  },
  {
    text: 'orderId=1048577&timestamp=1760000000250',
    signature:
      '200804d90fe3f06484510b962c48e862a0b3693e51c8a494bb47e2eeb5282296407e75ce5bfa22ba475e9ed64c0e75ff7274713dc98ef364b9a9d7a7b350240c',
  },
  {
    text: 'symbol=btcusdt&side=buy&type=limit&price=64250.10&volume=0.0150&clientOrderId=desk-a-1&timestamp=1760000000500',
    signature:
      '6ac9fec73ce3aa40e7631cc65e5ebb47162d8c5815f5ded769247ca9823fd6ae202f7380be0c984de8347ae2017aae7722d351285d3135080c68f0301a1e880c',
  },
] as const;
const BOUND_VECTOR =
  '5e5697b6be7f44eacef60af813d9838da3478f038e70bcc6332a00cc1049a5db59bd3c32c5520dca573e90c48e204352edf9ba9114fc73e93002addcaaa94d0c';

/** What a newcomer needs before the list of endpoints. */
export function renderGuide(baseUrl: string, limits: ToldLimits): Html {
  const { requests, windowMs, ordersPerDay } = limits;
  const sessionUrl = baseUrl.replace(/\/v1$/, '/json/v1');
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
    <section id="sessions">
      <h2>Sessions and keys</h2>
      <p>
        ${prose(`A browser that is signed in reaches every private endpoint under \`${sessionUrl}\`, with its session instead of a key and a signature. Parameters are the same, without \`timestamp\`, \`recvWindow\` and \`nonce\`; an order is refused with 3006 if the engine gets to it later than five seconds after it arrived. Everything but GET needs the session’s token in the header \`X-CSRFToken\`, which the cookie \`__Host-csrftoken\` has, or in the form field \`csrfmiddlewaretoken\`. Keys are refused there, and sessions are refused under \`${baseUrl}\`. The first request opens your account.`)}
      </p>
      <p>
        ${prose('Only a session makes and changes keys, and each of these acts asks for a second factor: send a code in `X-SVC-OTP`, or an assertion in `X-SVC-ASSERTION`. `api_key/rotate` gives a second key with the same terms; both work during the overlap. A key that may trade from every address lives for at most 90 days.')}
      </p>
      <p>
        ${prose('A key of type `ed25519` has no secret: you give your public key, 64 lower-case hexadecimal digits, and sign the same text as above with Ed25519. `X-SVC-SIGNATURE` then has 128 lower-case hexadecimal digits. To check your program: with the private key (seed) SHA-256 of `rialto ed25519 test vector`, the public key is `f33556dbfbd1dd580845f7a114ebc9b2ef269b2dd66a688d5958216eeb6eed79`, and these texts have these signatures:')}
      </p>
      <ul>
        ${VECTORS.map(
          ({ text, signature }) => html`<li>${prose(`\`${text}\`: \`${signature}\``)}</li>`,
        )}
      </ul>
      <p>
        ${prose('The third text with `X-SVC-SIGNATURE-VERSION: 2`, after `POST`, a newline, `/v1/private/order/create` and a newline:')}
        <code>${BOUND_VECTOR}</code>
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
