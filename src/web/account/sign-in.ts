import type { Reply } from '#src/contract/endpoint.ts'
import {
  type Credentials,
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
import { icon } from '#src/web/icon.ts'
import {
  checkbox,
  everybody,
  folded,
  hidden,
  type Notice,
  publicPage,
  readBrowserBinding,
  readForm,
  returnTo,
  toConfirm,
} from '#src/web/page/index.ts'
import { type Complaint, buildNotice as complaintNotice } from './complaint.ts'
import { describeOnward } from './onward.ts'
import type { VisitorContext } from './parts.ts'
import { goOn, sendSignInCode } from './sign-in-code.ts'

const { signIn: text } = texts.account
const { signInCode: codeText } = texts.identity

const PATH = '/account/sign-in'

type Shown = {
  readonly returnTo: string
  readonly typed?: Credentials
  readonly failure?: SignInFailure
  /** Why no code was mailed. */
  readonly complaint?: Complaint
}

const buildNotice = ({ failure, complaint }: Shown, { t }: VisitorContext): Notice | undefined => {
  if (failure === undefined) return complaintNotice(complaint, { t })
  if (failure.kind === 'refused') return { kind: 'refused', text: t(text.wrong) }
  const { wait } = failure
  return { kind: 'refused', text: t(texts.words.tooManyAttempts, { minutes: Math.ceil(wait / 60) }), wait }
}

const letter = icon('M2 5h20v14H2zM2 7l10 6 10-6')

// Pressed by Enter in a field: the password signs in where one was typed, and otherwise a code is mailed.
const defaultButton = html`<button class="unseen" type="submit" formnovalidate tabindex="-1" aria-hidden="true"></button>`

const passwordPart = ({ failure }: Shown, { t }: VisitorContext): Html =>
  folded(
    t(text.usePassword),
    html`<label for="password">${t(texts.words.password)}</label>
<input type="password" id="password" name="password" autocomplete="current-password" maxlength="256">
<div class="buttons"><button type="submit" name="way" value="password">${t(texts.words.signIn)}</button></div>
<p class="quiet"><a href="/account/reset">${t(texts.words.forgotYourPassword)}</a></p>`,
    failure !== undefined,
  )

// The picture is beside the form, and the words of the school are below the title.
const greetingIn = ({ look }: VisitorContext['school'], part: 'image' | 'text'): Html | undefined =>
  look == null ? undefined : renderGreeting({ signIn: { image: null, text: null, [part]: look.signIn[part] } })

const show = async (shown: Shown, context: VisitorContext): Promise<Reply> => {
  const { t, form, frame, school } = context
  const { returnTo: to, typed = { email: '', isRemembered: true } } = shown
  // Passkeys and other providers stand between the code and the password.
  const inside = html`${hidden({ return_to: to })}${defaultButton}<label for="email">${t(texts.words.email)}</label>
<input type="email" id="email" name="email" value="${typed.email}" autocomplete="username" required maxlength="254">
<div class="buttons"><button class="main" type="submit" name="way" value="code">${letter}${t(codeText.send)}</button></div>
<p class="or">${t(text.or)}</p>
${passwordPart(shown, context)}
${checkbox('remember', t(text.remember), { isChecked: typed.isRemembered })}`
  return frame({
    title: t(text.title, { school: school.name }),
    above: greetingIn(school, 'image'),
    notice: buildNotice(shown, context),
    body: html`${greetingIn(school, 'text')}<p class="onward">${await describeOnward(context, to)}</p>
${form(inside, PATH)}
${school.signupMode === 'open' && html`<p class="quiet">${t(text.newHere)}</p>`}
${school.signupMode === 'invite' && html`<p class="quiet"><a href="/account/sign-up?${new URLSearchParams({ return_to: to }).toString()}">${t(texts.words.createAccount)}</a></p>`}`,
  })
}

// Only the same person can confirm their password; another person has to sign out first.
const prove = async (
  { request, school, session, parts: { secret, random } }: VisitorContext,
  typed: Credentials,
): Promise<SessionStart | SignInFailure> => {
  const proof = await proveByPassword(request, typed, secret)
  if (proof.kind !== 'proven') return proof
  const { memberId } = proof
  if (session !== undefined && session.member.id !== memberId) return { kind: 'refused' }
  return request.database.transaction(school.id, async (db, now) =>
    (await proof.confirm(db))
      ? createSession(db, request, memberId, { now, random, isRemembered: typed.isRemembered })
      : { kind: 'refused' },
  )
}

/** GET and POST /account/sign-in. */
export const signInPages = [
  publicPage(`GET ${PATH}`, everybody, async (context: VisitorContext) => {
    const { query, session } = context
    const to = returnTo(query.get('return_to') ?? '')
    return session !== undefined ? goOn(context, session, to) : show({ returnTo: to }, context)
  }),
  publicPage(`POST ${PATH}`, everybody, async (context: VisitorContext) => {
    const { request, session, parts, bound } = context
    const browserBinding = readBrowserBinding(request)
    // A form that was open in another tab during a sign-in still belongs to this browser.
    const bounds = browserBinding === undefined ? [bound] : [{ browserBinding }, bound]
    const form = await readForm(request, parts.secret, ...bounds)
    const typed = credentialsIn(form)
    const to = returnTo(formField(form, 'return_to'))
    const isByCode = formField(form, 'way') === 'code' || (formField(form, 'way') === '' && typed.password === '')
    if (session === undefined && isByCode) {
      const sent = await sendSignInCode(context, typed, to)
      return 'error' in sent ? show({ returnTo: to, typed, complaint: sent }, context) : sent
    }
    const isSame = session === undefined || foldEmail(typed.email) === foldEmail(session.member.email)
    if (!isSame) return toConfirm(request, to)
    // Somebody signed in in another tab after this one asked for an address.
    if (session !== undefined && isByCode) return goOn(context, session, to)
    const proven = await prove(context, typed)
    if ('kind' in proven) return show({ returnTo: to, typed, failure: proven }, context)
    return redirectInto(proven, to)
  }),
]
