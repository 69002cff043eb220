// Checks the renderer's HTML independently, as a second defence: it names everything that the rules here do not allow.
import { MAX_DEPTH } from './limits.ts';
import { isOwnPath, safeUrl } from './urls.ts';

const GLOBAL = ['class', 'style', 'title', 'aria-hidden'];

/** Every element that a message may contain, with its attributes besides the common ones. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    'p br hr em strong del code pre blockquote ul li h1 h2 h3 h4 h5 h6 table thead tbody tr th td semantics'
      .split(' ')
      .map((name) => [name, []]),
  ),
  div: ['data-code-language'],
  ol: ['start'],
  span: ['data-user-id', 'data-user-group-id', 'aria-label', 'role'],
  a: ['href', 'data-stream-id', 'data-id'],
  img: [
    'src',
    'alt',
    'data-original-src',
    'data-original-dimensions',
    'data-original-content-type',
  ],
  audio: ['src', 'controls', 'preload', 'data-original-url'],
  video: ['src', 'preload'],
  time: ['datetime'],
  math: ['xmlns', 'display'],
  annotation: ['encoding'],
  svg: ['xmlns', 'width', 'height', 'viewBox', 'preserveAspectRatio'],
  path: ['d'],
  line: ['x1', 'y1', 'x2', 'y2', 'stroke-width'],
};
const MATHML_ATTRIBUTES = (
  'mathvariant mathsize mathcolor mathbackground stretchy fence separator symmetric lspace rspace minsize maxsize ' +
  'width height depth voffset accent accentunder linethickness columnalign columnspacing rowspacing ' +
  'columnlines rowlines scriptlevel displaystyle movablelimits notation side linebreak form largeop'
).split(' ');
const MATHML =
  'mrow mi mn ms mo mtext mspace msup msub msubsup munder mover munderover mfrac msqrt mroot mtable mtr mtd ' +
  'mlabeledtr mpadded mphantom menclose mstyle mglyph';

const ALLOWED = new Map<string, ReadonlySet<string>>(
  Object.entries(ELEMENTS).map(([name, attributes]) => [name, new Set([...GLOBAL, ...attributes])]),
);
for (const name of MATHML.split(' ')) ALLOWED.set(name, new Set([...GLOBAL, ...MATHML_ATTRIBUTES]));

const VOID: ReadonlySet<string> = new Set(['br', 'hr', 'img']);
const ADDRESSES: ReadonlySet<string> = new Set([
  'href',
  'src',
  'data-original-src',
  'data-original-url',
]);
const NAMESPACES: ReadonlySet<string> = new Set([
  'http://www.w3.org/1998/Math/MathML',
  'http://www.w3.org/2000/svg',
]);

const TAG =
  /<(\/?)([a-z][a-z0-9]*)((?:\s+[a-zA-Z][a-zA-Z0-9-]*(?: ?=(?:"[^"<>]*"|'[^'"<>]*'))?)*)\s*(\/?)>/y;
const ATTRIBUTE = /(?<!\s)\s+([a-zA-Z][a-zA-Z0-9-]*)(?: ?=(?:"([^"<>]*)"|'([^'"<>]*)'))?/g;
const ENTITY = /&(?:amp|lt|gt|quot|nbsp|#39|#x27);/y;
/** Lengths, colours and positions that KaTeX writes, and the alignment of table cells. */
const STYLES: ReadonlySet<string> = new Set(
  (
    'height min-height width min-width top bottom left vertical-align text-align color background-color font-size ' +
    'font-weight font-style position margin margin-left margin-right margin-top margin-bottom padding-left padding-right ' +
    'border border-width border-style border-color border-top-width border-bottom-width border-right-width border-right-style ' +
    'text-shadow'
  ).split(' '),
);
const STYLE_VALUE = /^[-+#a-z0-9.% ]+$/i;
const BACKGROUND = /^background-image: url\("((?:https?:|\/external_content\/)[^"\\()\s]+)"\)$/;

/** What is wrong with the HTML of a message; undefined if it is allowed. */
export function findUnsafe(html: string): string | undefined {
  const stack: string[] = [];
  for (let at = 0; at < html.length;) {
    const next = html.indexOf('<', at);
    const text = html.slice(at, next < 0 ? undefined : next);
    const problem = findTextProblem(text);
    if (problem !== undefined) return problem;
    if (next < 0) break;
    TAG.lastIndex = next;
    const match = TAG.exec(html);
    if (match === null) return `a tag that cannot be read: ${html.slice(next, next + 40)}`;
    const [whole, slash, name = '', attributes = '', selfClosing] = match;
    if (slash === '/') {
      if (stack.pop() !== name || attributes !== '') return `</${name}> closes what was not open`;
    } else {
      const wrong = findElementProblem(name, attributes);
      if (wrong !== undefined) return wrong;
      if (selfClosing === '' && !VOID.has(name)) stack.push(name);
      if (stack.length > MAX_DEPTH) return `more than ${MAX_DEPTH} elements inside each other`;
    }
    at = next + whole.length;
  }
  return stack.length === 0 ? undefined : `<${stack.at(-1) ?? ''}> is not closed`;
}

function findTextProblem(text: string): string | undefined {
  if (text.includes('>')) return 'a > outside of a tag';
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) {
    ENTITY.lastIndex = at;
    if (!ENTITY.test(text)) return `an & that is not escaped: ${text.slice(at, at + 20)}`;
  }
  return undefined;
}

function findElementProblem(name: string, attributes: string): string | undefined {
  const allowed = ALLOWED.get(name);
  if (allowed === undefined) return `<${name}> is not an element of messages`;
  const seen = new Set<string>();
  for (const [, attribute = '', double, single] of attributes.matchAll(ATTRIBUTE)) {
    if (!allowed.has(attribute)) return `<${name}> may not have ${attribute}`;
    if (seen.has(attribute)) return `<${name}> has ${attribute} twice`;
    seen.add(attribute);
    const value = unescape(double ?? single ?? '');
    if (!isValueSafe(attribute, value))
      return `<${name}> has a bad ${attribute}: ${value.slice(0, 80)}`;
  }
  return undefined;
}

function isValueSafe(attribute: string, value: string): boolean {
  if (ADDRESSES.has(attribute)) return isOwnPath(value) || safeUrl(value) === value;
  if (attribute === 'xmlns') return NAMESPACES.has(value);
  if (attribute !== 'style') return true;
  const image = BACKGROUND.exec(value)?.[1];
  return image === undefined ? isStyleSafe(value) : isOwnPath(image) || safeUrl(image) === image;
}

function isStyleSafe(style: string): boolean {
  return style
    .split(';')
    .filter((declaration) => declaration !== '')
    .every((declaration) => {
      const [property = '', value = '', ...rest] = declaration.split(':');
      if (rest.length > 0 || !STYLES.has(property) || !STYLE_VALUE.test(value)) return false;
      // Nothing may be positioned over the rest of the page.
      return property !== 'position' || value === 'relative';
    });
}

const unescape = (text: string): string =>
  text
    .replaceAll('&quot;', '"')
    .replaceAll(/&#(?:39|x27);/g, "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
