import { fill } from '#src/contract/language.ts'
import { commentsBelow } from './comments.ts'
import type { SiteView } from './frame.ts'
import { courseMain } from './pages/course.ts'
import { courseData, crumbsData } from './pages/item-data.ts'
import type { OwnCourse } from './pages/own.ts'
import { shared } from './pages/picture.ts'
import type { CourseView } from './reads.ts'
import { moved, type PageRequest, type ShowPage } from './respond.ts'
import { siteText } from './text.ts'

const REVIEWS = 12
const PLANS = '100'

const readOwn = async ({ own }: PageRequest, courseId: string): Promise<OwnCourse> => {
  const enrollment = await own?.findEnrollment(courseId)
  return enrollment?.access.state === 'active'
    ? { enrollment, progress: await own?.progress(enrollment.id) }
    : { enrollment, waiting: await own?.findWaiting(courseId) }
}

/** The page of a course with its outline, lecturers, reviews and prices. */
export const viewOfCourse = async (page: PageRequest, course: CourseView): Promise<SiteView> => {
  const { reads } = page
  const path = `/courses/${course.slug}`
  const [profile, offering, outline, reviews, plans, hasCertificate, comments, own] = await Promise.all([
    reads.school(),
    reads.offering(page.person?.member),
    reads.outline(course.id),
    reads.reviews(course.id, REVIEWS),
    reads.plans([['limit', PLANS]]),
    reads.hasCertificate(course.id),
    commentsBelow(page, course.id),
    readOwn(page, course.id),
  ])
  const isDated = outline.sections.some(({ lessons }) => lessons.some(({ drip }) => drip.mode === 'on_date'))
  return {
    title: course.seo.title ?? course.name,
    description: course.seo.description ?? course.subtitle,
    // An unlisted course is for those who have its address.
    path: course.visibility === 'listed' ? path : undefined,
    returnTo: path,
    image: shared(course.image),
    jsonLd: [
      courseData(course, page),
      crumbsData(page, [
        { name: fill(siteText.list.title, page.language), path: '/courses' },
        { name: course.name, path },
      ]),
    ],
    main: courseMain({
      page,
      terms: { ...offering, timeZone: profile.time_zone, language: page.language },
      course,
      outline,
      reviews: reviews.data,
      plans: plans.data.filter(({ items }) => items.some(({ id }) => id === course.id)),
      hasCertificate,
      now: isDated ? await reads.now() : undefined,
      comments,
      own,
    }),
  }
}

/** GET /courses/:slug: a course; an earlier slug leads to the current one. */
export const showCourse: ShowPage = async page => {
  const slug = page.request.params.slug ?? ''
  const course = await page.reads.course(slug)
  return course.slug === slug ? viewOfCourse(page, course) : moved(`/courses/${course.slug}`)
}
