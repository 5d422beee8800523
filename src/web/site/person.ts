import { isAtLeast } from '#src/contract/caller.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { clearCookies, readBrowser, type Session } from '#src/identity/index.ts'
import { type Html, html } from '#src/kit/html.ts'
import { computeInitials } from '#src/kit/mark.ts'
import { texts } from '#src/texts/index.ts'
import { readSession, renderForm } from '#src/web/page/index.ts'
import { siteText } from './text.ts'

const SIGN_OUT = '/account/sign-out'

/** Who is signed in, with the token of the forms of their session. */
export type Person = { readonly member: Session['member']; readonly token: string }

/**
 * Responds to a browser. What it gets with the cookie of a session belongs to it alone, so no cache keeps it and no ETag names
 * it; where the session has ended, it is the page of a visitor, and the cookie goes.
 */
export const respondToBrowser = async (
  request: EndpointRequest,
  respond: (session?: Session) => Promise<Reply>,
): Promise<Reply> => {
  if (readBrowser(request).session === undefined) return respond()
  const session = await readSession(request)
  const { publicSince: _public, headers: shared, ...reply } = await respond(session)
  const { etag: _etag, ...headers } = shared ?? {}
  const cleared = session === undefined ? { 'set-cookie': clearCookies(request) } : {}
  return { ...reply, headers: { ...headers, 'cache-control': 'private, no-store', ...cleared } }
}

type Shown = { readonly language: Language; readonly isStyled: boolean }

const renderLink = (path: string, name: Phrase, { language }: Shown): Html =>
  html`<a class="sub-link" href="${path}">${fill(name, language)}</a>`

// No page with the CSS of the school has a form.
const renderSignOut = ({ token }: Person, shown: Shown): Html => {
  if (shown.isStyled) return renderLink(SIGN_OUT, texts.words.signOut, shown)
  return renderForm(
    SIGN_OUT,
    token,
    html`<button class="sub-link" type="submit">${fill(texts.words.signOut, shown.language)}</button>`,
  )
}

/** What the header has for who is signed in: their courses, and behind their initials what leads to the rest. */
export const renderPerson = (person: Person, shown: Shown): Html => {
  const { name, role } = person.member
  const { language } = shown
  return html`<a class="tool wide-only to-courses" href="/learn">${fill(texts.words.yourCourses, language)}</a>
<details class="nav-group own-menu" name="navigation"><summary class="tool" aria-label="${fill(texts.site.menu.account, language, { name })}"><span class="avatar" aria-hidden="true">${computeInitials(name)}</span></summary>
<div class="sub-links">
<p class="own-name"><bdi>${name}</bdi></p>
<ul>
<li>${renderLink('/account', siteText.account, shown)}</li>
${isAtLeast(role, 'lecturer') && html`<li>${renderLink('/staff', texts.site.person.manage, shown)}</li>\n`}<li>${renderSignOut(person, shown)}</li>
</ul>
</div>
</details>`
}
