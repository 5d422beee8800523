import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { fromId } from '#src/kit/ids.ts'
import type { SiteView } from './frame.ts'
import { shared } from './pages/picture.ts'
import { previewMain } from './pages/preview.ts'
import { moved, type ShowPage } from './respond.ts'

const noPreview = (): Refusal => new Refusal(notFound, 'There is no such preview.')

/** GET /courses/:slug/preview/:lesson: one lesson that anybody may read. */
export const showPreview: ShowPage = async page => {
  const { reads, request } = page
  const { slug = '', lesson: id = '' } = request.params
  const course = await reads.course(slug)
  if (fromId('les', id) === undefined) throw noPreview()
  const outline = await reads.outline(course.id)
  const lessons = outline.sections.flatMap(section => section.lessons).filter(({ preview }) => preview)
  // Lessons of other courses, and those that are no previews, are unknown here.
  if (!lessons.some(lesson => lesson.id === id)) throw noPreview()
  const path = `/courses/${course.slug}/preview/${id}`
  if (course.slug !== slug) return moved(path)
  const [profile, lesson] = await Promise.all([reads.school(), reads.lesson(id)])
  const view: SiteView = {
    title: `${lesson.name} · ${course.name}`,
    description: course.subtitle,
    path: course.visibility === 'listed' ? path : undefined,
    returnTo: path,
    image: shared(course.image),
    main: previewMain({ page, profile, course, lesson, others: lessons.filter(one => one.id !== id) }),
  }
  return view
}
