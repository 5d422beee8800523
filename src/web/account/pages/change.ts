import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, input, kinds, mainButton, type Notice } from '#src/web/page/index.ts'
import { backLink } from './account.ts'
import { type ChangeError, changeText } from './change-text.ts'

/** The error of a form; `wait` in seconds after too many attempts. */
export type Complaint = { readonly error: ChangeError; readonly wait?: number }

/** The context of a page with a change form. */
export type ChangeView = {
  readonly school: School
  readonly language: Language
  readonly person: Session['member']
  readonly token: string
  readonly complaint?: Complaint | undefined
}

/** The error of a form as a notice. */
export const noticeOf = ({ complaint, language }: Pick<ChangeView, 'complaint' | 'language'>): Notice | undefined => {
  if (complaint === undefined) return undefined
  const { error, wait } = complaint
  const text = fill(changeText.errors[error], language, { minutes: Math.ceil((wait ?? 0) / 60) })
  return { kind: 'refused', text, ...(wait === undefined ? {} : { wait }) }
}

const disconnects = (language: Language): Html => {
  const { apps, appsHint } = changeText.password
  return html`<div class="scope"><input type="checkbox" id="apps" name="apps" value="disconnect"><label for="apps">${fill(apps, language)} <span class="quiet">${fill(appsHint, language)}</span></label></div>`
}

/** The page for a new password. */
export const passwordPage = (view: ChangeView): Reply => {
  const { language, person, token } = view
  const { password: text } = changeText
  const current = { name: 'current', label: fill(text.current, language), attributes: kinds.currentPassword }
  const fresh = { name: 'password', label: fill(text.fresh, language), attributes: kinds.newPassword }
  // For password managers: the account of the password.
  const inside = html`<input type="hidden" name="email" value="${person.email}" autocomplete="username">
${input(current)}
${input({ ...fresh, hint: fill(text.hint, language) })}
${disconnects(language)}
${mainButton(fill(text.button, language))}`
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    notice: noticeOf(view),
    body: html`<p>${fill(text.intro, language)}</p>
${formOf('/account/password', token, inside)}
${backLink(language)}`,
  })
}

/** The page to change the address, or to verify the current one. */
export const emailPage = (view: ChangeView & { readonly typed?: string }): Reply => {
  const { language, person, token } = view
  const { email: text } = changeText
  const isProven = person.emailVerified
  const label = fill(isProven ? text.freshOther : text.fresh, language)
  const value = view.typed ?? (isProven ? '' : person.email)
  const inside = html`${input({ name: 'email', label, attributes: kinds.email, value })}
${mainButton(fill(text.button, language))}`
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    notice: noticeOf(view),
    body: html`<p>${fill(isProven ? text.intro : text.introUnproven, language, { email: person.email })}</p>
${formOf('/account/email', token, inside)}
${backLink(language)}`,
  })
}

/** The page to enter the code from the e-mail. */
export const emailCodePage = (view: ChangeView & { readonly sentTo: string }): Reply => {
  const { language, token, sentTo } = view
  const { code: text } = changeText
  const inside = html`${input({ name: 'code', label: fill(text.code, language), attributes: kinds.code })}
${mainButton(fill(text.button, language))}`
  return framed({
    school: view.school,
    language,
    title: fill(text.title, language),
    notice: noticeOf(view),
    body: html`<p>${fill(text.intro, language, { email: sentTo })}</p>
${formOf('/account/email/code', token, inside)}
<p class="quiet"><a href="/account/email">${fill(text.again, language)}</a></p>
${backLink(language)}`,
  })
}
