// `rialto admin coin`: defines coins and the networks they move on.
import { Command } from 'commander';
import { getCoin, listCoinDefinitions } from '../../../trading/coins/access.ts';
import { defineCoin } from '../../../trading/coins/actions.ts';
import { readEnvironment } from '../../environment.ts';
import { asOperator } from '../../operator.ts';
import { CommandError } from '../../trouble.ts';
import { act, acting, type ActOptions } from './acting.ts';
import { readJsonFile } from './json-file.ts';
import { printRows, type JsonOption } from './output.ts';
import { COIN_TEMPLATE, renderTemplate } from './templates.ts';

interface AddOptions extends ActOptions {
  file?: string;
  symbol?: string;
  nameEn?: string;
  nameFa?: string;
}

export function coinCommand(): Command {
  const coin = new Command('coin').description('define coins and their networks');
  acting(coin.command('add'), 'coin add')
    .description('define a coin, or change its definition, and have the engine list it')
    .option(
      '--file <file>',
      'a coin with its networks, as `coin template` prints one; "-" reads stdin',
    )
    .option('--symbol <symbol>', 'for a coin on no network: its symbol')
    .option('--name-en <name>', 'its name in English')
    .option('--name-fa <name>', 'its name in Persian')
    .action((options: AddOptions) =>
      act(options, (ctx, operator) => defineCoin(ctx, operator, coinOf(options))),
    );
  coin
    .command('template')
    .description('print a coin to begin with, as `coin add --file` takes it')
    .action(() => console.log(renderTemplate(COIN_TEMPLATE)));
  coin
    .command('show')
    .argument('<symbol>')
    .description('print a coin with its networks; `coin add --file` takes it back')
    .action(async (symbol: string) => {
      const found = await asOperator(readEnvironment(), (ctx) => getCoin(ctx.db, symbol));
      console.log(JSON.stringify(found, null, 2));
    });
  coin
    .command('list')
    .description('list every coin')
    .option('--json', 'print JSON')
    .action(async (options: JsonOption) => {
      const coins = await asOperator(readEnvironment(), (ctx) => listCoinDefinitions(ctx.db));
      const rows = coins.map(({ symbol, nameEn, nameFa, networks }) => ({
        symbol,
        nameEn,
        nameFa,
        networks: Object.keys(networks).join(' '),
      }));
      printRows(options, rows, 'There is no coin yet; define one with `rialto admin coin add`.');
    });
  return coin;
}

function coinOf({ file, symbol, nameEn, nameFa }: AddOptions): unknown {
  if (file !== undefined) {
    if (symbol !== undefined || nameEn !== undefined || nameFa !== undefined) {
      throw new CommandError('Give either --file or the flags, not both.');
    }
    return readJsonFile(file);
  }
  if (symbol === undefined || nameEn === undefined || nameFa === undefined) {
    throw new CommandError(
      'Give --file with a coin (`rialto admin coin template` prints one), or --symbol, --name-en and --name-fa.',
    );
  }
  return { symbol, nameEn, nameFa, networks: {} };
}
