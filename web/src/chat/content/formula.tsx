// Draws a formula as MathML. Elements and attributes were checked when it was read.
import { createElement, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import type { Formula, FormulaElement } from './nodes.ts';
import { contentTexts } from './texts.ts';

function draw(element: FormulaElement, key: number): ReactNode {
  return createElement(
    element.name,
    { ...element.attributes, key },
    ...element.children.map((child, index) =>
      typeof child === 'string' ? child : draw(child, index),
    ),
  );
}

export function FormulaView({ formula }: { formula: Formula }) {
  return (
    <span dir="ltr" className="content-formula" title={formula.tex}>
      {draw(formula.root, 0)}
    </span>
  );
}

/** A formula by itself. A wide one scrolls inside its own box. */
export function FormulaBlock({ formula }: { formula: Formula }) {
  const t = useTexts(contentTexts);
  return (
    <div className="group flex items-center gap-1">
      {/* In the order of tabs, for the keyboard has to scroll it. */}
      <div
        dir="ltr"
        role="group"
        aria-label={t.formula}
        tabIndex={0}
        className="content-formula min-w-0 flex-1 overflow-x-auto py-1"
      >
        {draw(formula.root, 0)}
      </div>
      <CopyButton text={formula.tex} />
    </div>
  );
}
