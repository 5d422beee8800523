import type { Reply } from '#src/contract/endpoint.ts'
import { hasPassword, proveByPassword, provenReply, readBrowser, type SignInFailure } from '#src/identity/index.ts'
import { formField } from '#src/kit/form.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { form, hidden, keptPhrase, type Notice, page, redirect, returnTo } from '#src/web/page/index.ts'
import { type Complaint, buildNotice as complaintNotice } from './complaint.ts'
import { confirmCodePages, sendConfirmCode } from './confirm-code.ts'
import { passwordOffer } from './links.ts'
import { type AccountContext, owner } from './parts.ts'

const { confirm: text, signIn: signInText } = texts.account

const PATH = '/account/confirm'

/** Where a person goes with a proof, and without one. */
type Ways = { readonly address: string; readonly cancel: string }

const readWays = (read: (name: string) => string): Ways => ({
  address: returnTo(read('return_to')),
  cancel: returnTo(read('cancel')),
})

const buildNotice = (failure: SignInFailure | Complaint | undefined, { t }: AccountContext): Notice | undefined => {
  if (failure === undefined) return undefined
  if ('error' in failure) return complaintNotice(failure, { t })
  if (failure.kind === 'refused') return { kind: 'refused', text: t(signInText.wrongPassword) }
  const { wait } = failure
  return { kind: 'refused', text: t(texts.words.tooManyAttempts, { minutes: Math.ceil(wait / 60) }), wait }
}

const renderForm = (fields: Html, button: Html, { address, cancel }: Ways, { t, form }: AccountContext): Html =>
  form(
    html`${hidden({ return_to: address, cancel })}${fields}
<div class="buttons">${button} <a class="button" href="${cancel}">${t(texts.words.cancel)}</a></div>`,
    PATH,
  )

const passwordForm = (ways: Ways, context: AccountContext): Html => {
  const { t, viewer } = context
  const { name, email } = viewer
  const fields = html`<input type="hidden" name="email" value="${email}" autocomplete="username">
<label for="password">${t(texts.words.password)}</label>
<input type="password" id="password" name="password" autocomplete="current-password" required maxlength="256">`
  return html`<p>${t(text.intro, { name, email })}</p>
${renderForm(fields, html`<button class="main" type="submit">${t(text.button)}</button>`, ways, context)}`
}

// Lecturers and staff sign in with a password, so they choose one.
const formWithoutPassword = (ways: Ways, context: AccountContext): Html => {
  const { t, viewer, language } = context
  const { name, email, role } = viewer
  if (role !== 'member')
    return html`${passwordOffer(viewer, language)}<p><a class="button" href="${ways.cancel}">${t(texts.words.cancel)}</a></p>`
  const button = html`<button class="main" type="submit" name="way" value="code">${t(texts.identity.signInCode.send)}</button>`
  return html`<p>${t(text.introCode, { name, email })}</p>
${renderForm(html``, button, ways, context)}`
}

const show = async (ways: Ways, context: AccountContext, failure?: SignInFailure | Complaint): Promise<Reply> => {
  const { t, form: formFor, frame, viewer, request, school } = context
  const hasOne = await request.database.statements(school.id, db => hasPassword(db, school.id, viewer.id))
  const kept = keptPhrase(ways.address)
  return frame({
    title: t(text.title),
    notice: buildNotice(failure, context),
    body: html`${kept && html`<p>${t(kept)}</p>\n`}${hasOne ? passwordForm(ways, context) : formWithoutPassword(ways, context)}
<p class="quiet">${t(signInText.notYou)}</p>
${formFor(html`<button type="submit">${t(texts.words.signOut)}</button>`, '/account/sign-out')}`,
  })
}

/**
 * GET and POST /account/confirm: the person proves once more who they are, within their session, and continues where they were
 * going. Counted against the limits of sign-in. Whoever has no password is mailed a code.
 */
export const confirmPages = [
  page(`GET ${PATH}`, owner, async context => {
    const ways = readWays(name => context.query.get(name) ?? '')
    return context.session.isRecent ? redirect(ways.address) : show(ways, context)
  }),
  form(
    `POST ${PATH}`,
    owner,
    async (context, typed) => {
      const { request, session, viewer, parts } = context
      const ways = readWays(name => formField(typed, name))
      if (formField(typed, 'way') === 'code') {
        const sent = await sendConfirmCode(context, ways.address)
        return 'error' in sent ? show(ways, context, sent) : sent
      }
      const password = formField(typed, 'password').slice(0, 1024)
      const proof = await proveByPassword(request, { email: viewer.email, password }, parts.secret)
      if (proof.kind !== 'proven') return show(ways, context, proof)
      if (proof.memberId !== viewer.id) return show(ways, context, { kind: 'refused' })
      const within = { session, presented: readBrowser(request).session ?? '', address: ways.address }
      const reply = await provenReply(request, within, parts.secret, proof)
      return reply ?? show(ways, context, { kind: 'refused' })
    },
    // A sign-in is a proof too.
    typed => readWays(name => formField(typed, name)).address,
  ),
  ...confirmCodePages,
]
