import { fill } from '#src/contract/language.ts'
import { endOf } from '#src/web/page/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { SubscriptionShown } from './shown.ts'
import { oneText as text } from './text.ts'

/** What access a subscription gives, in words, such as `open until 3 May`. */
export const accessText = (
  { access: { state, until } }: SubscriptionShown,
  { language, viewer }: StaffContext,
): string => {
  if (state === 'active' && until !== null)
    return fill(text.access.until, language, { at: endOf(until, language, viewer) })
  return fill(text.access[state], language)
}
