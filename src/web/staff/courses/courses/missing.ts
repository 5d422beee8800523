import { PublishedCourse } from '#src/areas/courses/index.ts'
import type { Phrase } from '#src/contract/language.ts'
import type { Warning } from '#src/contract/warning.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../../audience.ts'
import type { CourseView, OutlineView } from './course.ts'
import { buildPath } from './frame.ts'

const { publication: text } = texts.staff.courses

/** What the publication of a course depends on. */
export type Shown = {
  readonly course: CourseView
  readonly outline: OutlineView
  readonly warnings: readonly Warning[]
}

/** What the course lacks, as a dry run of its publication warns; a course in the archive cannot be published. */
export const readWarnings = async ({ call, isStaff }: StaffContext, course: CourseView): Promise<Shown['warnings']> => {
  if (!isStaff || course.status === 'archived') return []
  const params = { course_id: course.id }
  const dryRun = { operation: 'publishCourse', params, body: {}, dryRun: true, returns: PublishedCourse } as const
  return (await call(dryRun)).result?.warnings ?? []
}

const listLessons = ({ outline }: Pick<Shown, 'outline'>) => outline.sections.flatMap(({ lessons }) => lessons)

const findRemedy = (code: string, path: string): readonly [href: string, label: Phrase] => {
  if (code === 'no_price') return [`${path}/prices`, texts.words.addPrice]
  return code === 'cannot_be_paid' ? ['/staff/payments', texts.staff.unpaid.link] : [path, text.toOutline]
}

const renderWarning = ({ code, message, ids }: Warning, { t }: StaffContext, shown: Shown): Html => {
  const phrases: Readonly<Record<string, Phrase>> = text.warnings
  const phrase = phrases[code]
  const path = buildPath(shown.course)
  const named = listLessons(shown).filter(({ id }) => ids.includes(id))
  const links = named.map(({ id, name }) => html` <a href="${path}/lessons/${id}"><bdi>${name}</bdi></a>`)
  const [href, label] = findRemedy(code, path)
  return html`<li>${phrase === undefined ? message : t(phrase)} ${links.length > 0 ? links : html`<a href="${href}">${t(label)}</a>`}</li>\n`
}

/** How many lessons learners would not see. */
export const countDrafts = (shown: Pick<Shown, 'outline'>): number =>
  listLessons(shown).filter(({ status }) => status === 'draft').length

/** What a course lacks, apart from lessons that are drafts, each with a link to where it is added. */
export const listMissing = (context: StaffContext, shown: Shown): Html[] => {
  const { t } = context
  const { course, warnings } = shown
  const details = html`<a href="${buildPath(course)}/details">${t(text.toDetails)}</a>`
  // Lessons that are all drafts are named once, with the button that publishes them.
  const others = countDrafts(shown) === 0 ? warnings : warnings.filter(({ code }) => code !== 'no_lessons')
  return [
    ...others.map(warning => renderWarning(warning, context, shown)),
    course.image === null ? html`<li>${t(texts.words.noPicture)} ${details}</li>\n` : undefined,
    course.description.trim() === '' ? html`<li>${t(text.noDescription)} ${details}</li>\n` : undefined,
  ].filter(item => item !== undefined)
}
