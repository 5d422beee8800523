import type { Refusal } from '#src/contract/problem.ts'
import type { Pairs } from '#src/kit/form.ts'
import { showEnd } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { SubscriptionAct } from './acts.ts'
import type { ChangeShown, CreditsShown, PeriodShown, PriceChoice, SubscriptionShown } from './shown.ts'
import { oneText as text } from './text.ts'

/** What the page of a subscription shows to staff. */
export type SubscriptionView = {
  readonly context: StaffContext
  readonly subscription: SubscriptionShown
  readonly periods: readonly PeriodShown[]
  readonly changes: readonly ChangeShown[]
  /** What happened to its credit. */
  readonly credits: CreditsShown
  /** The prices to which it can change. */
  readonly prices: readonly PriceChoice[]
  readonly formKey: string
  readonly done: string
  /** What was refused just now, with what was typed. */
  readonly refused: { readonly act: SubscriptionAct; readonly form: Pairs; readonly refusal: Refusal } | undefined
}

/** The address of the page of a subscription. */
export const buildPath = ({ id }: Pick<SubscriptionShown, 'id'>): string => `/staff/subscriptions/${id}`

/** The period that is not paid yet. */
export const duePeriod = ({ periods }: Pick<SubscriptionView, 'periods'>): PeriodShown | undefined =>
  periods.find(({ state }) => state === 'asked' || state === 'failed')

/** What access a subscription gives, in words, such as `open until 3 May`. */
export const accessText = (
  { access: { state, until } }: SubscriptionShown,
  { t, language, viewer }: StaffContext,
): string => {
  if (state === 'active' && until !== null) return t(text.access.until, { at: showEnd(until, language, viewer) })
  return t(text.access[state])
}
