import type { Reply } from '#src/contract/endpoint.ts'
import { fill, type Language } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { greetingOf } from '#src/kit/html-page.ts'
import { formOf, framed, type Notice } from '#src/web/page/index.ts'
import { signInText as text } from './text.ts'

/** How a sign-in failed. */
type Failure = { readonly kind: 'refused' } | { readonly kind: 'too_many'; readonly wait: number }

/** A sign-in page; with a session it is for the same person to confirm their password. */
type SignInView = {
  readonly school: School
  readonly language: Language
  readonly token: string
  readonly returnTo: string
  readonly email: string
  readonly session?: Session | undefined
  readonly failure?: Failure | undefined
}

const noticeOf = ({ failure, language, session }: SignInView): Notice | undefined => {
  if (failure === undefined) return undefined
  if (failure.kind === 'refused')
    return { kind: 'refused', text: fill(session === undefined ? text.wrong : text.wrongPassword, language) }
  const minutes = Math.ceil(failure.wait / 60)
  return { kind: 'refused', text: fill(text.tooMany, language, { minutes }), wait: failure.wait }
}

const emailField = ({ email, language }: SignInView): Html =>
  html`<label for="email">${fill(text.email, language)}</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="username" required maxlength="254">`

const passwordField = (language: Language, button: string): Html =>
  html`<label for="password">${fill(text.password, language)}</label>
<input type="password" id="password" name="password" autocomplete="current-password" required maxlength="256">
<div class="buttons"><button class="main" type="submit">${button}</button></div>`

const hidden = (view: SignInView): Html => html`<input type="hidden" name="return_to" value="${view.returnTo}">`

const signOut = (token: string, language: Language): Html => html`<p class="quiet">${fill(text.notYou, language)}</p>
${formOf('/account/sign-out', token, html`<button type="submit">${fill(text.signOut, language)}</button>`)}`

const signUp = ({ language, returnTo }: SignInView): Html =>
  html`<p class="quiet"><a href="/account/sign-up?${new URLSearchParams({ return_to: returnTo }).toString()}">${fill(text.signUp, language)}</a></p>`

const againPage = (view: SignInView, { member }: Session): Reply => {
  const { language, token } = view
  const inside = html`${hidden(view)}
<input type="hidden" name="email" value="${member.email}" autocomplete="username">
${passwordField(language, fill(text.goOn, language))}`
  return framed({
    language,
    school: view.school,
    title: fill(text.againTitle, language),
    notice: noticeOf(view),
    body: html`<p>${fill(text.againIntro, language, { name: member.name, email: member.email })}</p>
${formOf('/account/sign-in', token, inside)}
${signOut(token, language)}`,
  })
}

/** The page on which a person signs in or confirms their password. */
export const signInPage = (view: SignInView): Reply => {
  const { school, language, token, session } = view
  if (session !== undefined) return againPage(view, session)
  const inside = html`${hidden(view)}
${emailField(view)}
${passwordField(language, fill(text.signIn, language))}`
  return framed({
    language,
    school,
    title: fill(text.title, language, { school: school.name }),
    above: greetingOf(school.look),
    notice: noticeOf(view),
    body: html`<p>${fill(text.intro, language)}</p>
${formOf('/account/sign-in', token, inside)}
<p class="quiet"><a href="/account/reset">${fill(text.forgotten, language)}</a></p>
${school.signupMode !== 'closed' && signUp(view)}`,
  })
}
