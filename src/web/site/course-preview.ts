import { Course } from '#src/areas/courses/index.ts'
import { type Endpoint, type EndpointRequest, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { fill } from '#src/contract/language.ts'
import { html } from '#src/kit/html.ts'
import { sitePage } from '#src/kit/html-page.ts'
import { texts } from '#src/texts/index.ts'
import { atPage, formToken, isReply, languageAt } from '#src/web/page/index.ts'
import { requireStaff } from '#src/web/staff/index.ts'
import { viewOfCourse } from './course.ts'
import { framed } from './frame.ts'
import type { SitePagesParts } from './parts.ts'
import { createReads } from './reads.ts'
import { buildPolicy, readLinked } from './respond.ts'

const text = texts.site.coursePreview

const show = async (request: EndpointRequest, { performAs, files, secret }: SitePagesParts): Promise<Reply> => {
  const session = await requireStaff(request, 'lecturer')
  if (isReply(session)) return session
  const { school } = request
  const by = atPage(request, session)
  const params = { course_id: request.params.course ?? '' }
  const expand = ['lecturers', 'categories', 'prices']
  const course = await performAs(by, { operation: 'getCourse', params, expand, returns: Course })
  const language = languageAt(request, session)
  const reads = createReads(performAs)(request, by)
  const view = await viewOfCourse({ request, school, language, reads }, course)
  const note = html`<div class="wrap"><p class="test-note">${fill(text.note, language)} <a href="/staff/courses/${course.id}">${fill(texts.words.backToCourse, language)}</a></p></div>`
  const person = { member: session.member, token: formToken(secret, school.id, { session }) }
  const page = { ...view, path: undefined, main: html`${note}\n${view.main}` }
  return {
    status: 200,
    headers: {
      'content-security-policy': await buildPolicy(files),
      'content-type': 'text/html; charset=utf-8',
      'x-frame-options': 'DENY',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'same-origin',
      'cache-control': 'private, no-store',
    },
    body: sitePage(framed(page, { school, language, person, ...(await readLinked(reads)) })),
  }
}

/** GET /staff/courses/:course/preview: the page of a course that is not public, for those who manage it. */
export const coursePreview = (parts: SitePagesParts): Endpoint =>
  endpoint({ route: 'GET /staff/courses/:course/preview', handle: request => show(request, parts) })
