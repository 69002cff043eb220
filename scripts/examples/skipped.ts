// Operations without a recorded example, each with its reason.

const NO_MAIL = 'The demo sends no emails, so there are no invitations by email.';
const NO_PHONE = 'The demo has no push relay, so no phone can be registered.';
const SESSION =
  'It takes the session of a browser and a second factor. The page of trading keys uses it.';

const NO_NETWORK = 'Money is simulated in the demo, so nothing comes from a network.';
const NO_RESERVES = 'Money is simulated in the demo, so there are no reserves to prove.';
const NO_PAYMENT = 'Money is simulated in the demo, so nothing is paid on a network.';

export const NOT_RECORDED: Readonly<Record<string, string>> = {
  publicSwagger: 'The answer is the contract itself.',
  privateWalletDepositAddress: NO_NETWORK,
  privateWalletCreateDepositAddress: NO_NETWORK,
  privateWalletDeposits: NO_NETWORK,
  publicReserves: NO_RESERVES,
  publicReserveAddresses: NO_RESERVES,
  privateAccountReserves: NO_RESERVES,
  privateWalletWithdrawQuote: NO_PAYMENT,
  privateWalletWithdraw: NO_PAYMENT,
  privateWalletWithdrawConfirm: NO_PAYMENT,
  privateWalletWithdrawCancel: NO_PAYMENT,
  privateWalletWithdrawals: NO_PAYMENT,
  privateWalletWithdrawAddresses: NO_PAYMENT,
  privateWalletWithdrawAddressAdd: NO_PAYMENT,
  privateWalletWithdrawAddressRemove: NO_PAYMENT,
  streamsTicket: 'It takes the session of a browser.',
  privateApiKeyCreate: SESSION,
  privateApiKeyList: SESSION,
  privateApiKeyUpdate: SESSION,
  privateApiKeyRotate: SESSION,
  privateApiKeyDelete: SESSION,
  'send-invites': NO_MAIL,
  'resend-invite': NO_MAIL,
  'revoke-invite': NO_MAIL,
  'register-account': 'The demo sends no emails, so it cannot confirm an address.',
  'register-push-device': NO_PHONE,
  'test-push-devices': NO_PHONE,
  'test-push-tokens': NO_PHONE,
  'get-web-push-key': 'The demo has no keys for notifications to browsers.',
  'subscribe-browser': 'Only a browser can subscribe: its keys are made there.',
  'test-browser': 'Only a browser can subscribe: its keys are made there.',
  'unsubscribe-browser': 'Only a browser can subscribe: its keys are made there.',
  'report-message': 'The demo has no channel for reports.',
};
