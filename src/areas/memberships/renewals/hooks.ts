import type { SubscriptionRow } from '#src/areas/memberships/subscriptions/index.ts'
import type { Fact } from '#src/contract/fact.ts'
import { hook } from '#src/contract/hook.ts'

/** Called before the next period of a locked subscription is charged, with the instant at which it begins. */
export const periodBegins = hook<
  { readonly subscription: SubscriptionRow; readonly from: Date; readonly now: Date },
  readonly Fact[]
>('periodBegins')
