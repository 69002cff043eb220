// `rialto admin`: the operators' commands of a deployment. Each noun has a file in admin/; everything that changes
// something is in the audit log.
import { Command } from 'commander';
import { accountCommand, feesCommand } from './admin/accounts.ts';
import { subAccountCommand } from './admin/sub-accounts.ts';
import { auditCommand } from './admin/audit.ts';
import { coinCommand } from './admin/coins.ts';
import {
  approveCommandLine,
  ledgerCommand,
  pendingCommandLine,
  retractCommandLine,
  withdrawCommandLine,
} from './admin/ledger.ts';
import { marketCommand } from './admin/markets.ts';
import { rotateMasterKeyCommand } from './admin/master-key.ts';
import { operatorCommand } from './admin/operators.ts';
import { orderCommand } from './admin/orders.ts';
import { keyCommand, sessionCommand } from './admin/keys.ts';
import { addPeopleCommands } from './admin/people.ts';
import { recoveryCommand } from './admin/recovery.ts';
import { signInCommand } from './admin/sign-in.ts';
import { rebuildProjectionsCommand } from './admin/projections.ts';

export function adminCommand(): Command {
  const admin = new Command('admin').description(
    'manage people, keys, coins, markets and accounts; everything is recorded in the audit log',
  );
  addPeopleCommands(admin);
  admin
    .addCommand(marketCommand())
    .addCommand(coinCommand())
    .addCommand(accountCommand())
    .addCommand(orderCommand())
    .addCommand(feesCommand())
    .addCommand(subAccountCommand())
    .addCommand(ledgerCommand())
    .addCommand(pendingCommandLine())
    .addCommand(approveCommandLine())
    .addCommand(retractCommandLine())
    .addCommand(withdrawCommandLine(), { hidden: true })
    .addCommand(keyCommand())
    .addCommand(sessionCommand())
    .addCommand(operatorCommand())
    .addCommand(auditCommand())
    .addCommand(signInCommand())
    .addCommand(recoveryCommand())
    .addCommand(rebuildProjectionsCommand())
    .addCommand(rotateMasterKeyCommand());
  return admin;
}
