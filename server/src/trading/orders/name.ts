/** How an order is named: by exactly one of its two ids. */
export type OrderName = { readonly orderId: bigint } | { readonly clientOrderId: string };
