import { clearCookies, endSession, readBrowser } from '#src/identity/index.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { everybody, mainButton, publicPage, readForm, redirect, visitors } from '#src/web/page/index.ts'

const { signIn: text } = texts.account

const PATH = '/account/sign-out'
const DONE = '/account/signed-out'

/** GET and POST /account/sign-out, and the page after it. */
export const signOutPages = [
  publicPage(`GET ${PATH}`, everybody, async ({ session, t, form, frame }) => {
    if (session === undefined) return redirect(DONE)
    const { name, email } = session.member
    return frame({
      title: t(texts.words.signOut),
      body: html`<p>${t(texts.checkout.common.signedIn, { name, email })}</p>
${form(mainButton(t(texts.words.signOut)))}`,
    })
  }),
  publicPage(`POST ${PATH}`, everybody, async ({ request, school, session, parts }) => {
    if (session === undefined) return redirect(DONE)
    await readForm(request, parts.secret, { session })
    const cookie = readBrowser(request).session ?? ''
    await request.database.statements(school.id, db => endSession(db, school.id, sha256(cookie)))
    return redirect(DONE, { 'set-cookie': clearCookies(request), 'clear-site-data': '"cache", "storage"' })
  }),
  publicPage(`GET ${DONE}`, visitors, async ({ t, frame }) =>
    frame({
      title: t(text.signedOutTitle),
      body: html`<p>${t(text.signedOutText)}</p>
<p><a href="/account/sign-in">${t(text.signInAgain)}</a></p>`,
    }),
  ),
]
