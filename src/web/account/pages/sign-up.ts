import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { type Html, html } from '#src/kit/html.ts'
import { formOf, framed, input, kinds, mainButton } from '#src/web/page/index.ts'
import { type Complaint, noticeOf } from './change.ts'
import { changeText } from './change-text.ts'
import { signUpText as text } from './sign-up-text.ts'

/** A page of the sign-up; `returnTo` is an address of ours. */
type SignUpView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly returnTo: string
  readonly complaint?: Complaint | undefined
}

const { code: codeText, password: passwordText } = changeText

const link = (path: string, view: SignUpView, label: string): Html =>
  html`<p class="quiet"><a href="${path}?${new URLSearchParams({ return_to: view.returnTo }).toString()}">${label}</a></p>`

const hidden = ({ returnTo }: SignUpView): Html => html`<input type="hidden" name="return_to" value="${returnTo}">`

/** The page to create an account; it says so where a school does not accept new accounts. */
export const signUpPage = (
  view: SignUpView & { readonly typed: { readonly email: string; readonly name: string } },
): Reply => {
  const { school, language, token, typed } = view
  const title = fill(text.title, language, { school: school.name })
  const signIn = link('/account/sign-in', view, fill(text.haveAccount, language))
  if (school.signupMode === 'closed')
    return framed({
      language,
      school,
      title,
      status: 403,
      body: html`<p>${fill(text.closed, language)}</p>\n${signIn}`,
    })
  const name = { name: 'name', label: fill(text.name, language), attributes: kinds.name, value: typed.name }
  const email = { name: 'email', label: fill(text.email, language), attributes: kinds.email, value: typed.email }
  const password = { name: 'password', label: fill(text.password, language), attributes: kinds.newPassword }
  const inside = html`${hidden(view)}
${input(name)}
${input(email)}
${input({ ...password, hint: fill(passwordText.hint, language) })}
${mainButton(fill(text.send, language))}`
  return framed({
    ...{ language, school, title },
    notice: noticeOf(view),
    body: html`<p>${fill(school.signupMode === 'invite' ? text.inviteOnly : text.intro, language)}</p>
${formOf('/account/sign-up', token, inside)}
${signIn}`,
  })
}

/** The page to enter the code from the e-mail. */
export const signUpCodePage = (view: SignUpView & { readonly sentTo: string }): Reply => {
  const { school, language, token, sentTo } = view
  const inside = html`${hidden(view)}
${input({ name: 'code', label: fill(codeText.code, language), attributes: kinds.code })}
${mainButton(fill(text.button, language))}`
  return framed({
    ...{ language, school, title: fill(codeText.title, language) },
    notice: noticeOf(view),
    body: html`<p>${fill(text.codeIntro, language, { email: sentTo })}</p>
${formOf('/account/sign-up/code', token, inside)}
${link('/account/sign-up', view, fill(codeText.again, language))}`,
  })
}
