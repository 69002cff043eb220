// The id of a transaction: short, with the whole of it at hand, and a way to an explorer.
import type { Coin } from '@rialto/sdk';
import { useTexts } from '../../i18n/texts.ts';
import { CopyButton } from '../../ui/copy-button.tsx';
import { explorerOf } from './place.ts';
import { texts } from './texts.ts';

const SHOWN = 8;

export function TransactionCell({
  coins,
  movement: { coin, network, txid },
}: {
  readonly coins: readonly Coin[];
  readonly movement: { readonly coin: string; readonly network: string; readonly txid: string };
}) {
  const t = useTexts(texts);
  if (txid === '') return <span className="text-muted">{t.noTransaction}</span>;
  const known = coins.find(({ symbol }) => symbol === coin)?.networks[network];
  const href = known === undefined ? '' : explorerOf(known.transactionUrl, 'txid', txid);
  const short = txid.length > SHOWN * 2 ? `${txid.slice(0, SHOWN)}…${txid.slice(-SHOWN)}` : txid;
  return (
    <span dir="ltr" className="inline-flex items-center gap-1">
      {href === '' ? (
        <code title={txid}>{short}</code>
      ) : (
        <a
          href={href}
          target="_blank"
          rel="noreferrer noopener"
          title={txid}
          aria-label={t.openTransaction({ id: short })}
          className="text-accent underline underline-offset-2"
        >
          <code>{short}</code>
        </a>
      )}
      <CopyButton text={txid} label={t.copyTransaction} />
    </span>
  );
}
