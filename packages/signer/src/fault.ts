/** A mistake that an operator can mend: its message is all that is printed. */
export class SignerFault extends Error {
  override name = 'SignerFault';
}
