// Formulas. The server sends each twice: as MathML, and as boxes for a style sheet of 300 kB with its fonts. Every
// browser that we support draws MathML itself, and screen readers read it, so we take that and leave the boxes.
import { shapeLetters } from './math-letters.ts';
import { classOf, textOf, type Element } from './tree.ts';
import type { Formula, FormulaElement } from './nodes.ts';

const ELEMENTS: ReadonlySet<string> = new Set(
  (
    'math semantics annotation mrow mi mn ms mo mtext mspace msup msub msubsup munder mover munderover mfrac msqrt ' +
    'mroot mtable mtr mtd mpadded mphantom menclose mstyle'
  ).split(' '),
);
const ATTRIBUTES: ReadonlySet<string> = new Set(
  (
    'mathvariant mathsize mathcolor mathbackground stretchy fence separator symmetric lspace rspace minsize maxsize ' +
    'width height depth voffset accent accentunder linethickness columnalign columnspacing rowspacing columnlines ' +
    'rowlines scriptlevel displaystyle movablelimits notation form largeop display encoding'
  ).split(' '),
);
/** Words, lengths and colours. */
const VALUE = /^[-+#a-z0-9.%/ ]{1,80}$/i;

/** The formula in the span that KaTeX writes; undefined if there is anything in it that we do not know. */
export function readFormula(span: Element): Formula | undefined {
  const isDisplayed = classOf(span) === 'katex-display';
  const katex = isDisplayed ? child(span, 'katex') : span;
  const math = child(katex, 'katex-mathml')?.children.find((one) => typeof one === 'object');
  if (typeof math !== 'object' || math.name !== 'math') return undefined;
  const root = readElement(math);
  if (root === undefined) return undefined;
  return { tex: findTex(root) ?? textOf(math), isDisplayed, root };
}

const child = (parent: Element | undefined, name: string): Element | undefined =>
  parent?.children.find((one): one is Element => typeof one === 'object' && classOf(one) === name);

function readElement(element: Element): FormulaElement | undefined {
  if (!ELEMENTS.has(element.name)) return undefined;
  const children: (FormulaElement | string)[] = [];
  for (const one of element.children) {
    const read =
      typeof one === 'string'
        ? shapeLetters(one, element.attributes['mathvariant'])
        : readElement(one);
    if (read === undefined) return undefined;
    children.push(read);
  }
  const attributes = Object.fromEntries(
    Object.entries(element.attributes).filter(
      ([name, value]) => ATTRIBUTES.has(name) && VALUE.test(value),
    ),
  );
  return { name: element.name, attributes, children };
}

function findTex(element: FormulaElement): string | undefined {
  const [semantics] = element.children;
  if (typeof semantics !== 'object' || semantics.name !== 'semantics') return undefined;
  const annotation = semantics.children.find(
    (one) => typeof one === 'object' && one.name === 'annotation',
  );
  return typeof annotation === 'object' ? textOf(annotation) : undefined;
}
