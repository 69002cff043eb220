import type { CustodyPayment } from '../../../api/custody.ts';
import { writeMoment } from '../../../i18n/date.ts';
import { useLocale } from '../../../i18n/locale.tsx';
import { writeCount } from '../../../i18n/number.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Badge, type Tone } from '../../../ui/badge.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Facts } from '../facts.tsx';
import { texts, wordTexts } from './texts.ts';

const TONES: Readonly<Record<string, Tone>> = {
  signing: 'neutral',
  broadcasting: 'accent',
  confirming: 'accent',
  needs_operator: 'danger',
};

export function PaymentFacts({ payment }: { readonly payment: CustodyPayment }) {
  const t = useTexts(texts);
  const words: Readonly<Record<string, string>> = useTexts(wordTexts);
  const locale = useLocale();
  const { paymentId, network, kind, state, reason, txid, withdrawIds, signatures } = payment;
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <bdi className="font-medium">{paymentId}</bdi>
        <span>{t.on({ kind: words[kind] ?? kind, network })}</span>
        <Badge tone={TONES[state] ?? 'neutral'}>{words[state] ?? state}</Badge>
      </p>
      <Facts
        facts={[
          [
            t.pays,
            withdrawIds.length === 0 ? (
              t.nobody
            ) : (
              <bdi key="pays" dir="ltr">
                {withdrawIds.join(', ')}
              </bdi>
            ),
          ],
          ...(reason === '' ? [] : [[t.reason, <Reason key="reason" reason={reason} />] as const]),
          [
            t.transaction,
            txid === '' ? (
              <span key="transaction" className="text-muted">
                {t.unsigned}
              </span>
            ) : (
              <span key="transaction" className="flex min-w-0 items-center gap-1">
                <code dir="ltr" className="min-w-0 truncate" title={txid}>
                  {txid}
                </code>
                <CopyButton text={txid} label={t.copyTransaction} />
              </span>
            ),
          ],
          ...(signatures === '0'
            ? []
            : [[t.signatures, writeCount(Number(signatures), locale)] as const]),
          [t.since, writeMoment(Number(payment.createdAt), locale)],
          ...(payment.decisions.length === 0
            ? []
            : [[t.decided, <Decisions key="decided" payment={payment} />] as const]),
        ]}
      />
    </div>
  );
}

/** The signer says a word and a sentence; the word is known, the sentence is its own. */
function Reason({ reason }: { readonly reason: string }) {
  const words: Readonly<Record<string, string>> = useTexts(wordTexts);
  const known = words[reason.split(':', 1)[0] ?? ''];
  return (
    <span className="flex flex-col">
      {known !== undefined && <span>{known}</span>}
      <bdi dir="ltr" className="text-small break-words text-muted">
        {reason}
      </bdi>
    </span>
  );
}

function Decisions({ payment: { decisions } }: { readonly payment: CustodyPayment }) {
  const t = useTexts(texts);
  return (
    <ul>
      {decisions.map(({ way, email, reason }) => (
        <li key={`${way} ${email}`}>
          {t.decision({
            way: way === 'void' || way === 'drop' ? t[way] : way,
            who: `\u2068${email}\u2069`,
            reason: `\u2068${reason}\u2069`,
          })}
        </li>
      ))}
    </ul>
  );
}
