// How drafts of this browser and those of the server come together: pure functions of both. No text that somebody typed
// is dropped: where both sides changed, both stay.
import type { Destination, Draft } from './entities.ts';

export interface LocalDraft {
  /** Names the draft in this browser. */
  readonly id: string;
  readonly destination: Destination;
  readonly content: string;
  readonly editedAtMs: number;
  /** The draft at the server, once it is there. */
  readonly serverId: number | undefined;
  /** What the server is known to have; undefined: nothing. */
  readonly synced: string | undefined;
}

/** By their id in this browser. */
export type Rows = ReadonlyMap<string, LocalDraft>;

/** The text as the server stores it: spaces and lines around it are not kept there. */
export const storedText = (content: string): string => content.trim();

/** Whether the server lacks something of it. */
export const isDirty = ({ content, synced }: LocalDraft): boolean => storedText(content) !== synced;

/**
 * The server has `draft`. `inFlight` has what was sent to the server and has not come back as an event yet, by the id in
 * this browser: as long as it is under way, nobody knows which of two changes was the later one.
 */
export function mergeDraft(rows: Rows, draft: Draft, inFlight: ReadonlyMap<string, string>): Rows {
  const next = new Map(rows);
  const own = [...rows.values()].find(({ serverId }) => serverId === draft.id);
  if (own === undefined) {
    const created = [...rows.values()].find(
      (row) =>
        row.serverId === undefined &&
        (inFlight.get(row.id) === draft.content || isSameText(row, draft)),
    );
    if (created === undefined) add(next, fromServer(draft));
    else next.set(created.id, { ...created, serverId: draft.id, synced: draft.content });
    return next;
  }
  const { content } = draft;
  if (content === storedText(own.content) || inFlight.get(own.id) === content) {
    next.set(own.id, { ...own, synced: content });
  } else if (inFlight.has(own.id)) {
    // It may be overwritten by what is under way, so it becomes a draft of its own.
    if (content !== own.synced)
      add(next, { ...fromServer(draft), serverId: undefined, synced: undefined });
  } else if (!isDirty(own)) {
    next.set(own.id, { ...fromServer(draft), id: own.id });
  } else if (own.synced !== content) {
    next.set(own.id, { ...own, serverId: undefined, synced: undefined });
    add(next, fromServer(draft));
  }
  return next;
}

/** A page that ended before the answer came does not know that its draft is at the server already. */
const isSameText = ({ content, destination }: LocalDraft, draft: Draft): boolean =>
  storedText(content) === draft.content &&
  JSON.stringify(destination) === JSON.stringify(draft.destination);

/** The server has it no more. What was not there yet stays, as a draft of its own. */
export function dropDraft(rows: Rows, serverId: number): Rows {
  const next = new Map(rows);
  for (const row of rows.values()) {
    if (row.serverId !== serverId) continue;
    if (isDirty(row)) next.set(row.id, { ...row, serverId: undefined, synced: undefined });
    else next.delete(row.id);
  }
  return next;
}

/** Everything that the server has, after a register. */
export function mergeAll(
  rows: Rows,
  drafts: Iterable<Draft>,
  inFlight: ReadonlyMap<string, string>,
): Rows {
  const all = [...drafts];
  const known = new Set(all.map(({ id }) => id));
  let next = rows;
  for (const { id, serverId } of rows.values()) {
    // One that was created while the register was under way is not in its answer; its event follows.
    if (serverId === undefined || known.has(serverId) || inFlight.has(id)) continue;
    next = dropDraft(next, serverId);
  }
  for (const draft of all) next = mergeDraft(next, draft, inFlight);
  return next;
}

/** The same in every tab, so that two tabs do not make two of one. */
const fromServer = (draft: Draft): LocalDraft => ({
  id: `s${draft.id}`,
  destination: draft.destination,
  content: draft.content,
  editedAtMs: draft.editedAt * 1000,
  serverId: draft.id,
  synced: draft.content,
});

function add(rows: Map<string, LocalDraft>, row: LocalDraft): void {
  let { id } = row;
  for (let n = 2; rows.has(id); n += 1) id = `${row.id}.${n}`;
  rows.set(id, { ...row, id });
}
