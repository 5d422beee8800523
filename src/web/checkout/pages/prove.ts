import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, input, kinds, mainButton, type Notice } from '#src/web/page/index.ts'
import type { Quoted } from '../quote.ts'
import { notesOf } from './notes.ts'
import { isOrderable, orderLabel, summaryOf } from './summary.ts'
import { checkoutText as text } from './text.ts'

/** The page on which a buyer proves their address; `proof` is what they typed or the key of a link, to be sent again. */
type ProveView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  /** The path of the checkout. */
  readonly path: string
  /** The address of the first page, with what is bought. */
  readonly back: string
  readonly email: string
  readonly quoted: Quoted
  readonly proof?: { readonly value: string; readonly isLink: boolean } | undefined
  readonly notice?: Notice | undefined
  readonly status?: number
}

const proofField = ({ language, proof }: ProveView): Html =>
  proof === undefined
    ? input({ name: 'code', label: fill(text.code.label, language), attributes: kinds.code })
    : html`<input type="hidden" name="code" value="${proof.value}">`

const orderForm = (view: ProveView): Html => {
  const { language, token, path, quoted, proof } = view
  const isLink = proof?.isLink === true
  const label = isLink ? orderLabel(quoted.quote, language, text.link) : orderLabel(quoted.quote, language)
  const inside = html`<input type="hidden" name="quote" value="${quoted.quote.quote}">
${proofField(view)}
${mainButton(label)}`
  return formOf(path, token, inside)
}

const againForm = ({ language, token, path }: ProveView): Html =>
  formOf(`${path}/codes`, token, html`<button type="submit">${fill(text.code.again, language)}</button>`)

const waiverOf = ({ quoted: { quote } }: ProveView): Html =>
  html`${quote.waiver !== null && html`<p class="quiet">${quote.waiver.text}</p>`}`

/** The page on which a buyer enters the code from the mail, or continues after the link of the mail. */
export const provePage = (view: ProveView): Reply => {
  const { school, language, email, quoted, proof, notice, back, status } = view
  const isLink = proof?.isLink === true
  const { quote } = quoted
  const intro = isLink
    ? fill(text.link.intro, language, { school: school.name, email })
    : fill(text.code.intro, language, { email })
  const isComplete = isOrderable(quote) && quote.refused.length === 0 && quote.refused_codes.length === 0
  return framed({
    ...{ school, language, notice, ...(status === undefined ? {} : { status }) },
    title: fill(isLink ? text.link.title : text.code.title, language),
    body: html`<p>${intro}</p>
${!isLink && school.signupMode !== 'open' && html`<p>${fill(text.membersOnly, language)}</p>`}
${notesOf(quoted, language)}
${summaryOf(quote, language)}
${notice !== undefined && isComplete && waiverOf(view)}
${isComplete && orderForm(view)}
${!isLink && againForm(view)}
<p class="quiet"><a href="${back}">${fill(text.code.other, language)}</a></p>`,
  })
}

/** The page that says that the school sells to its members. */
export const membersOnlyPage = ({ school, language, back }: Pick<ProveView, 'school' | 'language' | 'back'>): Reply =>
  framed({
    ...{ school, language },
    title: fill(text.title, language),
    notice: { kind: 'refused', text: fill(text.errors.members_only, language) },
    status: 403,
    body: html`<p><a href="/account/sign-in?${new URLSearchParams({ return_to: back }).toString()}">${fill(text.signIn, language)}</a></p>`,
  })
