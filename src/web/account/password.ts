import type { Reply } from '#src/contract/endpoint.ts'
import {
  changePassword,
  createSession,
  findPasswordError,
  hashPassword,
  hasPassword,
  readBrowser,
  redirectInto,
  type SessionStart,
  signIn,
} from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { html } from '#src/kit/html.ts'
import { form, input, kinds, mainButton, page, redirect } from '#src/web/page/index.ts'
import { buildNotice, type Complaint, changeText } from './complaint.ts'
import { backLink } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { password: text } = changeText

const PATH = '/account/password'

const show = (context: AccountContext, complaint?: Complaint): Reply => {
  const { t, form, frame, viewer, language } = context
  const current = { name: 'current', label: t(text.current), attributes: kinds.currentPassword }
  const fresh = { name: 'password', label: t(text.fresh), attributes: kinds.newPassword, hint: t(text.hint) }
  // For password managers: the account of the password.
  const inside = html`<input type="hidden" name="email" value="${viewer.email}" autocomplete="username">
${input(current)}
${input(fresh)}
<div class="scope"><input type="checkbox" id="apps" name="apps" value="disconnect"><label for="apps">${t(text.apps)} <span class="quiet">${t(text.appsHint)}</span></label></div>
${mainButton(t(text.button))}`
  return frame({
    title: t(text.title),
    notice: buildNotice(complaint, context),
    body: html`<p>${t(text.intro)}</p>
${form(inside)}
${backLink(language)}`,
  })
}

type PasswordForm = { readonly current: string; readonly password: string; readonly disconnectsApps: boolean }

// Counted against the limits of sign-in, so that the password cannot be guessed in an open browser.
const createProof = async (
  { request, school, session, parts: { secret } }: AccountContext,
  current: string,
): Promise<{ readonly proof: string } | Complaint> => {
  const { database, network } = request
  const { trustedDevice } = readBrowser(request)
  const { email, id } = session.member
  const password = current.slice(0, 1024)
  const result = await signIn(database, school, { email, password, network, trustedDevice, secret })
  if (result.kind === 'too_many') return { error: 'too_many_tries', wait: result.wait }
  if (result.kind === 'refused' || result.memberId !== id) return { error: 'current' }
  return { proof: result.proof }
}

const change = async (
  context: AccountContext,
  { current, password, disconnectsApps }: PasswordForm,
): Promise<SessionStart | Complaint> => {
  const { request, school, session, parts } = context
  const { id: memberId, email, name } = session.member
  const error = await findPasswordError(password, { email, name, school })
  if (error !== undefined) return { error }
  const proven = await createProof(context, current)
  if ('error' in proven) return proven
  const passwordHash = await hashPassword(password)
  return request.database.transaction(school.id, async (db, now) => {
    const planned = { memberId, sessionId: session.id, proof: proven.proof, passwordHash, disconnectsApps }
    if (!(await changePassword(db, school, now, planned))) return { error: 'current' }
    return createSession(db, request, memberId, { now, random: parts.random })
  })
}

/** GET and POST /account/password. */
export const passwordPages = [
  page(`GET ${PATH}`, owner, async context => {
    const { request, school, viewer } = context
    const hasOne = await request.database.statements(school.id, db => hasPassword(db, school.id, viewer.id))
    return hasOne ? show(context) : redirect('/account/reset')
  }),
  form(`POST ${PATH}`, owner, async (context, typed) => {
    const disconnectsApps = formField(typed, 'apps') === 'disconnect'
    const input = { current: formField(typed, 'current'), password: formField(typed, 'password'), disconnectsApps }
    const changed = await change(context, input)
    if ('error' in changed) return show(context, changed)
    return redirectInto(changed, `/account?done=password${disconnectsApps ? '_apps' : ''}`)
  }),
]
