import { Fragment, type ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { MarkView } from './inlines.tsx';
import { OUTWARD } from './links.tsx';
import type { CodePart } from './nodes.ts';
import { playgroundUrl } from './playground.ts';
import { contentTexts } from './texts.ts';
import { useContentWorld } from './world.tsx';

interface CodeBlockProps {
  language: string | undefined;
  code: string;
  parts: readonly CodePart[];
}

export function CodeBlock({ language, code, parts }: CodeBlockProps) {
  const t = useTexts(contentTexts);
  const { playgrounds } = useContentWorld();
  const fitting = playgrounds.filter(
    (one) => one.language.toLowerCase() === language?.toLowerCase(),
  );
  return (
    <figure className="my-1 overflow-hidden rounded-control border border-line bg-background">
      <figcaption className="flex items-center gap-3 border-b border-line ps-3 pe-1 text-small text-muted">
        <span className="min-w-0 flex-1 truncate">
          <bdi>{language ?? t.code}</bdi>
        </span>
        {fitting.map((one) => {
          const href = playgroundUrl(one.urlTemplate, code);
          return (
            href !== undefined && (
              <a key={one.name} href={href} {...OUTWARD} className="text-accent hover:underline">
                {t.openIn({ name: one.name })}
              </a>
            )
          );
        })}
        <CopyButton text={code} label={t.copyCode} />
      </figcaption>
      {/* In the order of tabs, for the keyboard has to scroll it. */}
      <pre
        dir="ltr"
        tabIndex={0}
        aria-label={language ?? t.code}
        className="overflow-x-auto px-3 py-2 font-mono text-[0.875em] leading-normal [tab-size:4]"
      >
        <code>{drawParts(parts)}</code>
      </pre>
    </figure>
  );
}

const drawParts = (parts: readonly CodePart[]): ReactNode =>
  parts.map((part, index) => <Fragment key={index}>{drawPart(part)}</Fragment>);

function drawPart(part: CodePart): ReactNode {
  if (typeof part === 'string') return part;
  const inner = drawParts(part.children);
  if (part.mark !== undefined) return <MarkView mark={part.mark}>{inner}</MarkView>;
  return part.token === undefined ? inner : <span className={`code-${part.token}`}>{inner}</span>;
}
