import type { Reply } from '#src/contract/endpoint.ts'
import {
  checkCode,
  completeSignUp,
  createSession,
  findPasswordError,
  isName,
  redirectInto,
  refundCode,
  type SessionStart,
  startSignUp,
} from '#src/identity/index.ts'
import { formField, type Pairs } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanEmail, cleanLine, isEmail, isStorable } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import {
  field,
  folded,
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
import { buildCodePlace, findAddress } from './browser-code.ts'
import { showCodePage } from './code-page.ts'
import { buildNotice, type Complaint, changeText } from './complaint.ts'
import type { VisitorContext } from './parts.ts'

const PATH = '/account/sign-up'
const CODE_PATH = `${PATH}/code`

const { password: passwordText } = changeText
const { signUp: text } = texts.account

// Longer than a name may be, so that a long name is refused and not truncated.
const LONGEST_NAME = 200
const MAX_EMAIL = 254

type Typed = { readonly email: string; readonly name: string; readonly password: string }

type Shown = { readonly to: string; readonly complaint?: Complaint | undefined }

const withReturn = (path: string, to: string): string => `${path}?${new URLSearchParams({ return_to: to })}`

const link = (path: string, to: string, label: string): Html =>
  html`<p class="quiet"><a href="${withReturn(path, to)}">${label}</a></p>`

// Where a school does not accept new accounts, the page says so.
const show = (typed: Omit<Typed, 'password'>, { to, complaint }: Shown, context: VisitorContext): Reply => {
  const { t, form, frame, school } = context
  const title = t(text.title, { school: school.name })
  const signIn = link('/account/sign-in', to, t(text.haveAccount))
  if (school.signupMode === 'closed')
    return frame({ title, status: 403, body: html`<p>${t(text.closed)}</p>\n${signIn}` })
  const name = { name: 'name', label: t(texts.words.yourName), attributes: kinds.name, value: typed.name }
  const email = { name: 'email', label: t(texts.words.email), attributes: kinds.email, value: typed.email }
  const password = { name: 'password', label: t(texts.words.newPassword), attributes: kinds.newPassword }
  const inside = html`${hidden({ return_to: to })}${input(name)}
${input(email)}
${folded(t(text.password), html`${field({ ...password, value: '', hint: t(passwordText.hint) })}`, complaint !== undefined)}
${mainButton(t(texts.words.sendMeCode))}`
  return frame({
    title,
    notice: buildNotice(complaint, context),
    body: html`<p>${t(school.signupMode === 'invite' ? text.inviteOnly : text.intro)}</p>
${form(inside, PATH)}
${signIn}`,
  })
}

const showCode = (email: string, { to, complaint }: Shown, context: VisitorContext): Reply => {
  const { t } = context
  const page = { path: CODE_PATH, intro: t(texts.words.codeSent, { email }), button: t(texts.words.createMyAccount) }
  return showCodePage({ ...page, again: withReturn(PATH, to), hidden: hidden({ return_to: to }), complaint }, context)
}

const typedIn = (form: Pairs): Typed => ({
  email: cleanEmail(formField(form, 'email')),
  name: cleanLine(formField(form, 'name'), LONGEST_NAME),
  password: formField(form, 'password'),
})

const findError = async ({ school }: VisitorContext, typed: Typed): Promise<Complaint | undefined> => {
  if (!isName(typed.name)) return { error: 'name' }
  if (!isEmail(typed.email) || !isStorable(typed.email)) return { error: 'email' }
  if (typed.password === '') return undefined
  const error = await findPasswordError(typed.password, { ...typed, school })
  return error && { error }
}

const sendCode = async (context: VisitorContext, typed: Typed): Promise<Complaint | undefined> => {
  const error = await findError(context, typed)
  if (error !== undefined) return error
  const { request, school, language: locale, parts } = context
  const { boundTo } = buildCodePlace(context, 'sign_up')
  const { password, ...person } = typed
  const plan = { ...person, ...(password === '' ? {} : { password }), network: request.network, locale, boundTo }
  const answer = await startSignUp(request.database, school, parts, plan)
  return answer.kind === 'sent' ? undefined : { error: 'too_many_codes', wait: answer.wait }
}

const complete = async (context: VisitorContext, typed: string): Promise<SessionStart | Complaint> => {
  const { request, school, language: locale, parts } = context
  const { database, network } = request
  const place = buildCodePlace(context, 'sign_up')
  const code = await checkCode(database, school.id, parts.secret, place, typed)
  if (code === undefined) return { error: 'code' }
  const completed = await database.transaction<SessionStart | Complaint>(school.id, async (db, now) => {
    const result = await completeSignUp(db, school, now, { place, code, locale })
    if (result.kind !== 'signed_up') return { error: result.kind === 'taken' ? 'has_account' : 'code' }
    return createSession(db, request, result.memberId, { now, random: parts.random })
  })
  if (!('error' in completed)) await refundCode(database, school, network, code)
  return completed
}

/** GET and POST /account/sign-up and the page for its code: an account without an app, with the rules of the OAuth sign-up. */
export const signUpPages = [
  publicPage(`GET ${PATH}`, visitors, async (context: VisitorContext) => {
    const to = returnTo(context.query.get('return_to') ?? '')
    if ((await readSession(context.request)) !== undefined) return redirect(to)
    return show({ email: '', name: '' }, { to }, context)
  }),
  publicForm(`POST ${PATH}`, visitors, async (context: VisitorContext, form) => {
    const to = returnTo(formField(form, 'return_to'))
    const typed = typedIn(form)
    const isClosed = context.school.signupMode === 'closed'
    const complaint = isClosed ? undefined : await sendCode(context, typed)
    if (!isClosed && complaint === undefined) return redirect(withReturn(CODE_PATH, to))
    return show({ ...typed, email: typed.email.slice(0, MAX_EMAIL) }, { to, complaint }, context)
  }),
  publicPage(`GET ${CODE_PATH}`, visitors, async (context: VisitorContext) => {
    const to = returnTo(context.query.get('return_to') ?? '')
    const email = await findAddress(context, 'sign_up')
    return email === undefined ? redirect(withReturn(PATH, to)) : showCode(email, { to }, context)
  }),
  publicForm(`POST ${CODE_PATH}`, visitors, async (context: VisitorContext, form) => {
    const to = returnTo(formField(form, 'return_to'))
    const email = await findAddress(context, 'sign_up')
    if (email === undefined) return redirect(withReturn(PATH, to))
    const completed = await complete(context, formField(form, 'code'))
    return 'error' in completed ? showCode(email, { to, complaint: completed }, context) : redirectInto(completed, to)
  }),
]
