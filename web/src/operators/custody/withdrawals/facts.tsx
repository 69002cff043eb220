import type { AwaitingWithdrawal } from '../../../api/custody.ts';
import { writeDate, writeMoment, writeUtc } from '../../../i18n/date.ts';
import { useLocale } from '../../../i18n/locale.tsx';
import { writeDecimal } from '../../../i18n/number.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { Amount } from '../../../ui/amount.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Facts } from '../facts.tsx';
import { texts } from './texts.ts';

/** Keeps a name that is written in another direction apart from the sentence around it. */
const isolated = (text: string) => `\u2068${text}\u2069`;

export function WithdrawalFacts({ item }: { readonly item: AwaitingWithdrawal }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { withdrawal, accountId, accountLabel, ownerEmail, ownerName } = item;
  const { withdrawId, coin, network, amount, netAmount, address, memo, isInternal } = withdrawal;
  const unit = coin.toUpperCase();
  const asked = Number(withdrawal.createdAt);
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <p className="flex flex-wrap items-center gap-2">
        <bdi className="font-medium">{withdrawId}</bdi>
        <Amount value={amount} unit={unit} className="font-medium" />
        <Badge>{network}</Badge>
      </p>
      <Facts
        facts={[
          [
            t.who,
            <span key="who">
              <bdi className="font-medium">{ownerName}</bdi>{' '}
              <bdi dir="ltr">{`<${ownerEmail}>`}</bdi>{' '}
              <span className="text-muted">
                {t.account({ account: accountId, label: accountLabel })}
              </span>
            </span>,
          ],
          [
            t.amount,
            <span key="amount">
              <Amount value={amount} unit={unit} />{' '}
              <span className="text-muted">
                ({t.receives({ amount: isolated(`${writeDecimal(netAmount, locale)} ${unit}`) })})
              </span>
            </span>,
          ],
          [
            t.to,
            <span key="to" className="flex min-w-0 flex-col">
              <span className="flex min-w-0 items-center gap-1">
                <code dir="ltr" className="min-w-0 break-all">
                  {address}
                </code>
                <CopyButton text={address} label={t.copyAddress} />
              </span>
              {memo !== '' && (
                <span>
                  {t.memo}: <code dir="ltr">{memo}</code>
                </span>
              )}
              {isInternal && <span className="text-small text-muted">{t.inside}</span>}
            </span>,
          ],
          [t.book, <Book key="book" item={item} />],
          [t.because, <Because key="because" item={item} />],
          [
            t.asked,
            <time key="asked" dateTime={new Date(asked).toISOString()} title={writeUtc(asked)}>
              {writeMoment(asked, locale)}
            </time>,
          ],
          [t.approvals, <Approvals key="approvals" item={item} />],
        ]}
      />
    </div>
  );
}

const DAY_MS = 24 * 3600 * 1000;

function Book({ item: { address } }: { readonly item: AwaitingWithdrawal }) {
  const t = useTexts(texts);
  const locale = useLocale();
  if (address.state === 'absent') return t.absent;
  const since = Number(address.addedAt);
  const days = Math.max(0, Math.floor((Date.now() - since) / DAY_MS));
  return (
    <span className="flex flex-col">
      <span title={writeUtc(since)}>
        {t.present({
          label: isolated(address.label),
          time: writeDate(since, locale),
          age: t.age({ days }),
        })}
      </span>
      {address.state !== 'present' && (
        <span className={address.state === 'altered' ? 'font-medium text-danger' : 'text-warning'}>
          {t[address.state]}
        </span>
      )}
    </span>
  );
}

function Because({ item }: { readonly item: AwaitingWithdrawal }) {
  const t = useTexts(texts);
  const locale = useLocale();
  const { because, automaticMax, oneOperatorMax, withdrawal } = item;
  const limit = (text: string) =>
    isolated(`${writeDecimal(text === '' ? '0' : text, locale)} ${withdrawal.coin.toUpperCase()}`);
  const words = {
    not_in_book: t.not_in_book,
    amount: t.amountOver({ limit: limit(automaticMax) }),
    // Without limits in the file, nobody knows which one it was.
    large_amount:
      oneOperatorMax === '' ? t.otherwise : t.largeOver({ limit: limit(oneOperatorMax) }),
    screening: t.screening,
  };
  if (because.length === 0) return t.otherwise;
  return (
    <ul>
      {because.map((reason) => (
        <li key={reason}>{words[reason]}</li>
      ))}
    </ul>
  );
}

function Approvals({ item }: { readonly item: AwaitingWithdrawal }) {
  const t = useTexts(texts);
  const locale = useLocale();
  return (
    <span className="flex flex-col">
      <span>
        {t.approvalsOf({ count: Number(item.approvals), needed: Number(item.approvalsNeeded) })}
      </span>
      {item.approvedBy.map(({ email, at }) => (
        <span key={email} className="text-small text-muted">
          {t.by({ who: isolated(email), time: writeMoment(Number(at), locale) })}
        </span>
      ))}
    </span>
  );
}
