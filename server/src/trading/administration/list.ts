// The list of all routes of the administration, kept by hand: what is not in it does not exist.
import {
  getCustodyNetworks,
  getCustodyStops,
  getCustodyTiers,
  postCustodyPause,
  postCustodyResume,
} from './custody-routes.ts';
import { getAdminDocument } from './document.ts';
import { getAccount, getAudit, getGrants, getPending, getPerson } from './look-routes.ts';
import {
  postCoin,
  postFamilyTier,
  postFamilyUnpin,
  postFeeTier,
  postMarket,
  postMarketCancel,
  postMarketPhase,
  postMarketUpdate,
  postNetworkStatus,
} from './market-routes.ts';
import { getCustody } from './overview-routes.ts';
import {
  getPaymentRequest,
  getPayments,
  postPaymentBump,
  postPaymentResolve,
  postPaymentSign,
} from './payment-routes.ts';
import {
  getRecoveries,
  postRecoveryApprove,
  postRecoveryAsk,
  postRecoveryCancel,
} from './recovery-routes.ts';
import { getCustodyReports, postCustodyReconcile, postReservesPublish } from './reserve-routes.ts';
import type { AdminRoute } from './route.ts';
import {
  postCancelOrders,
  postClearTries,
  postEndSessions,
  postResume,
  postRevokeChatKey,
  postRevokeKey,
  postSuspend,
} from './support-routes.ts';
import {
  postAdjust,
  postApprove,
  postGrantRequest,
  postGrantRevoke,
  postReconcile,
  postReject,
} from './treasury-routes.ts';
import {
  getAwaitingWithdrawals,
  postDepositReverse,
  postWithdrawApprove,
  postWithdrawReject,
} from './withdrawal-routes.ts';

const OWN: readonly AdminRoute[] = [
  getPending,
  getGrants,
  getAccount,
  getPerson,
  getAudit,
  postMarket,
  postMarketUpdate,
  postMarketPhase,
  postMarketCancel,
  postCoin,
  postNetworkStatus,
  postFeeTier,
  postFamilyTier,
  postFamilyUnpin,
  postSuspend,
  postResume,
  postCancelOrders,
  postEndSessions,
  postRevokeKey,
  postRevokeChatKey,
  postClearTries,
  getRecoveries,
  postRecoveryAsk,
  postRecoveryApprove,
  postRecoveryCancel,
  postAdjust,
  postReconcile,
  getAwaitingWithdrawals,
  postWithdrawApprove,
  postWithdrawReject,
  postDepositReverse,
  getCustody,
  getCustodyNetworks,
  postCustodyPause,
  postCustodyResume,
  getCustodyTiers,
  getCustodyReports,
  getCustodyStops,
  postCustodyReconcile,
  postReservesPublish,
  getPayments,
  getPaymentRequest,
  postPaymentSign,
  postPaymentBump,
  postPaymentResolve,
  postGrantRequest,
  postGrantRevoke,
  postApprove,
  postReject,
];

export const ADMIN_ROUTES: readonly AdminRoute[] = [getAdminDocument(OWN), ...OWN];
