// Texts that try to break out of the text wherever they are shown: each attack in each context. All of them contain
// the word `canary`, so that tests can search for it.

/** Attacks that would run if they were shown unescaped. */
const ATTACKS: readonly string[] = [
  '<script>canary()</script>',
  '<ScRiPt src=//x.example/canary.js></sCrIpT>',
  '<img src=x onerror=canary()>',
  '<svg/onload=canary()>',
  '<svg><script>canary&#40;)</script></svg>',
  '<iframe srcdoc="<script>canary()</script>">',
  '<a href="javascript:canary()">x</a>',
  '<form action=javascript:canary()><button>x',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=canary()&gt;">',
  '<noscript><p title="</noscript><img src=x onerror=canary()>">',
  '</title></textarea></style><img src=x onerror=canary()>',
  '<!--><img src=x onerror=canary()>-->',
  '<![CDATA[<img src=x onerror=canary()>]]>',
  '" onmouseover="canary()" x="',
  "' autofocus onfocus=canary() x='",
  '`onclick=canary()`',
  'javascript:canary()',
  'JaVaScRiPt:canary()',
  'java\tscript:canary()',
  'java&#10;script:canary()',
  '&#106;avascript:canary()',
  '\u{1}javascript:canary()',
  'data:text/html,<script>canary()</script>',
  'vbscript:canary()',
  'https://x.example/"onmouseover="canary()',
  'https://x.example/(canary)[canary]<canary>',
  'https://x.example/\u{202E}gpj.canary\u{202C}',
  '\\href{javascript:canary()}{x}',
  '\\htmlData{onclick=canary()}{x}',
  '\\includegraphics{javascript:canary()}',
  '{{constructor.constructor("canary()")()}}',
  '${canary()} <%= canary() %> #{canary()}',
  'canary\u{2028}\u{2029}\u{FEFF}',
  '&lt;img src=x onerror=canary()&gt;',
];

const FENCE = '```';
/** The contexts that an attack is put into. */
const PLACES: Readonly<Record<string, (attack: string) => string>> = {
  alone: (attack) => attack,
  bold: (attack) => `**${attack}**`,
  link: (attack) => `[canary](${attack})`,
  'link in brackets': (attack) => `[canary](<${attack}>)`,
  'text of a link': (attack) => `[${attack}](https://x.example)`,
  'title of a link': (attack) => `[canary](https://x.example "${attack}")`,
  picture: (attack) => `![${attack}](${attack})`,
  autolink: (attack) => `<${attack}>`,
  quote: (attack) => `> > ${attack}`,
  list: (attack) => `* ${attack}\n  1. ${attack}`,
  heading: (attack) => `# ${attack}`,
  cell: (attack) => `| ${attack} | canary |\n| :-: | - |\n| ${attack} | ${attack} |`,
  'code span': (attack) => `\`${attack}\``,
  'language of code': (attack) => `${FENCE}${attack}\ncanary\n${FENCE}`,
  code: (attack) => `${FENCE}html\n${attack}\n${FENCE}`,
  spoiler: (attack) => `${FENCE}spoiler ${attack}\n${attack}\n${FENCE}`,
  math: (attack) => `$$${attack}$$`,
  'math block': (attack) => `${FENCE}math\n${attack}\n${FENCE}`,
  mention: (attack) => `@**${attack}** @_**${attack}|12** @*${attack}*`,
  channel: (attack) => `#**${attack}>${attack}**`,
  emoji: (attack) => `:${attack}: :parrot":`,
  time: (attack) => `<time:${attack}>`,
  linkifier: (attack) => `PROJ-${attack} #12${attack}`,
  'nested Markdown': (attack) => `**_~~[**${attack}**](https://x.example/${attack})~~_**`,
};

export interface HostileText {
  readonly place: string;
  readonly text: string;
}

export const HOSTILE_TEXTS: readonly HostileText[] = Object.entries(PLACES).flatMap(
  ([place, put]) => ATTACKS.map((attack) => ({ place, text: put(attack) })),
);
