// A call as a program for Python 3, with its standard library alone.
import { EXAMPLE_ORIGIN } from '../../site/page.ts';
import { encodePairs, toSent, type Call, type Sent } from './request.ts';

/** Undefined where the standard library makes it long: files, and the sessions of browsers. */
export function pythonSample(call: Call): string | undefined {
  if (call.file !== undefined || call.endpoint.authentication === 'session') return undefined;
  const sent = toSent(call);
  if (call.endpoint.authentication === 'signature') return signed(sent);
  return call.endpoint.api === 'chat' ? chat(call, sent) : open(sent);
}

const open = ({ path, pairs }: Sent): string =>
  lines(
    'import urllib.request',
    '',
    `url = ${text(`${EXAMPLE_ORIGIN}${path}${pairs.length === 0 ? '' : `?${encodePairs(pairs)}`}`)}`,
    'print(urllib.request.urlopen(url).read().decode())',
  );

function signed({ method, path, pairs }: Sent): string {
  const inBody = method === 'POST';
  return lines(
    'import hashlib, hmac, os, time, urllib.parse, urllib.request',
    '',
    `params = ${dictionary([...pairs, ['timestamp', null]])}`,
    'signed_text = urllib.parse.urlencode(params)',
    'secret = os.environ["TRADING_SECRET"].encode()',
    'request = urllib.request.Request(',
    inBody
      ? `    ${text(`${EXAMPLE_ORIGIN}${path}`)},`
      : `    ${text(`${EXAMPLE_ORIGIN}${path}?`)} + signed_text,`,
    `    method=${text(method)},`,
    ...(inBody ? ['    data=signed_text.encode(),'] : []),
    '    headers={',
    '        "X-SVC-APIKEY": os.environ["TRADING_KEY"],',
    '        "X-SVC-SIGNATURE": hmac.new(secret, signed_text.encode(), hashlib.sha256).hexdigest(),',
    '    },',
    ')',
    'print(urllib.request.urlopen(request).read().decode())',
  );
}

function chat({ endpoint }: Call, { method, path, pairs }: Sent): string {
  const isOpen = endpoint.authentication === 'none';
  const address = `${EXAMPLE_ORIGIN}${path}`;
  const isGet = method === 'GET';
  const modules = isOpen
    ? 'urllib.parse, urllib.request'
    : 'base64, os, urllib.parse, urllib.request';
  return lines(
    `import ${modules}`,
    '',
    ...(pairs.length === 0 ? [] : [`params = ${dictionary(pairs)}`]),
    ...(isOpen ? [] : ['user = base64.b64encode(os.environ["CHAT_USER"].encode()).decode()']),
    'request = urllib.request.Request(',
    isGet && pairs.length > 0
      ? `    ${text(`${address}?`)} + urllib.parse.urlencode(params),`
      : `    ${text(address)},`,
    `    method=${text(method)},`,
    ...(isGet || pairs.length === 0 ? [] : ['    data=urllib.parse.urlencode(params).encode(),']),
    ...(isOpen ? [] : ['    headers={"Authorization": f"Basic {user}"},']),
    ')',
    'print(urllib.request.urlopen(request).read().decode())',
  );
}

const lines = (...all: readonly string[]): string => all.join('\n');

/** JSON's string literals are Python's too. */
const text = (value: string): string => JSON.stringify(value);

/** Without a value it is the present time in milliseconds. */
function dictionary(pairs: readonly (readonly [name: string, value: string | null])[]): string {
  const rows = pairs.map(
    ([name, value]) =>
      `    ${text(name)}: ${value === null ? 'int(time.time() * 1000)' : text(value)},`,
  );
  return lines('{', ...rows, '}');
}
