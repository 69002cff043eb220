/**
 * A refusal that the caller can act on. A feature declares its refusals in its `errors.ts`; each product renders
 * them in its own envelope, in one place.
 */
export class Refusal extends Error {
  override name = 'Refusal';
  readonly code: string;
  readonly status: number;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(refusal: {
    code: string;
    message: string;
    status: number;
    fields?: Record<string, unknown>;
    headers?: Record<string, string>;
  }) {
    super(refusal.message);
    this.code = refusal.code;
    this.status = refusal.status;
    this.fields = refusal.fields ?? {};
    this.headers = refusal.headers ?? {};
  }
}
