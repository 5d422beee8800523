import type { PublicContext, PublicParts } from '#src/web/page/index.ts'

/** What the pages of the checkout need; the secret also makes those of new sessions. */
export type CheckoutPagesParts = PublicParts

/** A page of the checkout. */
export type CheckoutContext = PublicContext
