import { endOf } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { SubscriptionShown } from './shown.ts'
import { oneText as text } from './text.ts'

/** What access a subscription gives, in words, such as `open until 3 May`. */
export const accessText = (
  { access: { state, until } }: SubscriptionShown,
  { t, language, viewer }: StaffContext,
): string => {
  if (state === 'active' && until !== null) return t(text.access.until, { at: endOf(until, language, viewer) })
  return t(text.access[state])
}
