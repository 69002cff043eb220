// `rialto admin`: the operators' commands of a deployment. Each noun has a file in admin/; everything that changes
// something is in the audit log.
import { Command } from 'commander';

interface Part {
  /** The commands that its file declares. */
  readonly names: readonly string[];
  add(admin: Command): Promise<void>;
}

/** In the order of the help. A file is loaded only when its command is asked for: each brings much of the server along. */
const PARTS: readonly Part[] = [
  {
    names: [
      'create-user',
      'create-trading-key',
      'reset-password',
      'set-role',
      'deactivate-user',
      'reactivate-user',
    ],
    add: async (admin) => {
      const { addPeopleCommands } = await import('./admin/people.ts');
      addPeopleCommands(admin);
    },
  },
  part(['market'], async () => [(await import('./admin/markets.ts')).marketCommand()]),
  part(['coin'], async () => [(await import('./admin/coins.ts')).coinCommand()]),
  part(['account'], async () => [(await import('./admin/accounts.ts')).accountCommand()]),
  part(['order'], async () => [(await import('./admin/orders.ts')).orderCommand()]),
  part(['fees'], async () => [(await import('./admin/accounts.ts')).feesCommand()]),
  part(['sub-account'], async () => [
    (await import('./admin/sub-accounts.ts')).subAccountCommand(),
  ]),
  {
    names: ['ledger', 'pending', 'approve', 'retract', 'withdraw'],
    add: async (admin) => {
      const ledger = await import('./admin/ledger.ts');
      admin
        .addCommand(ledger.ledgerCommand())
        .addCommand(ledger.pendingCommandLine())
        .addCommand(ledger.approveCommandLine())
        .addCommand(ledger.retractCommandLine())
        .addCommand(ledger.withdrawCommandLine(), { hidden: true });
    },
  },
  part(['custody'], async () => [(await import('./admin/custody.ts')).custodyCommand()]),
  part(['key', 'session'], async () => {
    const { keyCommand, sessionCommand } = await import('./admin/keys.ts');
    return [keyCommand(), sessionCommand()];
  }),
  part(['operator'], async () => [(await import('./admin/operators.ts')).operatorCommand()]),
  part(['audit'], async () => [(await import('./admin/audit.ts')).auditCommand()]),
  part(['sign-in'], async () => [(await import('./admin/sign-in.ts')).signInCommand()]),
  part(['recovery'], async () => [(await import('./admin/recovery.ts')).recoveryCommand()]),
  part(['rebuild-projections'], async () => [
    (await import('./admin/projections.ts')).rebuildProjectionsCommand(),
  ]),
  part(['rotate-master-key'], async () => [
    (await import('./admin/master-key.ts')).rotateMasterKeyCommand(),
  ]),
];

function part(names: readonly string[], load: () => Promise<readonly Command[]>): Part {
  return {
    names,
    async add(admin) {
      for (const command of await load()) admin.addCommand(command);
    },
  };
}

/** With the command `asked` alone if there is one of that name, and with all of them if not. */
export async function adminCommand(asked?: string): Promise<Command> {
  const admin = new Command('admin').description(
    'manage people, keys, coins, markets and accounts; everything is recorded in the audit log',
  );
  const one = PARTS.find(({ names }) => asked !== undefined && names.includes(asked));
  for (const { add } of one === undefined ? PARTS : [one]) await add(admin);
  return admin;
}
