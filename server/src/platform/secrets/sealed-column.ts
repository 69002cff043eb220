// A column in which a feature keeps sealed secrets, so that they can be sealed again with another master key.
export interface SealedColumn {
  readonly table: string;
  /** The key of the table. */
  readonly id: string;
  readonly type: 'integer' | 'bigint' | 'text';
  readonly column: string;
  /** What its owner is made from, as texts. */
  readonly from: string;
  ownerOf(from: string): string;
}
