// One message of each kind, as the server writes them.
import { render } from '../../server/src/chat/text/markdown/render.ts';
import { EXAMPLE_ENV } from '../../server/src/chat/text/markdown/test-env.ts';

const TEXTS: readonly string[] = [
  'Is the **64k wall** real? *Perhaps*, but ~~never~~ `limit` orders say so.\nA second line of the same paragraph.',
  'BTC امروز سه درصد بالا رفت و @**Ada Lovelace** هنوز خوشحال نیست. `npm ci` را اجرا کن.\nThis line is English.',
  '@**Ada Lovelace** @_**Charles Babbage** @*devs* @**all** see #**general** and #**general>Lunch** and #**دانش**',
  '# A heading\n## A smaller one\n### The third\nText below it.\n\n---\n\n1. One\n2. Two\n   * nested\n   * again\n3. Three\n\n* اولین مورد\n* دومین مورد',
  '> Pulled twice this morning, said nobody in particular.\n> > And this is quoted inside.\n\nMy answer.\n\n> این یک نقل قول فارسی است.',
  '```python\n@dataclass\nclass Order:\n    """An order."""\n    price: Decimal = Decimal("64210.50")  # exact\n    def total(self) -> Decimal:\n        return self.price * 2 if True else None\n```',
  '```\nplain code without a language, with a line that is certainly much longer than the box it stands in, so that it has to scroll sideways on every screen\n```',
  '```ts\nconst total = `${price * 2n}`; // a comment\nexport function f(a: string): number { return a === "x" ? 1 : 0x2f; }\n```\n```diff\n+ added\n- removed\n```',
  'Inline $$E = mc^2$$ and $$x \\in \\mathbb{R}$$ in a line.\n```math\n\\int_0^1 \\frac{x^2 + \\sqrt{y}}{\\sum_{i=1}^{n} a_i} dx = \\begin{pmatrix} a & b \\\\ c & d \\end{pmatrix}\n```\n$$\\bad{$$',
  '| Market | Price | 24h |\n| :--- | ---: | :-: |\n| BTC/USDT | 64,210.50 | **+1.24%** |\n| ETH/USDT | 3,120.04 | -0.31% |',
  '| نام | قیمت |\n| --- | --- |\n| بیت‌کوین | 64,210.50 |\n| اتریوم | 3,120.04 |',
  '```spoiler The *end* of the film\nHe was a **ghost**.\n```',
  ':smile: :tada: :heart:',
  'Meeting at <time:2026-11-16T10:00:00Z>, and <time:whenever>. :thumbs_up: and :parrot:',
  'A [page](https://example.com/a "its title"), a [bank.example](https://evil.example/login), and https://example.com/a/very/long/address/that/has/to/be/broken/somewhere/because/it/is/longer/than/a/phone',
  '[cat.png](/user_uploads/2/ab/cdef/cat.png) [new.jpg](/user_uploads/2/ab/cdef/new.jpg)',
  '[notes.txt](/user_uploads/2/ab/cdef/notes.txt)',
  '[clip.mp4](/user_uploads/2/ab/cdef/clip.mp4)',
  '![song](/user_uploads/2/ab/cdef/song.mp3)',
  'https://news.example/story',
  'https://www.youtube.com/watch?v=dQw4w9WgXcQ',
];

const widget = (content: unknown) => ({
  id: 1,
  senderId: 1,
  type: 'widget',
  content: JSON.stringify(content),
});
const act = (id: number, senderId: number, content: unknown) => ({
  ...widget(content),
  id,
  senderId,
});

const WIDGETS = [
  {
    html: '<p>/poll</p>',
    submessages: [
      widget({
        widget_type: 'poll',
        extra_data: {
          question: 'Where do we meet?',
          options: ['The roof', 'کافهٔ روبه‌رو', 'Nowhere'],
        },
      }),
      act(2, 12, { type: 'vote', key: 'canned,0', vote: 1 }),
      act(3, 2, { type: 'vote', key: 'canned,0', vote: 1 }),
      act(4, 1, { type: 'vote', key: 'canned,1', vote: 1 }),
    ],
  },
  {
    html: '<p>/todo</p>',
    submessages: [
      widget({
        widget_type: 'todo',
        extra_data: {
          task_list_title: 'Launch',
          tasks: [
            { task: 'Test', desc: 'all of it' },
            { task: 'عرضه', desc: '' },
          ],
        },
      }),
      act(2, 12, { type: 'strike', key: '0,canned' }),
    ],
  },
];

const FORM = {
  html: '<p>Which one?</p>',
  submessages: [
    widget({
      widget_type: 'zform',
      extra_data: {
        type: 'choices',
        heading: 'Which market do you want to see?',
        choices: [
          {
            type: 'multiple_choice',
            short_name: 'A',
            long_name: 'BTC/USDT',
            reply: 'show btcusdt',
          },
          {
            type: 'multiple_choice',
            short_name: 'B',
            long_name: 'همهٔ بازارها',
            reply: 'show all',
          },
        ],
      },
    }),
  ],
};

export const EVERYTHING: readonly unknown[] = [
  ...TEXTS.map((text) => ({
    html: render(text, { ...EXAMPLE_ENV, hasLinkPreviews: true, hasImagePreviews: true }).html,
  })),
  { html: '<p>/me waves to everybody</p>', isMe: true },
  {
    html: '<p>A <span class="highlight">found</span> word, an <span class="highlight_text_inserted">added</span> and a <span class="highlight_text_deleted">removed</span> one. <marquee>Something else</marquee></p>',
  },
  ...WIDGETS,
  FORM,
];
