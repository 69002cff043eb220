// Draws what runs inside a line.
import { Fragment, type ReactNode } from 'react';
import { writeMoment, writeUtc } from '../../i18n/date.ts';
import { useLocale } from '../../i18n/locale.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { Icon } from '../../ui/icon.tsx';
import { FormulaView } from './formula.tsx';
import { LinkView } from './links.tsx';
import { MentionView } from './mention.tsx';
import type { Inline, Mark } from './nodes.ts';
import { contentTexts } from './texts.ts';
import { useContentWorld } from './world.tsx';

export const drawInlines = (nodes: readonly Inline[]): ReactNode =>
  // The nodes of a message never change their order: a new text is another message to React.
  nodes.map((node, index) => <Fragment key={index}>{drawInline(node)}</Fragment>);

function drawInline(node: Inline): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'break':
      return <br />;
    case 'emphasis':
      return <em>{drawInlines(node.children)}</em>;
    case 'strong':
      return <strong className="font-semibold">{drawInlines(node.children)}</strong>;
    case 'strike':
      return <s>{drawInlines(node.children)}</s>;
    case 'code':
      return (
        <code
          dir="ltr"
          className="rounded-small border border-line bg-background px-1 py-px font-mono text-[0.9em] break-words whitespace-pre-wrap"
        >
          {drawInlines(node.children)}
        </code>
      );
    case 'mark':
      return <MarkView mark={node.mark}>{drawInlines(node.children)}</MarkView>;
    case 'link':
      return <LinkView link={node}>{drawInlines(node.children)}</LinkView>;
    case 'mention':
      return <MentionView of={node.of} isSilent={node.isSilent} text={node.text} />;
    case 'emoji':
      return (
        <span role="img" aria-label={node.name} title={node.name} className="content-emoji">
          {node.text}
        </span>
      );
    case 'picture-emoji':
      return (
        <img
          src={node.src}
          alt={node.name}
          title={node.name}
          loading="lazy"
          decoding="async"
          className="content-emoji inline-block h-[1.35em] w-auto max-w-[4em] object-contain align-[-0.3em]"
        />
      );
    case 'time':
      return <TimeView at={node.at} />;
    case 'formula':
      return <FormulaView formula={node.formula} />;
    case 'invalid':
      return <Invalid what={node.what} text={node.text} />;
    case 'picture':
      return (
        <a href={node.href} target="_blank" rel="noopener noreferrer">
          <img
            src={node.src}
            alt={node.alt}
            loading="lazy"
            decoding="async"
            className="inline-block max-h-60 max-w-full rounded-small align-bottom"
          />
        </a>
      );
    case 'audio':
      return <AudioView src={node.src} title={node.title} />;
    case 'unknown':
      return <UnknownView text={node.text} />;
  }
}

/** Found words, and what an edit added or took away: told apart by their lines as well as by their colours. */
export function MarkView({ mark, children }: { mark: Mark; children: ReactNode }) {
  if (mark === 'inserted') {
    return (
      <ins className="rounded-small bg-success-tint text-success decoration-2">{children}</ins>
    );
  }
  if (mark === 'deleted') {
    return <del className="rounded-small bg-danger-tint text-danger">{children}</del>;
  }
  return (
    <mark className="rounded-small bg-warning-tint text-text underline decoration-warning decoration-2 underline-offset-2">
      {children}
    </mark>
  );
}

function TimeView({ at }: { at: number }) {
  const locale = useLocale();
  const { zone } = useContentWorld();
  return (
    <time
      dateTime={new Date(at).toISOString()}
      title={writeUtc(at)}
      className="inline-flex max-w-full items-center gap-1 rounded-small bg-hover px-1 align-bottom"
    >
      <Icon name="clock" className="size-3.5 text-muted" />
      <bdi className="figures">{writeMoment(at, locale, zone)}</bdi>
    </time>
  );
}

function AudioView({ src, title }: { src: string; title: string }) {
  const t = useTexts(contentTexts);
  return (
    // A sound of somebody's message has no subtitles; its title says what it is.
    <audio
      controls
      preload="none"
      src={src}
      title={title}
      aria-label={title === '' ? t.audio : title}
      className="my-1 block w-80 max-w-full"
    />
  );
}

function Invalid({ what, text }: { what: 'time' | 'formula'; text: string }) {
  const t = useTexts(contentTexts);
  return (
    <code
      dir="ltr"
      title={what === 'time' ? t.invalidTime : t.invalidFormula}
      className="rounded-small bg-danger-tint px-1 font-mono text-[0.9em] break-words whitespace-pre-wrap text-danger"
    >
      {text}
    </code>
  );
}

/** What we cannot show, as text: never more than text. */
export function UnknownView({ text }: { text: string }) {
  const t = useTexts(contentTexts);
  const notice = text === '' ? t.unknownEmpty : t.unknown;
  return (
    <span className="border-b border-dashed border-control" data-unknown="">
      {text}
      <span title={notice} className="ms-1 inline-flex align-text-bottom text-warning">
        <Icon name="alert" label={notice} className="size-4" />
      </span>
    </span>
  );
}
