// Which process leads the engine, which are standbys, and from which snapshot a successor would start.
import { Gauge, type Registry } from 'prom-client';

export interface LeadershipMetrics {
  /** The epoch in which this process leads; undefined when it does not. */
  engineLeads(epoch: number | undefined): void;
  /** The engine as its tables show it. Ages are in seconds; -1 stands for what does not exist. */
  engineSeen(seen: { standbys: number; leaseAge: number; snapshotAge: number }): void;
  /** The newest snapshot, and when it was written. */
  engineSnapshot(seq: number, bytes: number, atSeconds: number): void;
  /** The wall clock minus the engine's time. */
  engineClockOffset(seconds: number): void;
}

export function createLeadershipMetrics(registry: Registry): LeadershipMetrics {
  const registers = [registry];
  const leading = new Gauge({
    name: 'rialto_engine_leading',
    help: 'Whether this process is the engine that works: 1, or 0 for a standby. The sum over all processes is one.',
    registers,
  });
  const epochs = new Gauge({
    name: 'rialto_engine_epoch',
    help: 'The epoch in which this process leads, or led last.',
    registers,
  });
  const standbys = new Gauge({
    name: 'rialto_engine_standbys',
    help: 'Processes with the role engine that were seen lately and do not lead.',
    registers,
  });
  const leaseAge = new Gauge({
    name: 'rialto_engine_lease_age_seconds',
    help: 'How long ago the leading engine was heard of; -1 when none ever was.',
    registers,
  });
  const snapshotAge = new Gauge({
    name: 'rialto_engine_snapshot_age_seconds',
    help: 'Age of the newest snapshot of the engine; -1 when there is none.',
    registers,
  });
  const snapshotSeq = new Gauge({
    name: 'rialto_engine_snapshot_seq',
    help: 'The journal row of the newest snapshot that this process wrote or found.',
    registers,
  });
  const snapshotBytes = new Gauge({
    name: 'rialto_engine_snapshot_bytes',
    help: 'Its size.',
    registers,
  });
  const snapshotAt = new Gauge({
    name: 'rialto_engine_snapshot_timestamp_seconds',
    help: 'When it was written; its age is the time now less this.',
    registers,
  });
  const clockOffset = new Gauge({
    name: 'rialto_engine_clock_offset_seconds',
    help: 'The clock of the engine’s machine less the time that the engine goes by. Beyond a second somebody has set a clock.',
    registers,
  });
  return {
    engineLeads: (epoch) => {
      leading.set(epoch === undefined ? 0 : 1);
      if (epoch !== undefined) epochs.set(epoch);
    },
    engineSeen: (seen) => {
      standbys.set(seen.standbys);
      leaseAge.set(seen.leaseAge);
      snapshotAge.set(seen.snapshotAge);
    },
    engineSnapshot: (seq, bytes, atSeconds) => {
      snapshotSeq.set(seq);
      snapshotBytes.set(bytes);
      snapshotAt.set(atSeconds);
    },
    engineClockOffset: (seconds) => clockOffset.set(seconds),
  };
}
