import type { Reply } from '#src/contract/endpoint.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { hidden, input, kinds, mainButton, type Notice, renderForm } from '#src/web/page/index.ts'
import { renderNotes } from './notes.ts'
import type { CheckoutContext } from './parts.ts'
import type { Quoted } from './quote.ts'
import { isOrderable, orderLabel, renderSummary } from './summary.ts'

const { common: text } = texts.checkout

/** What the page shows on which a buyer proves their address. */
type Shown = {
  readonly token: string
  /** The path of the checkout. */
  readonly path: string
  /** The address of the first page, with what is bought. */
  readonly back: string
  readonly email: string
  readonly quoted: Quoted
  /** What they typed or the key of a link, to be sent again. */
  readonly proof?: { readonly value: string; readonly isLink: boolean } | undefined
  readonly notice?: Notice | undefined
  readonly status?: number
}

const orderForm = ({ token, path, quoted: { quote }, proof }: Shown, context: CheckoutContext): Html => {
  const label = proof?.isLink === true ? orderLabel(quote, context, text.link) : orderLabel(quote, context)
  const field =
    proof === undefined
      ? input({ name: 'code', label: context.t(text.code.label), attributes: kinds.code })
      : html`${hidden({ code: proof.value })}`
  return renderForm(path, token, html`${hidden({ quote: quote.quote })}${field}\n${mainButton(label)}`)
}

/** The page on which a buyer enters the code from the mail, or continues after the link of the mail. */
export const showProof = (shown: Shown, context: CheckoutContext): Reply => {
  const { t, frame, school } = context
  const { email, quoted, proof, notice, back, status, token, path } = shown
  const isLink = proof?.isLink === true
  const { quote } = quoted
  const isComplete = isOrderable(quote) && quote.refused.length === 0 && quote.refused_codes.length === 0
  const again = html`<button type="submit">${t(text.code.again)}</button>`
  return frame({
    title: t(isLink ? text.link.title : text.code.title),
    notice,
    leadsAway: true,
    ...(status === undefined ? {} : { status }),
    body: html`<p>${isLink ? t(text.link.intro, { school: school.name, email }) : t(text.code.intro, { email })}</p>
${!isLink && school.signupMode !== 'open' && html`<p>${t(text.membersOnly)}</p>`}
${renderNotes(quoted, context)}
${renderSummary(quote, context)}
${notice !== undefined && isComplete && quote.waiver !== null && html`<p class="quiet">${quote.waiver.text}</p>`}
${isComplete && orderForm(shown, context)}
${!isLink && renderForm(`${path}/codes`, token, again)}
<p class="quiet"><a href="${back}">${t(text.code.other)}</a></p>`,
  })
}

/** The page that says that the school sells to its members. */
export const showMembersOnly = ({ t, frame }: CheckoutContext, back: string): Reply =>
  frame({
    title: t(text.title),
    notice: { kind: 'refused', text: t(text.errors.members_only) },
    status: 403,
    body: html`<p><a href="/account/sign-in?${new URLSearchParams({ return_to: back }).toString()}">${t(texts.words.signIn)}</a></p>`,
  })
