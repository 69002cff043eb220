// Which transactions a snapshot saw: the rule of PostgreSQL's pg_visible_in_snapshot, evaluated here so
// that a queue can be filtered without a query per event.

/** The text form of a pg_snapshot, parsed: `xmin:xmax:xip,xip`. */
export interface DatabaseSnapshot {
  readonly xmin: bigint;
  readonly xmax: bigint;
  readonly running: ReadonlySet<bigint>;
}

export function parseDatabaseSnapshot(text: string): DatabaseSnapshot {
  const [xmin, xmax, running] = text.split(':');
  if (xmin === undefined || xmax === undefined || running === undefined) {
    throw new Error(`Expected a snapshot such as "10:20:10,14", not ${JSON.stringify(text)}.`);
  }
  return {
    xmin: BigInt(xmin),
    xmax: BigInt(xmax),
    running: new Set(running === '' ? [] : running.split(',').map(BigInt)),
  };
}

/** Whether the effects of the committed transaction `xid` were part of what the snapshot read. */
export function isVisibleIn(snapshot: DatabaseSnapshot, xid: bigint): boolean {
  if (xid < snapshot.xmin) return true;
  if (xid >= snapshot.xmax) return false;
  return !snapshot.running.has(xid);
}

/** Whether `later` sees everything that `earlier` saw. Of two snapshots that overlap, neither does. */
export function seesAllOf(later: DatabaseSnapshot, earlier: DatabaseSnapshot): boolean {
  if (earlier.xmax > later.xmax) return false;
  for (const xid of later.running) if (isVisibleIn(earlier, xid)) return false;
  return true;
}
