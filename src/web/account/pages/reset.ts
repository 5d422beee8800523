import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, input, kinds, mainButton } from '#src/web/page/index.ts'
import { type Complaint, noticeOf } from './change.ts'
import { changeText } from './change-text.ts'

/** A page of the password reset. */
type ResetView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly complaint?: Complaint | undefined
}

const { reset: text, code: codeText, password: passwordText } = changeText

const link = (href: string, label: string): Html => html`<p class="quiet"><a href="${href}">${label}</a></p>`

/** The page to request a code after a forgotten password. */
export const resetPage = (view: ResetView & { readonly typed: string }): Reply => {
  const { school, language, token, typed } = view
  const inside = html`${input({ name: 'email', label: fill(text.email, language), attributes: kinds.email, value: typed })}
${mainButton(fill(text.send, language))}`
  return framed({
    language,
    school,
    title: fill(text.title, language),
    notice: noticeOf(view),
    body: html`<p>${fill(text.intro, language)}</p>
${formOf('/account/reset', token, inside)}
${link('/account/sign-in', fill(text.remembered, language))}`,
  })
}

/** The page to enter the code from the e-mail and the new password. */
export const resetCodePage = (view: ResetView & { readonly sentTo: string }): Reply => {
  const { school, language, token, sentTo } = view
  const hint = fill(passwordText.hint, language)
  const inside = html`${input({ name: 'code', label: fill(codeText.code, language), attributes: kinds.code })}
${input({ name: 'password', label: fill(passwordText.fresh, language), attributes: kinds.newPassword, hint })}
${mainButton(fill(text.button, language))}`
  return framed({
    language,
    school,
    title: fill(codeText.title, language),
    notice: noticeOf(view),
    body: html`<p>${fill(text.codeIntro, language, { email: sentTo })}</p>
${formOf('/account/reset/code', token, inside)}
${link('/account/reset', fill(codeText.again, language))}`,
  })
}
