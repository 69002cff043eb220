import MiniSearch from 'minisearch';
import { describe, expect, it } from 'vitest';
import { readAssets } from './assets.ts';
import { listFiles, listPaths, planSite, type BuiltSite } from './build.ts';
import { find, INDEX_OPTIONS } from './client/words.js';
import { renderFullText } from './machines.ts';
import { fillSearchPage } from './special-pages.ts';
import { operationBlock } from './operation.ts';
import {
  buildExample,
  exampleOperation,
  exampleOptions,
  examplePage,
  examplePages,
} from './test-pages.ts';

const built = buildExample();
const text = (path: string, { files }: BuiltSite = built): string => {
  const file = files.get(path);
  if (file === undefined) throw new Error(`There is no ${path}.`);
  return file.text;
};
const signing = text('concepts/signing/index.html');

describe('a page', () => {
  it('has no script, style or handler inside, and loads nothing from elsewhere', () => {
    for (const [path, { text: html, type }] of built.files) {
      if (!type.startsWith('text/html')) continue;
      expect(html, path).not.toMatch(/<style|\sstyle="|\son[a-z]+="|<script(?![^>]+src=)[^>]*>/);
      for (const [, source = ''] of html.matchAll(
        /(?:<script[^>]+src|<link[^>]+href|<img[^>]+src)="([^"]*)"/g,
      )) {
        expect(source, path).toMatch(
          path === '404.html' ? /^\/docs\/assets\// : /^(\.\.\/)*assets\//,
        );
      }
    }
  });

  it('has one heading of the first level, a skip link to its main part, and ids that occur once', () => {
    for (const [path, { text: html, type }] of built.files) {
      if (!type.startsWith('text/html')) continue;
      expect(html.match(/<h1[ >]/g), path).toHaveLength(1);
      expect(html, path).toContain('<a class="skip" href="#main">');
      const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
      expect(ids.length, path).toBe(new Set(ids).size);
    }
  });

  it('links to files of pages, to pages by path, to the server, and not to other files', () => {
    expect(signing).toContain('<a href="../../concepts/queues/#resume">queues</a>');
    expect(signing).toContain('<a href="../../errors/4010/">4010</a>');
    expect(signing).toContain('<a href="https://venue.test/v1/public/swagger" rel="noopener">');
    expect(signing).toContain('<span class="file">Decisions</span>');
    expect(signing).toContain('<a href="#mine">above</a>');
  });

  it('gives headings stable anchors, each once, and an own one where the author wants it', () => {
    for (const id of ['the-text-that-is-signed', 'the-text-that-is-signed-1', 'mine']) {
      expect(signing).toContain(`id="${id}"`);
      expect(signing).toContain(`href="#${id}"`);
    }
  });

  it('shows examples in tabs that need no script, coloured, with the address of the server', () => {
    expect(signing).toMatch(
      /<input type="radio" name="tabs-1" id="tabs-1-0" value="curl" checked>/,
    );
    expect(signing.match(/class="panel"/g)).toHaveLength(2);
    expect(signing).toContain('curl https://venue.test/v1/public/ping');
    expect(signing).toContain('<span class="hljs-comment"># a comment</span>');
    expect(signing).toContain('<figcaption>Answer</figcaption>');
    expect(signing).not.toContain('rialto.example');
  });

  it('says in each cell of a table which column it is in', () => {
    expect(signing).toContain('<td data-label="Name"><code>timestamp</code></td>');
    expect(signing).toContain('<td data-label="Meaning">milliseconds</td>');
  });

  it('has callouts with their name', () => {
    expect(signing).toMatch(
      /<blockquote class="callout warning"><p class="name">Warning<\/p>\s*<p>Keep/,
    );
  });

  it('writes what authors give as text, never as HTML', () => {
    const site = buildExample([
      examplePage('a', {
        title: '<img src=x>',
        description: '"><script>alert(1)</script>',
        group: '<b>',
        markdown:
          '<script>alert(1)</script> [x](javascript:alert(1)) ![y](http://a/b.png)\n\n## <u>\n\n```"><i>\n<i>\n```',
      }),
    ]);
    const html = text('a/index.html', site);
    expect(html).not.toMatch(/<script>|<img src=x|<u>|<i>|<b>|href="javascript/);
    expect(site.problems).not.toEqual([]);
  });
});

