// A call as a program for Node, with `@rialto/sdk`.
import { EXAMPLE_ORIGIN } from '../../site/page.ts';
import type { Endpoint } from '../endpoints.ts';
import type { Call } from './request.ts';

/** Undefined for sessions, which only a page in a browser has. */
export function typescriptSample(call: Call): string | undefined {
  const { endpoint } = call;
  if (endpoint.authentication === 'session') return undefined;
  return endpoint.api === 'chat' ? chat(call) : trading(call);
}

function trading({ endpoint, params }: Call): string {
  const isSigned = endpoint.authentication === 'signature';
  const credentials = isSigned
    ? ['  key: process.env.TRADING_KEY!,', '  secret: process.env.TRADING_SECRET!,']
    : [];
  const made = isSigned
    ? ['const venue = new Trading({', `  url: '${EXAMPLE_ORIGIN}',`, ...credentials, '});']
    : [`const venue = new Trading({ url: '${EXAMPLE_ORIGIN}' });`];
  return [
    "import { Trading } from '@rialto/sdk';",
    '',
    ...made,
    `console.log(await venue.${tradingMethod(endpoint)}(${argument(params)}));`,
  ].join('\n');
}

function chat({ endpoint, params, file }: Call): string {
  const isOpen = endpoint.authentication === 'none';
  const sent = file === undefined ? argument(params) : upload(params, file);
  return [
    ...(file === undefined ? [] : ["import { readFile } from 'node:fs/promises';"]),
    "import { Chat } from '@rialto/sdk';",
    '',
    ...(isOpen
      ? [`const chat = new Chat({ url: '${EXAMPLE_ORIGIN}' });`]
      : [
          "const [email, apiKey] = process.env.CHAT_USER!.split(':');",
          `const chat = new Chat({ url: '${EXAMPLE_ORIGIN}', email, apiKey });`,
        ]),
    `console.log(await chat.${camel(endpoint.id)}(${sent}));`,
  ].join('\n');
}

/** `/v1/private/order_list/create_oco` is `orderList.createOco`, as the SDK names it. */
function tradingMethod({ path }: Endpoint): string {
  const [group = '', ...rest] = path.replace(/^\/v1\/(?:private\/)?/, '').split('/');
  return `${camel(group)}.${camel(rest.join('_'))}`;
}

const camel = (text: string): string =>
  text.replaceAll(/[_-](\w)/g, (_mark, letter: string) => letter.toUpperCase());

const argument = (params: Call['params']): string =>
  Object.keys(params).length === 0 ? '' : literal(params, '');

function upload(params: Call['params'], file: string): string {
  const rows = Object.entries(params).map(([name, value]) => `  ${name}: ${literal(value, '  ')},`);
  return [
    '{',
    ...rows,
    `  file: new Blob([await readFile('${file}')]),`,
    `  name: '${file}',`,
    '}',
  ].join('\n');
}

/** A value as TypeScript writes it. */
function literal(value: unknown, indent: string): string {
  if (typeof value === 'string') return text(value);
  if (Array.isArray(value)) return `[${value.map((item) => literal(item, indent)).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const rows = Object.entries(value).map(
    ([name, member]) =>
      `${/^\w+$/.test(name) ? name : text(name)}: ${literal(member, `${indent}  `)}`,
  );
  const short = `{ ${rows.join(', ')} }`;
  if (short.length <= 80 && !short.includes('\n')) return short;
  return ['{', ...rows.map((row) => `${indent}  ${row},`), `${indent}}`].join('\n');
}

const text = (value: string): string =>
  `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
