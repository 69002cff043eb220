// Which parts of the journal may leave its table, and why the next one may not. Pure.

export interface PlannedPart {
  readonly name: string;
  readonly firstSeq: number;
  readonly lastSeq: number;
  readonly bytes: number;
}

export interface PlanInput {
  /** Lowest first, without gaps; the last may have no end. */
  readonly parts: readonly {
    readonly name: string;
    readonly firstSeq: number;
    readonly pastSeq: number | undefined;
    readonly bytes: number;
  }[];
  /** Rows from this one on stay. */
  readonly belowSeq: number;
  /** The newest row of the journal. */
  readonly headSeq: number;
  /** The last row that others have read; nothing after it may go. */
  readonly readers: readonly { readonly name: string; readonly seq: number }[];
}

export interface Plan {
  readonly parts: readonly PlannedPart[];
  /** Why the part after these stays. */
  readonly because: string;
}

export function planPrune({ parts, belowSeq, headSeq, readers }: PlanInput): Plan {
  const chosen: PlannedPart[] = [];
  for (const { name, firstSeq, pastSeq, bytes } of parts) {
    const stays = (because: string): Plan => ({ parts: chosen, because });
    if (pastSeq === undefined) return stays(`${name} has no end yet`);
    if (pastSeq > belowSeq) return stays(`${name} has rows from ${belowSeq} on, which are to stay`);
    const lastSeq = pastSeq - 1;
    // The next row is compared with the newest one, so that one stays.
    if (lastSeq >= headSeq) return stays(`${name} is still written to`);
    const late = readers.find(({ seq }) => seq < lastSeq);
    if (late !== undefined) return stays(`${late.name} at row ${late.seq} still needs ${name}`);
    chosen.push({ name, firstSeq, lastSeq, bytes });
  }
  return { parts: chosen, because: 'there are no more parts' };
}
