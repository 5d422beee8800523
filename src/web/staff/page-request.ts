import { isAtLeast, type Role } from '#src/contract/caller.ts'
import type { EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { html } from '#src/kit/html.ts'
import { backLink } from '#src/web/account/index.ts'
import { framed, isReply, languageAt, requirePerson } from '#src/web/page/index.ts'
import { staffText } from './pages/text.ts'
import type { StaffRole } from './section.ts'

const wordsFor = (role: Role, least: StaffRole): Phrase => {
  if (least === 'lecturer') return staffText.notForYou.lecturers
  return isAtLeast(role, 'admin') ? staffText.notForYou.owners : staffText.notForYou.text
}

// The page for people who may not use a page of the staff; `words` say who may.
const notForYouPage = (school: School, language: Language, words: Phrase): Reply =>
  framed({
    school,
    language,
    status: 403,
    title: fill(staffText.notForYou.title, language),
    body: html`<p>${fill(words, language)}</p>
${backLink(language)}`,
  })

/** The session, if somebody may see the page, or the page that refuses them. */
export const admitted = (request: EndpointRequest, session: Session, least: StaffRole): Session | Reply => {
  const { role } = session.member
  if (isAtLeast(role, least)) return session
  return notForYouPage(request.school, languageAt(request, session), wordsFor(role, least))
}

/** The session of an admin, or of another role and above, or a redirect to sign-in and back, or a page that refuses others. */
export const requireStaff = async (request: EndpointRequest, least: StaffRole = 'admin'): Promise<Session | Reply> => {
  const session = await requirePerson(request)
  return isReply(session) ? session : admitted(request, session, least)
}
