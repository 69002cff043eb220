// The content of a message, from the server's HTML to what a person reads.
import { memo, useMemo } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { classes } from '../../ui/classes.ts';
import { drawBlocks } from './blocks.tsx';
import './content.css';
import type { Block } from './nodes.ts';
import { parseContent } from './parse.ts';
import { isOnlyEmoji } from './read-blocks.ts';
import { contentTexts } from './texts.ts';
import { readWidget, type Submessage } from './widgets/read.ts';
import { WidgetView } from './widgets/widget.tsx';

export interface MessageContentProps {
  html: string;
  message: {
    readonly id: number;
    readonly senderId: number;
    /** Of a poll or a list. */
    readonly submessages?: readonly Submessage[] | undefined;
    /** It begins with `/me`: the sender's name stands before it, as the beginning of the sentence. */
    readonly isMe?: boolean | undefined;
  };
}

export const MessageContent = memo(function MessageContent({ html, message }: MessageContentProps) {
  const t = useTexts(contentTexts);
  const { id, senderId, submessages, isMe = false } = message;
  const widget = useMemo(
    () => (submessages === undefined ? undefined : readWidget(submessages, senderId)),
    [submessages, senderId],
  );
  if (widget !== undefined) return <WidgetView widget={widget} message={{ id, senderId }} />;
  const parsed = parseContent(html);
  const blocks = isMe ? withoutMe(parsed) : parsed;
  return (
    <div
      className={classes(
        'content-blocks text-message break-words',
        isOnlyEmoji(blocks) && 'content-jumbo',
        isMe && 'italic',
      )}
    >
      {blocks.length === 0 ? <em className="text-muted">{t.empty}</em> : drawBlocks(blocks)}
    </div>
  );
});

function withoutMe(blocks: readonly Block[]): readonly Block[] {
  const [first, ...rest] = blocks;
  if (first?.kind !== 'paragraph') return blocks;
  const [start, ...others] = first.children;
  if (start?.kind !== 'text') return blocks;
  const text = start.text.replace(/^\/me\s+/, '');
  return [{ ...first, children: [{ ...start, text }, ...others] }, ...rest];
}
