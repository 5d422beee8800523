import type { Reply } from '#src/contract/endpoint.ts'
import { conflict } from '#src/contract/problems.ts'
import { findRefusal } from '#src/db/sqlstates.ts'
import {
  type CodeBinding,
  checkCode,
  completeEmailChange,
  findCode,
  refundCode,
  type Session,
  startEmailChange,
} from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { formField } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { cleanEmail, isEmail, isStorable } from '#src/kit/text.ts'
import { form, input, kinds, mainButton, page, redirect } from '#src/web/page/index.ts'
import { showCodePage } from './code-page.ts'
import { buildNotice, type Complaint, changeText } from './complaint.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner, recentOwner } from './parts.ts'

const PATH = '/account/email'

const { code: codeText, email: text } = changeText

const show = (context: AccountContext, refused?: { readonly complaint: Complaint; readonly typed: string }): Reply => {
  const { t, form, frame, viewer, language } = context
  const { email, emailVerified: isProven } = viewer
  const label = t(isProven ? text.freshOther : text.fresh)
  const value = refused?.typed ?? (isProven ? '' : email)
  return frame({
    title: t(text.title),
    notice: buildNotice(refused?.complaint, context),
    body: html`<p>${t(isProven ? text.intro : text.introUnproven, { email })}</p>
${form(html`${input({ name: 'email', label, attributes: kinds.email, value })}
${mainButton(t(text.button))}`)}
${backLink(language)}`,
  })
}

// The code is bound to the session in which it was requested; after a new sign-in a new code is needed.
const buildPlace = (session: Session): CodeBinding => ({
  boundTo: sha256(`session:${session.id}`),
  purpose: 'email_change',
})

const findError = (email: string, { member }: Session): Complaint | undefined => {
  if (!isEmail(email) || !isStorable(email)) return { error: 'email' }
  return email === member.email && member.emailVerified ? { error: 'same' } : undefined
}

const sendCode = async (
  { request, school, session, parts }: AccountContext,
  email: string,
): Promise<Complaint | undefined> => {
  const error = findError(email, session)
  if (error !== undefined) return error
  const { id: memberId, locale } = session.member
  const { boundTo } = buildPlace(session)
  const plan = { memberId, email, network: request.network, locale: locale ?? school.locale, boundTo }
  const answer = await startEmailChange(request.database, school, parts, plan)
  return answer.kind === 'sent' ? undefined : { error: 'too_many_codes', wait: answer.wait }
}

const findAddress = async ({ request, school, session }: AccountContext): Promise<string | undefined> =>
  (await request.database.statements(school.id, db => findCode(db, school.id, buildPlace(session))))?.email

const showCode = (context: AccountContext, email: string, complaint?: Complaint): Reply => {
  const { t, language } = context
  const page = { path: `${PATH}/code`, intro: t(codeText.intro, { email }), button: t(codeText.button), again: PATH }
  return showCodePage({ ...page, below: html`\n${backLink(language)}`, complaint }, context)
}

const isTaken = (error: unknown): boolean => findRefusal(error)?.problem.status === conflict.status

// If two members verify one address at once, the later commit violates the constraint.
const complete = async (
  { request, school, session, parts }: AccountContext,
  typed: string,
): Promise<Complaint | undefined> => {
  const { database, network } = request
  const place = buildPlace(session)
  const code = await checkCode(database, school.id, parts.secret, place, typed)
  if (code === undefined) return { error: 'code' }
  const proven = { memberId: session.member.id, sessionId: session.id, place, code }
  try {
    const done = await database.transaction(school.id, (db, now) => completeEmailChange(db, school, now, proven))
    if (!done) return { error: 'code' }
    await refundCode(database, school, network, code)
    return undefined
  } catch (error) {
    if (isTaken(error)) return { error: 'taken' }
    throw error
  }
}

/** GET and POST /account/email and the page for its code. */
export const emailPages = [
  page(`GET ${PATH}`, recentOwner, async context => show(context)),
  form(`POST ${PATH}`, recentOwner, async (context, typed) => {
    const email = cleanEmail(formField(typed, 'email'))
    const complaint = await sendCode(context, email)
    return complaint === undefined ? redirect(`${PATH}/code`) : show(context, { complaint, typed: email.slice(0, 254) })
  }),
  page(`GET ${PATH}/code`, owner, async context => {
    const email = await findAddress(context)
    return email === undefined ? redirect(PATH) : showCode(context, email)
  }),
  form(`POST ${PATH}/code`, owner, async (context, typed) => {
    const email = await findAddress(context)
    if (email === undefined) return redirect(PATH)
    const complaint = await complete(context, formField(typed, 'code'))
    return complaint === undefined ? redirect('/account?done=email') : showCode(context, email, complaint)
  }),
]
