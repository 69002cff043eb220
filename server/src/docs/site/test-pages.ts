// A small site with everything that pages can do.
import { readAssets, readPicture } from './assets.ts';
import { buildSite, type BuiltSite, type SiteOptions } from './build.ts';
import { operationBlock, type Operation } from './operation.ts';
import type { Page } from './page.ts';

export const exampleOperation: Operation = {
  api: 'trading',
  id: 'placeOrder',
  method: 'POST',
  path: '/v1/private/order/create',
  authentication: 'signature',
  access: ['trade'],
  isRead: false,
  parameters: [
    {
      name: 'symbol',
      in: 'json',
      isRequired: true,
      type: 'string',
      isJson: false,
      example: 'btcusdt',
    },
    {
      name: 'side',
      in: 'json',
      isRequired: true,
      type: 'one of two',
      isJson: false,
      values: ['buy', 'sell'],
      example: 'sell',
    },
    { name: 'note', in: 'json', isRequired: false, type: 'string', isJson: false, example: '<b>' },
  ],
};

const page = (path: string, more: Partial<Page> = {}): Page => ({
  path,
  language: 'en',
  title: `Title of ${path}`,
  section: 'concepts',
  order: 1,
  description: `About ${path}.`,
  markdown: 'Some words.',
  ...more,
});

export const examplePages: readonly Page[] = [
  page('', { title: 'Documentation', section: 'start', order: 0 }),
  page('', { title: 'راهنما', section: 'start', order: 0, language: 'fa', markdown: 'سلام.' }),
  page('concepts/signing', {
    title: 'Signing',
    source: 'docs/guide/concepts/signing.md',
    keywords: ['X-SVC-SIGNATURE'],
    markdown: `Requests are signed. See [queues](queues.md#resume) and [4010](docs:errors/4010).

> [!WARNING]
> Keep the **secret** secret.

## The text that is signed

\`\`\`sh tab=curl
curl https://rialto.example/v1/public/ping
\`\`\`

\`\`\`python tab=Python
print("hello")  # a comment
\`\`\`

\`\`\`json title="Answer"
{ "status": "true" }
\`\`\`

### The text that is signed

| Name | Meaning |
| --- | --- |
| \`timestamp\` | milliseconds |

## Own anchor {#mine}

[Decisions](../../decisions/0001-one-server-package.md) and [the document](/v1/public/swagger), [above](#mine).
`,
  }),
  page('concepts/queues', {
    title: 'Queues',
    order: 2,
    source: 'docs/guide/concepts/queues.md',
    markdown: '## Resume\n\nA queue goes on from its last event id, clientOrderId or not.',
  }),
  page('concepts/signing', {
    language: 'fa',
    title: 'امضا',
    markdown: 'هر درخواست امضا می‌شود؛ يك كليد لازم است.\n\nOnly Latin letters here.',
  }),
  page('errors/4010', {
    title: '4010 ORDER_TOO_LARGE',
    section: 'errors',
    keywords: ['4010', 'ORDER_TOO_LARGE'],
    markdown: 'The order is larger than the market takes. See `4011` as well.',
  }),
  page('errors/4011', {
    title: '4011 ORDER_NOT_FOUND',
    section: 'errors',
    order: 2,
    keywords: ['4011', 'ORDER_NOT_FOUND'],
    markdown: 'There is no such order. 4010 is another error, 4010 4010 4010.',
  }),
  page('trading/order-create', {
    title: 'Place an order',
    section: 'trading',
    group: 'Orders',
    keywords: ['placeOrder', 'POST /v1/private/order/create'],
    markdown: `${operationBlock(exampleOperation)}\nPlaces an order.`,
  }),
];

export const exampleOptions = (): SiteOptions => ({
  origin: 'https://venue.test',
  base: '/docs/',
  isStatic: false,
  version: '1.2.3',
  assets: readAssets(),
  picture: readPicture(),
});

export const buildExample = (pages: readonly Page[] = examplePages): BuiltSite =>
  buildSite(pages, exampleOptions());

export { page as examplePage };
