import type { Reply } from '#src/contract/endpoint.ts'
import {
  createSession,
  credentialsIn,
  proveByPassword,
  redirectInto,
  type SessionStart,
  type SignInFailure,
} from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { renderGreeting } from '#src/kit/html-page.ts'
import { foldEmail } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  everybody,
  hidden,
  type Notice,
  publicPage,
  readBrowserBinding,
  readForm,
  redirect,
  returnTo,
} from '#src/web/page/index.ts'
import type { VisitorContext } from './parts.ts'

const { signIn: text } = texts.account

const PATH = '/account/sign-in'

type Shown = { readonly returnTo: string; readonly email?: string; readonly failure?: SignInFailure }

const buildNotice = ({ failure }: Shown, { t, session }: VisitorContext): Notice | undefined => {
  if (failure === undefined) return undefined
  if (failure.kind === 'refused')
    return { kind: 'refused', text: t(session === undefined ? text.wrong : text.wrongPassword) }
  const { wait } = failure
  return { kind: 'refused', text: t(texts.words.tooManyAttempts, { minutes: Math.ceil(wait / 60) }), wait }
}

const passwordField = (label: string, button: string): Html =>
  html`<label for="password">${label}</label>
<input type="password" id="password" name="password" autocomplete="current-password" required maxlength="256">
<div class="buttons"><button class="main" type="submit">${button}</button></div>`

// With a session it is for the same person to confirm their password.
const showAgain = (
  shown: Shown,
  context: VisitorContext,
  member: { readonly name: string; readonly email: string },
): Reply => {
  const { t, form, frame } = context
  const { name, email } = member
  const inside = html`${hidden({ return_to: shown.returnTo })}<input type="hidden" name="email" value="${email}" autocomplete="username">
${passwordField(t(texts.words.password), t(texts.words.continue))}`
  return frame({
    title: t(text.againTitle),
    notice: buildNotice(shown, context),
    body: html`<p>${t(text.againIntro, { name, email })}</p>
${form(inside, PATH)}
<p class="quiet">${t(text.notYou)}</p>
${form(html`<button type="submit">${t(texts.words.signOut)}</button>`, '/account/sign-out')}`,
  })
}

const show = (shown: Shown, context: VisitorContext): Reply => {
  const { t, form, frame, school, session } = context
  if (session !== undefined) return showAgain(shown, context, session.member)
  const { returnTo: to, email = '' } = shown
  const inside = html`${hidden({ return_to: to })}<label for="email">${t(texts.words.email)}</label>
<input type="email" id="email" name="email" value="${email}" autocomplete="username" required maxlength="254">
${passwordField(t(texts.words.password), t(texts.words.signIn))}`
  const signUp = html`<p class="quiet"><a href="/account/sign-up?${new URLSearchParams({ return_to: to }).toString()}">${t(texts.words.createAccount)}</a></p>`
  return frame({
    title: t(text.title, { school: school.name }),
    above: renderGreeting(school.look),
    notice: buildNotice(shown, context),
    body: html`<p>${t(text.intro)}</p>
${form(inside, PATH)}
<p class="quiet"><a href="/account/reset">${t(texts.words.forgotYourPassword)}</a></p>
${school.signupMode !== 'closed' && signUp}`,
  })
}

// Only the same person can confirm their password; another person has to sign out first.
const prove = async (
  { request, school, session, parts: { secret, random } }: VisitorContext,
  typed: ReturnType<typeof credentialsIn>,
): Promise<SessionStart | SignInFailure> => {
  const proof = await proveByPassword(request, typed, secret)
  if (proof.kind !== 'proven') return proof
  const { memberId } = proof
  if (session !== undefined && session.member.id !== memberId) return { kind: 'refused' }
  return request.database.transaction(school.id, async (db, now) =>
    (await proof.confirm(db)) ? createSession(db, request, memberId, { now, random }) : { kind: 'refused' },
  )
}

/** GET and POST /account/sign-in. */
export const signInPages = [
  publicPage(`GET ${PATH}`, everybody, async (context: VisitorContext) => {
    const { query, session } = context
    const to = returnTo(query.get('return_to') ?? '')
    return session !== undefined && query.get('again') === null ? redirect(to) : show({ returnTo: to }, context)
  }),
  publicPage(`POST ${PATH}`, everybody, async (context: VisitorContext) => {
    const { request, session, parts, bound } = context
    const browserBinding = readBrowserBinding(request)
    // A form that was open in another tab during a sign-in still belongs to this browser.
    const bounds = browserBinding === undefined ? [bound] : [{ browserBinding }, bound]
    const form = await readForm(request, parts.secret, ...bounds)
    const typed = credentialsIn(form)
    const to = returnTo(formField(form, 'return_to'))
    const isSame = session === undefined || foldEmail(typed.email) === foldEmail(session.member.email)
    if (!isSame) return redirect(`${PATH}?${new URLSearchParams({ again: '1', return_to: to })}`)
    const proven = await prove(context, typed)
    if ('kind' in proven) return show({ returnTo: to, email: typed.email, failure: proven }, context)
    return redirectInto(proven, to)
  }),
]
