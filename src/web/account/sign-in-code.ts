import type { Db } from '#src/contract/db.ts'
import type { Reply } from '#src/contract/endpoint.ts'
import {
  type ActiveCode,
  type Credentials,
  completeSignUp,
  createdSessionReply,
  createSessionWith,
  findCode,
  findMemberByEmail,
  isName,
  lockRecentSession,
  proveByMailedCode,
  redirectInto,
  requestSignInCode,
  type Session,
  type SessionStart,
  type SignInFailure,
  unparkedCookies,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formField } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { cleanLine } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  hidden,
  input,
  kinds,
  mainButton,
  publicForm,
  publicPage,
  readSession,
  redirect,
  returnTo,
  visitors,
} from '#src/web/page/index.ts'
import { buildCodePlace } from './browser-code.ts'
import { showCodePage } from './code-page.ts'
import { buildNotice, type Complaint } from './complaint.ts'
import type { VisitorContext } from './parts.ts'

const { signIn, signUp } = texts.account
const { signInCode: text } = texts.identity

const SIGN_IN = '/account/sign-in'
const PATH = `${SIGN_IN}/code`

// Longer than a name may be, so that a long name is refused and not truncated.
const LONGEST_NAME = 200

const withReturn = (path: string, to: string): string => `${path}?${new URLSearchParams({ return_to: to })}`

/** Mails a code to sign in and leads to the page for it, or says why not. */
export const sendSignInCode = async (
  context: VisitorContext,
  { email, isRemembered }: Pick<Credentials, 'email' | 'isRemembered'>,
  to: string,
): Promise<Reply | Complaint> => {
  const { request, parts, school, language: locale } = context
  const place = buildCodePlace(context, 'sign_in')
  const link = (code: string): string => `${school.siteOrigin}${PATH}?code=${code}`
  const plan = { email, isRemembered, locale, place, returnTo: to, link, joins: true } as const
  const refused = await requestSignInCode(request, parts, plan)
  return refused ?? redirect(withReturn(PATH, to))
}

type Shown = { readonly email: string; readonly to: string }

const showCode = ({ email, to }: Shown, context: VisitorContext, complaint?: Complaint): Reply =>
  showCodePage(
    {
      path: PATH,
      intro: context.t(context.school.signupMode === 'open' ? text.introOpen : text.intro, { email }),
      button: context.t(texts.words.signIn),
      again: withReturn(SIGN_IN, to),
      hidden: hidden({ return_to: to }),
      complaint,
    },
    context,
  )

const showButton = ({ email, to }: Shown, code: string, { t, form, frame, school }: VisitorContext): Reply =>
  frame({
    title: t(signIn.title, { school: school.name }),
    body: html`<p>${t(text.linkIntro, { email })}</p>
${form(html`${hidden({ return_to: to, code })}${mainButton(t(texts.words.signIn))}`, PATH)}`,
  })

const showElsewhere = ({ t, frame }: VisitorContext): Reply =>
  frame({
    title: t(text.elsewhereTitle),
    body: html`<p>${t(text.elsewhere)}</p>
<p><a href="${SIGN_IN}">${t(texts.words.signIn)}</a></p>`,
  })

const find = (context: VisitorContext): Promise<ActiveCode | undefined> => {
  const { request, school } = context
  return request.database.statements(school.id, db => findCode(db, school.id, buildCodePlace(context, 'sign_in')))
}

// Whoever has proved an address without an account says their name, which creates it.
const showName = ({ to }: Pick<Shown, 'to'>, typed: Typed, context: VisitorContext, complaint?: Complaint): Reply => {
  const { t, form, frame, school } = context
  const name = { name: 'name', label: t(texts.words.yourName), attributes: kinds.name, value: typed.name }
  return frame({
    title: t(signUp.title, { school: school.name }),
    notice: buildNotice(complaint, context),
    body: html`<p>${t(text.nameIntro)}</p>
${form(html`${hidden({ return_to: to, code: typed.code })}${input(name)}\n${mainButton(t(texts.words.createMyAccount))}`, PATH)}`,
  })
}

