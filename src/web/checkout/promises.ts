import type { Html } from '#src/kit/html.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { icon } from '#src/web/icon.ts'
import type { CheckoutContext } from './parts.ts'
import type { QuoteView } from './quote.ts'
import type { Ways } from './ways.ts'

const { promises: text } = texts.checkout.common

const icons = {
  open: icon('M13 2L4 14h7l-1 8 9-12h-7z'),
  receipt: icon('M2 5h20v14H2zM2 7l10 6 10-6'),
  safe: icon('M12 3l8 3v6c0 5-3.5 8-8 9-4.5-1-8-4-8-9V6zM9 12l2 2 4-4'),
} as const

/** What holds for every purchase of this kind. */
export const renderPromises = ({ total, lines }: QuoteView, { saved, methods }: Ways, { t }: CheckoutContext): Html => {
  const isTicket = lines.some(({ item_type: type }) => type === 'ticket')
  const hasPage = saved.length > 0 || methods.some(({ name }) => name !== 'manual')
  const promises = [
    ...(isTicket ? [] : [[icons.open, t(total > 0 ? text.open : text.openNow)] as const]),
    ...(total > 0 ? [[icons.receipt, t(text.receipt)] as const] : []),
    ...(total > 0 && hasPage ? [[icons.safe, t(text.card)] as const] : []),
  ]
  return html`<ul class="promises">
${promises.map(([picture, words]) => html`<li>${picture}<span>${words}</span></li>\n`)}</ul>`
}
