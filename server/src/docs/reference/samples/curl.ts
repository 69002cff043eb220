// A call as commands for sh, bash and zsh, with curl and openssl.
import { EXAMPLE_ORIGIN } from '../../site/page.ts';
import { encodePairs, toSent, type Call, type Sent } from './request.ts';

export function curlSample(call: Call): string {
  const sent = toSent(call);
  switch (call.endpoint.authentication) {
    case 'signature':
      return signed(sent);
    case 'session':
      return inSession(sent);
    default:
      return call.endpoint.api === 'chat' ? chat(call, sent) : open(sent);
  }
}

function open({ path, pairs }: Sent): string {
  const query = pairs.length === 0 ? '' : `?${encodePairs(pairs)}`;
  return `curl ${quote(`${EXAMPLE_ORIGIN}${path}${query}`)}`;
}

function signed({ method, path, pairs }: Sent): string {
  const text = `${pairs.length === 0 ? '' : `${encodePairs(pairs)}&`}timestamp=`;
  const address = `${EXAMPLE_ORIGIN}${path}`;
  const target =
    method === 'POST'
      ? `${quote(address)} -d "$TEXT"`
      : `${method === 'GET' ? '' : `-X ${method} `}${quote(`${address}?`)}"$TEXT"`;
  return [
    `NOW=$(curl -s ${EXAMPLE_ORIGIN}/v1/public/time | sed 's/.*"result":"//; s/".*//')`,
    `TEXT=${quote(text)}"$NOW"`,
    `SIGNATURE=$(printf '%s' "$TEXT" | openssl dgst -sha256 -hmac "$TRADING_SECRET" | sed 's/^.* //')`,
    `curl ${target} \\`,
    '  -H "X-SVC-APIKEY: $TRADING_KEY" -H "X-SVC-SIGNATURE: $SIGNATURE"',
  ].join('\n');
}

/** The cookies are those of a browser that is signed in. */
function inSession({ method, path, pairs }: Sent): string {
  const fields = pairs.map(([name, value]) => `  --data-urlencode ${quote(`${name}=${value}`)} \\`);
  const verb = method === 'GET' ? '-G ' : method === 'POST' ? '' : `-G -X ${method} `;
  return [
    `curl ${verb}${quote(`${EXAMPLE_ORIGIN}${path}`)} \\`,
    ...fields,
    ...(method === 'GET' ? [] : ['  -H "X-CSRFToken: $CSRF_TOKEN" -H "X-SVC-OTP: $CODE" \\']),
    '  -b "__Host-sessionid=$SESSION"',
  ].join('\n');
}

function chat({ endpoint, file }: Call, { method, path, pairs }: Sent): string {
  const who = endpoint.authentication === 'none' ? [] : ['-u "$CHAT_USER"'];
  const verb = verbOf(method, pairs.length > 0 || file !== undefined);
  const fields = pairs.map(([name, value]) =>
    /^[\w.@-]*$/.test(value)
      ? `-d ${name}=${value}`
      : `--data-urlencode ${quote(`${name}=${value}`)}`,
  );
  const files = file === undefined ? [] : [`-F ${quote(`file=@${file}`)}`];
  const [first, ...more] = [
    ['curl', ...who, ...verb, quote(`${EXAMPLE_ORIGIN}${path}`)].join(' '),
    ...fields,
    ...files,
  ];
  return [first, ...more.map((line) => `  ${line}`)].join(' \\\n');
}

function verbOf(method: string, hasFields: boolean): string[] {
  if (method === 'GET') return hasFields ? ['-G'] : [];
  if (method === 'POST') return hasFields ? [] : ['-X POST'];
  return [`-X ${method}`];
}

/** For a POSIX shell; plain words need no quotes. */
const quote = (text: string): string =>
  /^[\w./:@=,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
