import type { Reply } from '#src/contract/endpoint.ts'
import {
  createSession,
  endApprovalsUnderWay,
  proveByCode,
  redirectInto,
  requestReset,
  type SessionStart,
} from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { cleanEmail } from '#src/kit/text.ts'
import {
  input,
  kinds,
  mainButton,
  publicForm,
  publicPage,
  readSession,
  redirect,
  visitors,
} from '#src/web/page/index.ts'
import { buildCodePlace, findAddress } from './browser-code.ts'
import { showCodePage } from './code-page.ts'
import { buildNotice, type Complaint, changeText } from './complaint.ts'
import type { VisitorContext } from './parts.ts'

const PATH = '/account/reset'

const { reset: text, password: passwordText } = changeText

const link = (href: string, label: string): Html => html`<p class="quiet"><a href="${href}">${label}</a></p>`

const show = (typed: string, context: VisitorContext, complaint?: Complaint): Reply => {
  const { t, form, frame } = context
  return frame({
    title: t(text.title),
    notice: buildNotice(complaint, context),
    body: html`<p>${t(text.intro)}</p>
${form(html`${input({ name: 'email', label: t(text.email), attributes: kinds.email, value: typed })}
${mainButton(t(text.send))}`)}
${link('/account/sign-in', t(text.remembered))}`,
  })
}

const showCode = (email: string, context: VisitorContext, complaint?: Complaint): Reply => {
  const { t } = context
  const password = { name: 'password', label: t(passwordText.fresh), attributes: kinds.newPassword }
  const page = { path: `${PATH}/code`, intro: t(text.codeIntro, { email }), button: t(text.button), again: PATH }
  return showCodePage(
    { ...page, more: html`${input({ ...password, hint: t(passwordText.hint) })}\n`, complaint },
    context,
  )
}

type Typed = { readonly email: string; readonly code: string; readonly password: string }

const complete = async (context: VisitorContext, { email, ...typed }: Typed): Promise<SessionStart | Complaint> => {
  const { request, school, parts } = context
  const proof = await proveByCode(request, parts.secret, { ...buildCodePlace(context, 'reset'), email }, typed)
  if ('error' in proof) return proof
  const completed = await request.database.transaction<SessionStart | Complaint>(school.id, async (db, now) => {
    const memberId = await proof.complete(db, now)
    if (memberId === undefined) return { error: 'code' }
    await endApprovalsUnderWay(db, school.id, memberId)
    return createSession(db, request, memberId, { now, random: parts.random })
  })
  if (!('error' in completed)) await proof.settle()
  return completed
}

/** GET and POST /account/reset and the page for its code and the new password. */
export const resetPages = [
  publicPage(`GET ${PATH}`, visitors, async (context: VisitorContext) =>
    show((await readSession(context.request))?.member.email ?? '', context),
  ),
  publicForm(`POST ${PATH}`, visitors, async (context: VisitorContext, form) => {
    const { request, language: locale, parts } = context
    const email = cleanEmail(formField(form, 'email'))
    const { boundTo } = buildCodePlace(context, 'reset')
    const refused = await requestReset(request, parts, { email, locale, boundTo })
    return refused === undefined ? redirect(`${PATH}/code`) : show(email.slice(0, 254), context, refused)
  }),
  publicPage(`GET ${PATH}/code`, visitors, async (context: VisitorContext) => {
    const email = await findAddress(context, 'reset')
    return email === undefined ? redirect(PATH) : showCode(email, context)
  }),
  publicForm(`POST ${PATH}/code`, visitors, async (context: VisitorContext, form) => {
    const email = await findAddress(context, 'reset')
    if (email === undefined) return redirect(PATH)
    const typed = { email, code: formField(form, 'code'), password: formField(form, 'password') }
    const completed = await complete(context, typed)
    return 'error' in completed ? showCode(email, context, completed) : redirectInto(completed, '/account?done=reset')
  }),
]
