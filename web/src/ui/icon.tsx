import { classes } from './classes.ts';
import { drawingOf, type IconName } from './icon-paths.ts';

export interface IconProps {
  name: IconName;
  /** What it says where no text beside it does. Without it the icon is hidden from readers. */
  label?: string | undefined;
  className?: string | undefined;
}

/** An icon as high as a line of text. It has the colour of the text. */
export function Icon({ name, label, className }: IconProps) {
  const { strokes, fills, follows } = drawingOf(name);
  return (
    <svg
      viewBox="0 0 20 20"
      fill="none"
      className={classes(
        // One size alone: with two, the larger would win.
        className?.includes('size-') !== true && 'size-5',
        'shrink-0',
        follows && 'rtl:-scale-x-100',
        className,
      )}
      data-icon={name}
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      {strokes !== '' && (
        <path
          d={strokes}
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      )}
      {fills !== undefined && <path d={fills} fill="currentColor" />}
    </svg>
  );
}