describe('a Persian page', () => {
  const persian = text('fa/concepts/signing/index.html');

  it('runs from right to left, and from left to right where a block has no Persian letter', () => {
    expect(persian).toContain('<html lang="fa" dir="rtl">');
    expect(persian).toContain('<p dir="ltr">Only Latin letters here.</p>');
    expect(persian).toMatch(/<p>هر درخواست/);
  });

  it('and its sister lead to each other; a page without a sister leads to the first page', () => {
    expect(persian).toContain('href="../../../concepts/signing/" lang="en"');
    expect(signing).toContain('href="../../fa/concepts/signing/" lang="fa"');
    expect(text('errors/4010/index.html')).toContain('href="../../fa/" lang="fa"');
  });

  it('lists sections that exist only in English, and says so', () => {
    expect(persian).toMatch(/hreflang="en">خطاها <small>به انگلیسی/);
  });
});

describe('an operation', () => {
  const html = text('trading/order-create/index.html');

  it('has its head, its badges and a form with its parameters', () => {
    expect(html).toContain('<span class="method post">POST</span>');
    expect(html).toContain('<li>trade</li>');
    expect(html).toMatch(/name="symbol" data-in="json" required value="btcusdt"/);
    expect(html).toMatch(/<option selected>sell<\/option>/);
    expect(html).toContain('placeholder="&lt;b&gt;"');
    expect(html).toContain('really does');
    expect(html).toMatch(/<script type="module" src="..\/..\/assets\/try-/);
    expect(signing).not.toContain('/try-');
  });

  it('comes before what is said about it, and its description is not said twice', () => {
    const site = buildExample([
      examplePage('a', {
        description: 'Places an order.',
        markdown: `Places an order. More.\n\n${operationBlock(exampleOperation)}`,
      }),
    ]);
    const page = text('a/index.html', site);
    expect(page.indexOf('class="operation"')).toBeLessThan(page.indexOf('<p>Places an order.'));
    expect(page.indexOf('class="operation"')).toBeGreaterThan(0);
    expect(page).not.toContain('class="lede"');
  });

  it('takes secrets in fields that browsers do not offer to store', () => {
    expect(html).not.toContain('type="password"');
    expect(html).toMatch(/name="secret" class="secret" data-in="credential" autocomplete="off"/);
  });

  it('is words in the text for machines', () => {
    expect(text('trading/order-create.md')).toContain(
      '`POST /v1/private/order/create` (signature, trade)',
    );
    expect(text('llms-full.txt')).not.toContain('```operation');
  });
});

describe('a mistake', () => {
  it.each([
    ['a page that does not exist', { markdown: '[x](docs:nowhere)' }, 'no such page'],
    ['a part that does not exist', { markdown: '[x](#nothing)' }, 'has no part #nothing'],
    ['another kind of link', { markdown: '[x](ftp://a/b)' }, 'do not work'],
    ['a file, from a page that is none', { markdown: '[x](b.md)' }, 'with "docs:"'],
    ['a picture', { markdown: '![x](http://a/b.png)' }, 'no pictures'],
  ])('is found: %s', (_what, more, problem) => {
    const { problems } = buildExample([examplePage('a', more)]);
    expect(problems.join('\n')).toContain(problem);
    expect(problems).toHaveLength(1);
  });

  it('is found: two pages at one address, and addresses that the site needs itself', () => {
    const paths = ['a', 'a', 'assets/x', 'search', 'fa/x', '../x', 'a//b', '/a'];
    const { problems, files } = buildExample(paths.map((path) => examplePage(path)));
    expect(problems).toHaveLength(paths.length - 1);
    expect([...files.keys()].filter((path) => path.includes('..'))).toEqual([]);
  });

  it('is not in the example', () => {
    expect(built.problems).toEqual([]);
  });
});

describe('the search', () => {
  const [, file] = [...built.files].find(([path]) => path.startsWith('assets/index-')) ?? [];
  const index = MiniSearch.loadJSON(file?.text ?? '', INDEX_OPTIONS);
  const urls = (query: string, language: 'en' | 'fa' = 'en') =>
    find(index, query, language).map(({ url }) => url);

  it.each([
    ['4010', 'errors/4010/'],
    ['ORDER_NOT_FOUND', 'errors/4011/'],
    ['order_not_found', 'errors/4011/'],
    ['placeOrder', 'trading/order-create/'],
    ['POST /v1/private/order/create', 'trading/order-create/'],
    ['x-svc-signature', 'concepts/signing/'],
    ['resume', 'concepts/queues/#resume'],
    ['clientorderid', 'concepts/queues/#resume'],
    ['signning', 'concepts/signing/'],
  ])('finds %s first at %s', (query, url) => {
    expect(urls(query)[0]).toBe(url);
  });

  it('finds Persian, however it is typed, and prefers the language of the reader', () => {
    expect(urls('يك كليد', 'fa')[0]).toBe('fa/concepts/signing/');
    expect(urls('یک کلید', 'fa')[0]).toBe('fa/concepts/signing/');
  });

  it('shows at most two parts of one page, and the best of them', () => {
    const pages = urls('order').map((url) => url.split('#')[0]);
    for (const page of pages) {
      expect(pages.filter((one) => one === page).length).toBeLessThanOrEqual(2);
    }
  });

  it('finds nothing for nonsense, and survives everything', () => {
    for (const query of ['', ' ', 'qqqqzzzz', '*'.repeat(5000), '\u0000', '[(', 'x'.repeat(9000)]) {
      expect(urls(query)).toEqual([]);
    }
  });

  it('shows what was found as text, also without a script', () => {
    const found = find(index, 'order', 'en');
    const html = fillSearchPage(text('search/index.html'), 'en', '"><b>$&', found);
    expect(html).toContain('value="&quot;&gt;&lt;b&gt;$&amp;"');
    expect(html).not.toContain('<b>');
    expect(html).toMatch(/<a href="..\/errors\/4011\/">4011 ORDER_NOT_FOUND<\/a>/);
    expect(fillSearchPage(text('search/index.html'), 'fa', 'x', [])).toContain('چیزی یافت نشد');
  });
});

describe('for machines', () => {
  it('llms.txt lists every English page, and each is there as Markdown', () => {
    const list = text('llms.txt');
    for (const page of examplePages.filter(({ language }) => language === 'en')) {
      const path = `${page.path === '' ? 'index' : page.path}.md`;
      expect(list).toContain(`(https://venue.test/docs/${path})`);
      expect(text(path)).toContain(`# ${page.title}`);
    }
  });

  it('the text of all pages is bounded, and says so', () => {
    const pages = Array.from({ length: 6 }, (_one, index) =>
      examplePage(`p${index}`, { markdown: 'word '.repeat(200_000) }),
    );
    const full = renderFullText(pages, 'https://venue.test/docs/');
    expect(full.length).toBeLessThan(4.1 * 2 ** 20);
    expect(full).toContain('The rest is left out here');
  });

  it('the sitemap has the addresses of both languages', () => {
    const map = text('sitemap.xml');
    expect(map).toContain('<loc>https://venue.test/docs/concepts/signing/</loc>');
    expect(map).toContain('<loc>https://venue.test/docs/fa/concepts/signing/</loc>');
  });
});

it('the paths of all files are known before any is made', () => {
  const plan = planSite(examplePages, exampleOptions());
  expect(listPaths(plan).sort()).toEqual([...built.files.keys()].sort());
});

it('the page that is asked for first comes first', () => {
  const [page] = [...listFiles(planSite(examplePages, exampleOptions()), 'errors/4010/')].filter(
    ([path]) => path.endsWith('/index.html'),
  );
  expect(page?.[0]).toBe('errors/4010/index.html');
});

it('the same pages give the same files, byte for byte', () => {
  expect(buildExample().files).toEqual(built.files);
});

it('every file that a script imports is served under the name that it imports', () => {
  const assets = readAssets();
  for (const { text: code, path } of Object.values(assets)) {
    if (!path.endsWith('.js')) continue;
    for (const [, name = ''] of code.matchAll(/^import .* from '([^']+)'/gm)) {
      expect([...built.files.keys()]).toContain(name.replace('./', 'assets/'));
    }
  }
});
