import { classes } from './classes.ts';

/** A ring that turns beside a text, never without one: a picture alone does not say what is awaited. */
export function Spinner({ className = 'size-4' }: { className?: string | undefined }) {
  return (
    <svg
      viewBox="0 0 16 16"
      fill="none"
      aria-hidden
      data-no-mirror
      className={classes('shrink-0 animate-spin', className)}
    >
      <circle cx="8" cy="8" r="6.25" stroke="currentColor" strokeWidth="1.5" opacity="0.3" />
      <path
        d="M8 1.75A6.25 6.25 0 0 1 14.25 8"
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
      />
    </svg>
  );
}
