import { classes } from '../../ui/classes.ts';
import type { Mentioned } from './nodes.ts';
import { useContentWorld } from './world.tsx';

interface MentionProps {
  of: Mentioned;
  isSilent: boolean;
  text: string;
}

/** A name in a message. One that calls the reader is bold and has another colour. */
export function MentionView({ of, isSilent, text }: MentionProps) {
  const world = useContentWorld();
  const name =
    of.what === 'person'
      ? world.personName(of.id)
      : of.what === 'group'
        ? world.groupName(of.id)
        : undefined;
  const shown = name === undefined ? text : `${isSilent ? '' : '@'}${name}`;
  const isOwn = !isSilent && callsReader(of, world);
  const look = classes(
    'rounded-small px-0.5',
    isOwn ? 'bg-warning-tint font-semibold text-warning' : 'bg-accent-tint text-accent',
  );
  const { openPerson } = world;
  if (of.what !== 'person' || openPerson === undefined) {
    return (
      <bdi className={look} data-own={isOwn || undefined}>
        {shown}
      </bdi>
    );
  }
  return (
    <bdi data-own={isOwn || undefined}>
      <button
        type="button"
        className={classes(look, 'cursor-pointer text-start hover:underline')}
        onClick={(event) => openPerson(of.id, event.currentTarget)}
      >
        {shown}
      </button>
    </bdi>
  );
}

function callsReader(
  of: Mentioned,
  world: { readerId: number; isInGroup(id: number): boolean },
): boolean {
  if (of.what === 'person') return of.id === world.readerId;
  return of.what === 'group' ? world.isInGroup(of.id) : true;
}
