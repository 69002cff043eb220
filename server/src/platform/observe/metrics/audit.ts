// Audits of the ledger, and the audit log of what people did.
import { Counter, Gauge, type Registry } from 'prom-client';

export interface AuditMetrics {
  /** The auditor found a rule of the ledger broken; the rules are a fixed list. */
  auditViolated(rule: string): void;
  /** An audit has ended, whatever it found. */
  audited(what: 'solvency' | 'projections' | 'state'): void;
  /** A request to the route did not write the audit entry that it should have. */
  auditForgotten(route: string): void;
  /** A denied request without an audit entry, because its caller was denied too often. */
  auditDeniedUnwritten(): void;
  /** The newest signed head of the audit log and its time, or that signing failed. */
  auditHead(seq: number, atSeconds: number): void;
  auditHeadRefused(): void;
}

export function createAuditMetrics(registry: Registry): AuditMetrics {
  const registers = [registry];
  const violations = new Counter({
    name: 'rialto_audit_violations_total',
    help: 'Rules of the ledger that were found broken. Anything but zero is an emergency.',
    labelNames: ['rule'],
    registers,
  });
  const auditedAt = new Gauge({
    name: 'rialto_audit_last_timestamp_seconds',
    help: 'When an audit last came to its end; its age is time() minus this.',
    labelNames: ['audit'],
    registers,
  });
  const forgotten = new Counter({
    name: 'rialto_audit_forgotten_total',
    help: 'Requests that did not leave the entry in the audit log that their route declares. Anything but zero is a bug.',
    labelNames: ['route'],
    registers,
  });
  const deniedUnwritten = new Counter({
    name: 'rialto_audit_denied_unwritten_total',
    help: 'Denied requests of callers who were denied so often that these are only counted.',
    registers,
  });
  const headSeq = new Gauge({
    name: 'rialto_audit_head_seq',
    help: 'The last entry that the newest signed head of the audit log covers.',
    registers,
  });
  const headAt = new Gauge({
    name: 'rialto_audit_head_timestamp_seconds',
    help: 'When that head was signed; its age is time() minus this.',
    registers,
  });
  const headRefused = new Counter({
    name: 'rialto_audit_head_refused_total',
    help: 'Times that no head was signed because the log does not fit the head before. Anything but zero is an emergency.',
    registers,
  });
  return {
    auditViolated: (rule) => violations.labels(rule).inc(),
    audited: (what) => auditedAt.labels(what).set(Date.now() / 1000),
    auditForgotten: (route) => forgotten.labels(route).inc(),
    auditDeniedUnwritten: () => deniedUnwritten.inc(),
    auditHead: (seq, atSeconds) => {
      headSeq.set(seq);
      headAt.set(atSeconds);
    },
    auditHeadRefused: () => headRefused.inc(),
  };
}
