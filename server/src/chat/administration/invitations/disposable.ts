// Domains of disposable mailboxes. The list cannot be complete: it only keeps honest people from an address that they
// lose. An organization that must know who joins restricts domains.
const DOMAINS: ReadonlySet<string> = new Set(
  `10mail.org 10minutemail.com 10minutemail.net 20minutemail.com 33mail.com anonbox.net
   burnermail.io byom.de cock.li deadaddress.com discard.email dispostable.com dropmail.me
   emailondeck.com fakeinbox.com fakemail.net getairmail.com getnada.com grr.la guerrillamail.biz
   guerrillamail.com guerrillamail.de guerrillamail.info guerrillamail.net guerrillamail.org
   guerrillamailblock.com harakirimail.com incognitomail.org inboxkitten.com jetable.org
   mail-temp.com mailcatch.com maildrop.cc mailexpire.com mailinator.com mailinator.net
   mailinator2.com mailnesia.com mailnull.com mailpoof.com mailsac.com mintemail.com moakt.com
   mohmal.com mytemp.email mytrashmail.com nada.email notmailinator.com pokemail.net sharklasers.com
   spam4.me spambog.com spambox.us spamex.com spamgourmet.com spamhole.com temp-mail.io
   temp-mail.org tempail.com tempinbox.com tempmail.dev tempmail.net tempmailo.com tempr.email
   throwawaymail.com trash-mail.com trashmail.com trashmail.de trashmail.me trashmail.net
   yopmail.com yopmail.fr yopmail.net`
    .trim()
    .split(/\s+/),
);

/** `domain` in lower case; subdomains count too. */
export function isDisposable(domain: string): boolean {
  const parts = domain.split('.');
  return parts.some((_part, index) => DOMAINS.has(parts.slice(index).join('.')));
}
