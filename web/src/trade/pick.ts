/** What somebody took from the book: a price, or a price with the volume up to it. */
export interface Pick {
  readonly price: string;
  readonly volume?: string | undefined;
}
