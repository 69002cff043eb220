// Movements of money on their way to the core. The core executes a cause once, and forgets the
// oldest finished ones; from then on the projection remembers them. A forgotten cause is found
// there. A cause that is not there goes to the core with a checkpoint of the search, as client ids
// of orders do.
import { REJECTION_CODES, type Command, type Rejection, type Result } from '@rialto/matching';
import type { NewCommand } from './command.ts';
import type { KnownMovement, MovementCause } from './operator-store.ts';

type CommandOf<T extends Command['type']> = Extract<NewCommand, { type: T }>;

export type Movement = CommandOf<
  | 'credit_deposit'
  | 'request_withdrawal'
  | 'settle_withdrawal'
  | 'cancel_withdrawal'
  | 'transfer'
  | 'adjust'
  | 'contribute_capital'
  | 'withdraw_capital'
  | 'reverse_deposit'
  | 'book_chain_cost'
>;

/** By command type: the kind under which the projection files it. */
const KINDS: Readonly<Record<Movement['type'], string>> = {
  credit_deposit: 'deposit',
  request_withdrawal: 'withdrawal',
  settle_withdrawal: 'withdrawal',
  cancel_withdrawal: 'withdrawal',
  transfer: 'transfer',
  adjust: 'adjustment',
  contribute_capital: 'capital',
  withdraw_capital: 'capital',
  reverse_deposit: 'reversal',
  book_chain_cost: 'chain_cost',
};

export const isMovement = <C extends NewCommand>(command: C): command is C & Movement =>
  Object.hasOwn(KINDS, command.type);

/** The id of the movement, as the projection writes it. */
export function causeOf(movement: Movement): MovementCause {
  return { kind: KINDS[movement.type], reference: referenceOf(movement) };
}

function referenceOf(movement: Movement): string {
  switch (movement.type) {
    case 'credit_deposit':
      return `${movement.network}:${movement.depositId}`;
    case 'request_withdrawal':
    case 'settle_withdrawal':
    case 'cancel_withdrawal':
      return movement.withdrawalId;
    case 'transfer':
      return movement.transferId;
    case 'adjust':
      return movement.adjustmentId;
    case 'contribute_capital':
    case 'withdraw_capital':
      return movement.contributionId;
    case 'reverse_deposit':
      return `${movement.network}:${movement.depositId}:${movement.part}`;
    case 'book_chain_cost':
      return movement.costId;
  }
}

/** What the core would answer if it had not forgotten; undefined when the core has to decide. */
function recall(movement: Movement, known: KnownMovement): Result | undefined {
  if (movement.type === 'settle_withdrawal' || movement.type === 'cancel_withdrawal') {
    if (known.status === 'pending') return undefined;
    const wanted = movement.type === 'settle_withdrawal' ? 'settled' : 'canceled';
    if (known.status === wanted) return { kind: 'moved', replay: true };
    const { withdrawalId } = movement;
    return rejected({
      code: REJECTION_CODES.WITHDRAW_FINAL,
      details: { withdrawalId, status: known.status },
    });
  }
  if (isSame(movement, known)) {
    const { missing } = known;
    return movement.type === 'reverse_deposit'
      ? { kind: 'moved', replay: true, taken: known.amount - missing, missing }
      : { kind: 'moved', replay: true };
  }
  return rejected({ code: REJECTION_CODES.CLIENT_ID_CONFLICT, details: { id: known.reference } });
}

const rejected = (rejection: Rejection): Result => ({ kind: 'rejected', rejection });

type WithTerms = Exclude<Movement, { type: 'settle_withdrawal' | 'cancel_withdrawal' }>;

function isSame(movement: WithTerms, known: KnownMovement): boolean {
  const { from, to, fee } = sidesOf(movement);
  return (
    known.coin === movement.coin &&
    known.amount === movement.amount &&
    known.from === from &&
    known.to === to &&
    known.fee === fee &&
    known.cover === (movement.type === 'reverse_deposit' && movement.cover)
  );
}

function sidesOf(movement: WithTerms): Pick<KnownMovement, 'from' | 'to' | 'fee'> {
  switch (movement.type) {
    case 'credit_deposit':
      return { from: `custody:${movement.network}`, to: String(movement.to), fee: 0n };
    case 'request_withdrawal': {
      const { account, network, fee } = movement;
      return { from: String(account), to: `custody:${network}`, fee };
    }
    case 'transfer':
    case 'adjust':
      return { from: String(movement.from), to: String(movement.to), fee: 0n };
    case 'contribute_capital':
      return { from: `custody:${movement.network}`, to: 'capital', fee: 0n };
    case 'withdraw_capital':
      return { from: 'capital', to: `custody:${movement.network}`, fee: 0n };
    case 'reverse_deposit':
      return { from: String(movement.account), to: `custody:${movement.network}`, fee: 0n };
    case 'book_chain_cost':
      return { from: 'adjustments', to: `custody:${movement.network}`, fee: 0n };
  }
}

export const movementKey = ({ kind, reference }: MovementCause): string => `${kind} ${reference}`;

/** What the projection knows of some causes, and the engine event up to which that is complete. */
export interface MovementsFound {
  readonly checkpoint: number;
  /** By `movementKey`. */
  readonly known: ReadonlyMap<string, KnownMovement>;
}

export interface LookedUp {
  /** The row's result without the core; undefined when the core has to decide. */
  readonly answer: Result | undefined;
  /** For the core and the journal: the command with the checkpoint, so that a replay agrees. */
  readonly text: string;
}

/** A movement after its search in the projection. */
export function applyLookup(
  text: string,
  movement: Movement,
  { checkpoint, known }: MovementsFound,
): LookedUp {
  const found = known.get(movementKey(causeOf(movement)));
  return {
    answer: found && recall(movement, found),
    text: withCheckpoint(text, checkpoint),
  };
}

/** The engine sets the checkpoint, whatever the row says. */
export function withCheckpoint(text: string, checkpoint: number): string {
  return JSON.stringify({ ...(JSON.parse(text) as object), checkpoint });
}
