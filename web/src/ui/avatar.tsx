import { useState } from 'react';
import { classes } from './classes.ts';

export type Presence = 'active' | 'idle' | 'offline';

// Twelve grounds for initials; white on each is legible (at least 4.5 to 1).
const grounds = [
  '#2f6f8f',
  '#7a4fb5',
  '#a8505f',
  '#3b7a57',
  '#8a5a1f',
  '#4a63b8',
  '#9a4a86',
  '#2c7a7b',
  '#7a6a1f',
  '#b0503a',
  '#5a6b2f',
  '#5b6472',
] as const;

/** The letters that stand for a name: the first of the first and of the last word. Persian letters would join, so a
 *  Persian name has one. */
export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/\s+/u)
    .filter((word) => /[\p{L}\p{N}]/u.test(word));
  const firsts = words.map((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? '');
  const [first = '', ...others] = firsts;
  if (first === '' || /\p{Script=Arabic}/u.test(first)) return first;
  return (first + (others.at(-1) ?? '')).toUpperCase();
}

/** The ground of a person stays the same as long as their id does. */
export function groundOf(id: number): string {
  return grounds[Math.abs(id) % grounds.length] ?? grounds[0];
}

const sizes = {
  small: 'size-5 text-[0.5rem]',
  normal: 'size-9 text-small',
  large: 'size-16 text-title',
};

const marks: Readonly<Record<Presence, string>> = {
  active: 'bg-success',
  idle: 'border-2 border-warning bg-panel',
  offline: 'border-2 border-control bg-panel',
};

export interface AvatarProps {
  id: number;
  name: string;
  src?: string | undefined;
  size?: 'small' | 'normal' | 'large' | undefined;
  /** A mark at the corner. The word belongs beside it: a mark alone says nothing to a reader. */
  presence?: Presence | undefined;
  isBot?: boolean | undefined;
}

/** The picture of a person, or their initials. It is decoration: the name stands beside it. */
export function Avatar({ id, name, src, size = 'normal', presence, isBot = false }: AvatarProps) {
  const [failed, setFailed] = useState<string>();
  const shape = isBot ? 'rounded-control' : 'rounded-full';
  return (
    <span aria-hidden className={classes('relative inline-flex shrink-0', sizes[size])}>
      {src !== undefined && src !== failed ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          decoding="async"
          className={classes('size-full object-cover', shape)}
          onError={() => setFailed(src)}
        />
      ) : (
        <span
          className={classes(
            'flex size-full items-center justify-center font-semibold text-on-primary',
            shape,
          )}
          style={{ backgroundColor: groundOf(id) }}
        >
          {initialsOf(name)}
        </span>
      )}
      {presence !== undefined && (
        <span
          className={classes(
            'absolute rounded-full outline-2 outline-panel',
            size === 'small' ? 'size-2' : 'size-3',
            size === 'large' ? 'end-0.5 bottom-0.5' : '-end-0.5 -bottom-0.5',
            marks[presence],
          )}
        />
      )}
    </span>
  );
}
