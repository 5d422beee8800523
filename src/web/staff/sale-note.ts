import { SellingSettings } from '#src/areas/school/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from './audience.ts'

const text = texts.staff.unpaid

/** Says below prices that nobody can buy at them, and why; nothing where the school can be paid, and for lecturers. */
export const saleNote = async (
  { t, call, isStaff }: Pick<StaffContext, 't' | 'call' | 'isStaff'>,
  prices: readonly { readonly amount: number }[],
): Promise<Html | false> => {
  if (!isStaff || prices.every(({ amount }) => amount === 0)) return false
  const { sale_state: state } = await call({ operation: 'getSellingSettings', returns: SellingSettings })
  if (state.can_sell) return false
  const reasons = state.missing.map(lack => t(text.missing[lack])).join(' ')
  return html`<p class="note">${t(text.about)} ${reasons} <a href="/staff/payments">${t(text.link)}</a></p>\n`
}