type Typed = { readonly code: string; readonly name: string }

type Proof = Exclude<Awaited<ReturnType<typeof proveByMailedCode>>, SignInFailure>

// Who enters, and whether the code was used up for it now: it may have been used before, or the account changed meanwhile.
const admit = async (
  { db, now }: { readonly db: Db; readonly now: Date },
  proof: Proof,
  name: string,
  { school, language: locale }: VisitorContext,
): Promise<{ readonly memberId: string | undefined; readonly isFirst: boolean }> => {
  if (proof.kind === 'proven') return { memberId: proof.memberId, isFirst: await proof.confirm(db) }
  const { place, code } = proof
  const result = await completeSignUp(db, school, now, { place, code: { ...code, name, password_hash: null }, locale })
  if (result.kind === 'signed_up') return { memberId: result.memberId, isFirst: true }
  return { memberId: (await findMemberByEmail(db, school.id, code.email))?.id, isFirst: false }
}

// One code opens one session, also where its form is posted twice or in two tabs: they get the same cookies.
const enter = async (
  context: VisitorContext,
  email: string,
  { code, name }: Typed,
): Promise<SessionStart | Complaint | 'asks_name'> => {
  const { request, school, parts } = context
  const place = { ...buildCodePlace(context, 'sign_in'), email }
  const proof = await proveByMailedCode(request, parts.secret, place, code)
  if (proof.kind === 'too_many') return { error: 'too_many_tries', wait: proof.wait }
  if (proof.kind === 'refused') return { error: 'code' }
  if (proof.kind === 'newcomer' && !isName(name)) return name === '' ? 'asks_name' : { error: 'name' }
  const { secrets } = proof
  const opened = await request.database.transaction(school.id, async (db, now) => {
    const { memberId, isFirst } = await admit({ db, now }, proof, name, context)
    if (memberId === undefined) return false
    // RFC 8176: a one-time password.
    if (isFirst) return createSessionWith(db, request, memberId, { now, secrets, amr: ['otp'] })
    return (await lockRecentSession(db, school.id, sha256(secrets.session), memberId)) ? 'before' : false
  })
  if (opened === false) return { error: 'code' }
  if (opened !== 'before') await proof.settle()
  return createdSessionReply(request, secrets)
}

/** Leads somebody who is signed in to where they were going. */
export const goOn = ({ request }: VisitorContext, { isRemembered }: Session, to: string): Reply =>
  redirectInto({ cookies: unparkedCookies(request, isRemembered) }, to)

/**
 * GET and POST /account/sign-in/code: the page for the code from the mail, or the button after its link; then the name of who has no
 * account yet.
 */
export const signInCodePages = [
  publicPage(`GET ${PATH}`, visitors, async (context: VisitorContext) => {
    const { query, request } = context
    const found = await find(context)
    const to = found?.return_to ?? returnTo(query.get('return_to') ?? '')
    const session = await readSession(request)
    if (session !== undefined) return goOn(context, session, to)
    const code = query.get('code')
    if (found === undefined || found.is_used)
      return code === null ? redirect(withReturn(SIGN_IN, to)) : showElsewhere(context)
    const shown = { email: found.email, to }
    return code === null ? showCode(shown, context) : showButton(shown, code.slice(0, 20), context)
  }),
  publicForm(`POST ${PATH}`, visitors, async (context: VisitorContext, form) => {
    const to = returnTo(formField(form, 'return_to'))
    const session = await readSession(context.request)
    if (session !== undefined) return goOn(context, session, to)
    const found = await find(context)
    if (found === undefined) return redirect(withReturn(SIGN_IN, to))
    const { email } = found
    const typed = { code: formField(form, 'code').slice(0, 20), name: cleanLine(formField(form, 'name'), LONGEST_NAME) }
    const entered = await enter(context, email, typed)
    if (entered === 'asks_name') return showName({ to }, typed, context)
    if (!('error' in entered)) return redirectInto(entered, to)
    return entered.error === 'name'
      ? showName({ to }, typed, context, entered)
      : showCode({ email, to }, context, entered)
  }),
]
