// HTML as plain data, so that reading it needs no browser.

export interface Element {
  /** In small letters, as HTML has it. */
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly Tree[];
}

export type Tree = string | Element;

/** Everything that a reader would see, without any formatting. */
export const textOf = (tree: Tree): string =>
  typeof tree === 'string' ? tree : tree.children.map(textOf).join('');

export const isBlank = (tree: Tree): boolean => typeof tree === 'string' && tree.trim() === '';

/** The classes of an element, in a fixed order, so that one text names one combination. */
export const classOf = (element: Element): string =>
  (element.attributes['class'] ?? '')
    .split(/\s+/)
    .filter((name) => name !== '')
    .sort()
    .join(' ');

/** The only child that is not white space. */
export function onlyChild(element: Element): Element | undefined {
  const children = element.children.filter((child) => !isBlank(child));
  const [child] = children;
  return children.length === 1 && typeof child === 'object' ? child : undefined;
}
