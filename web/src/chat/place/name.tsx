// Names of channels, topics and people as they stand in lists and headings.
import { Fragment } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import type { Channel } from '../../state/entities.ts';
import { emptyTopicName } from '../../state/select.ts';
import { useSelect, useStore } from '../../state/react.ts';
import { classes } from '../../ui/classes.ts';
import { Icon } from '../../ui/icon.tsx';
import { isResolved, plainTopic } from '../topics/resolved.ts';
import { directNames } from './names.ts';
import { texts } from './texts.ts';

type MarkOf = Pick<Channel, 'isPrivate' | 'isWebPublic' | 'subscription'>;

/** The mark before the name of a channel, in the colour that the person gave it. The shape says who may read it. */
export function ChannelMark({ channel, className }: { channel: MarkOf; className?: string }) {
  const t = useTexts(texts);
  const [icon, label] = channel.isPrivate
    ? (['lock', t.privateChannel] as const)
    : channel.isWebPublic
      ? (['globe', t.webPublicChannel] as const)
      : (['hash', t.publicChannel] as const);
  return (
    <span
      className={classes('inline-flex shrink-0 text-muted', className)}
      style={colorOf(channel)}
    >
      <Icon name={icon} label={label} className="size-4.5" />
    </span>
  );
}

/** Any colour can be chosen, so it is mixed with that of the text until it can be seen in both themes. */
function colorOf({ subscription }: MarkOf): { color?: string } {
  const color = subscription?.color;
  return color === undefined
    ? {}
    : { color: `color-mix(in oklab, ${color} 65%, var(--color-text))` };
}

/** A resolved topic has its tick as a picture, and the empty topic its name in italics. */
export function TopicName({ topic, className }: { topic: string; className?: string }) {
  const t = useTexts(texts);
  const empty = useSelect(useStore(), emptyTopicName);
  const plain = plainTopic(topic);
  return (
    <span className={classes('inline-flex min-w-0 items-center gap-1', className)}>
      {isResolved(topic) && (
        <Icon name="check" label={t.resolved} className="size-4 text-success" />
      )}
      {plain === '' ? (
        <i className="truncate">{empty}</i>
      ) : (
        <bdi className="truncate" title={plain}>
          {plain}
        </bdi>
      )}
    </span>
  );
}

export function DirectName({
  userIds,
  className,
}: {
  userIds: readonly number[];
  className?: string;
}) {
  const t = useTexts(texts);
  const names = useSelect(useStore(), (state) => directNames(state, userIds, t));
  return (
    <span className={classes('truncate', className)} title={names.join(t.comma)}>
      {names.map((name, index) => (
        <Fragment key={userIds[index]}>
          {index > 0 && t.comma}
          <bdi>{name}</bdi>
        </Fragment>
      ))}
    </span>
  );
}
