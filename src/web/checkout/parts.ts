import type { AccountPagesParts } from '#src/web/account/index.ts'
import type { PublicContext } from '#src/web/page/index.ts'

/** What the pages of the checkout need: one of them is the page of an order. The secret also makes those of new sessions. */
export type CheckoutPagesParts = AccountPagesParts

/** A page of the checkout. */
export type CheckoutContext = PublicContext<CheckoutPagesParts>
