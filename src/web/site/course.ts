import type { SiteView } from './frame.ts'
import { courseMain } from './pages/course.ts'
import { courseData } from './pages/course-data.ts'
import { shared } from './pages/picture.ts'
import { moved, type ShowPage } from './respond.ts'

const REVIEWS = 12

/** GET /courses/:slug: a course with its outline, lecturers, reviews and prices; an earlier slug leads to the current one. */
export const showCourse: ShowPage = async page => {
  const { reads, request } = page
  const slug = request.params.slug ?? ''
  const course = await reads.course(slug)
  const path = `/courses/${course.slug}`
  if (course.slug !== slug) return moved(path)
  const [profile, taxMode, outline, reviews] = await Promise.all([
    reads.school(),
    reads.taxMode(),
    reads.outline(course.id),
    reads.reviews(course.id, REVIEWS),
  ])
  const view: SiteView = {
    title: course.seo.title ?? course.name,
    description: course.seo.description ?? course.subtitle,
    // An unlisted course is for those who have its address.
    path: course.visibility === 'listed' ? path : undefined,
    returnTo: path,
    image: shared(course.image),
    jsonLd: [courseData(course, page)],
    main: courseMain({
      page,
      terms: { taxMode, timeZone: profile.time_zone, language: page.language },
      course,
      outline,
      reviews: reviews.data,
    }),
  }
  return view
}
