import type { Static } from 'typebox'
import { CoursePage, ReviewPage } from '#src/areas/courses/index.ts'
import { CertificatePage, EnrollmentPage } from '#src/areas/learning/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import { formatDate } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { renderMark } from '#src/kit/mark.ts'
import { texts } from '#src/texts/index.ts'
import { reviewForm } from '#src/web/account/index.ts'
import { coursePicture, inSchool } from '#src/web/site/index.ts'
import type { OwnCourse } from '../own-course.ts'
import type { LearnContext } from '../parts.ts'
import { learnText } from '../text.ts'

const { finished: text } = learnText

const MOST_NEXT = 2
const SIZES = '(min-width: 48rem) 22rem, 92vw'

type OwnCertificate = Encoded<Static<typeof CertificatePage>>['data'][number]
type NextCourse = Encoded<Static<typeof CoursePage>>['data'][number]

/** What is shown to a person who has completed a course. */
type Finished = {
  readonly certificate: OwnCertificate | undefined
  readonly isReviewed: boolean
  /** Courses in which they do not learn yet. */
  readonly next: readonly NextCourse[]
}

/** Reads what is shown to a person who has completed a course; undefined where they have not. */
export const readFinished = async ({ call }: LearnContext, course: OwnCourse): Promise<Finished | undefined> => {
  if (typeof course.enrollment?.completed_at !== 'string') return undefined
  const query = [['limit', '100']] as const
  const [certificates, reviews] = await Promise.all([
    call({ operation: 'listAccountCertificates', query, returns: CertificatePage }),
    call({ operation: 'listAccountReviews', query, returns: ReviewPage }),
  ])
  const [enrollments, courses] = await Promise.all([
    call({ operation: 'listAccountEnrollments', query, returns: EnrollmentPage }),
    call({ operation: 'listCourses', query: [['limit', '20']], returns: CoursePage }),
  ])
  const had = new Set([course.id, ...enrollments.data.map(one => one.course_id)])
  return {
    certificate: certificates.data.find(one => one.course_id === course.id && one.status === 'valid'),
    isReviewed: reviews.data.some(one => one.course_id === course.id),
    next: courses.data.filter(({ id, status }) => status === 'published' && !had.has(id)).slice(0, MOST_NEXT),
  }
}

// https://addtoprofile.linkedin.com/
const buildLinkedIn = ({ course_name: name, school_name, awarded_on: on, url, serial }: OwnCertificate): string =>
  `https://www.linkedin.com/profile/add?${new URLSearchParams({
    startTask: 'CERTIFICATION_NAME',
    name,
    organizationName: school_name,
    issueYear: on.slice(0, 4),
    issueMonth: String(Number(on.slice(5, 7))),
    certUrl: url,
    certId: serial,
  })}`

const renderCertificate = (one: OwnCertificate, { t, language }: LearnContext): Html => html`<div class="cert">
${renderMark(one.school_name)}
<p class="cert-title" dir="auto">${one.title}</p>
<p class="cert-name" dir="auto">${one.name ?? ''}</p>
<p class="cert-course" dir="auto">${one.course_name}</p>
<p class="cert-foot"><span><bdi>${one.school_name}</bdi></span> <span><time datetime="${one.awarded_on}">${formatDate(one.awarded_on, language)}</time><br><bdi>${one.serial}</bdi></span></p>
</div>
<p class="actions centered"><a class="button main" href="${one.pdf_url}">${t(text.pdf)}</a> <a class="button" href="${buildLinkedIn(one)}" target="_blank" rel="noopener noreferrer">${t(text.linkedIn)}</a> <a class="button" href="${one.url}">${t(learnText.course.certificate)}</a></p>
<p class="cert-link">${t(text.link)} <code>${one.url}</code></p>`

const renderNext = (next: readonly NextCourse[], context: LearnContext): Html | false =>
  next.length > 0 &&
  html`<section aria-labelledby="next">
<h2 id="next">${context.t(text.next)}</h2>
<ul class="grid">
${next.map(
  one => html`<li class="own-course">
${coursePicture(one, SIZES)}
<div class="card-text">
<h3 class="card-name"><a class="quiet-link" href="/courses/${one.slug}"${inSchool(context)}>${one.name}</a></h3>
${one.subtitle !== '' && html`<p class="subtitle"${inSchool(context)}>${one.subtitle}</p>`}
</div>
</li>
`,
)}</ul>
</section>`

/** That the person has completed a course, with its certificate, what they think of it, and where to go on. */
export const renderFinished = (
  course: OwnCourse,
  { certificate, isReviewed, next }: Finished,
  context: LearnContext,
): Html => {
  const { t, viewer } = context
  return html`<div class="finished">
<h1>${t(text.title, { name: viewer.name })}</h1>
<p class="quiet">${t(certificate === undefined ? text.about : text.yours)}</p>
${certificate !== undefined && renderCertificate(certificate, context)}
${
  !isReviewed &&
  html`<section class="box" aria-labelledby="review">
<h2 id="review">${t(texts.account.reviews.write)}</h2>
${reviewForm(context, { id: course.id, review: undefined })}
</section>`
}
${renderNext(next, context)}
</div>
`
}
