/** The mark of the product: a bridge. It is the same in every direction of reading. */
export function Mark({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="0 0 32 32" aria-hidden className={className} data-no-mirror>
      <rect width="32" height="32" rx="7" fill="#1559b7" />
      <path d="M3 21.5h4v-3h3v-3h3v-3h6v3h3v3h3v3h4V25h-5.2a7.8 7.8 0 0 0-15.6 0H3z" fill="#fff" />
    </svg>
  );
}
