import type { Endpoint, Fallback } from '#src/contract/endpoint.ts'
import { showBlog, showBlogCategory, showPost } from './blog.ts'
import { hasPage, showById, showPagePreview, showPath } from './content.ts'
import { showCourse } from './course.ts'
import { coursePreview } from './course-preview.ts'
import { showCourses } from './courses.ts'
import { showEvent, showEvents } from './events.ts'
import { feedEndpoint } from './feed.ts'
import { showDevelopers, showHome } from './home.ts'
import { showLecturer, showLecturers } from './lecturers.ts'
import type { SitePagesParts } from './parts.ts'
import { showPlan, showPlans } from './plans.ts'
import { showPreview } from './preview.ts'
import { showProduct, showProducts } from './products.ts'
import { createPages, withEnrolled } from './respond.ts'
import { showSearch } from './search.ts'
import { createSharedHeader } from './shared-header.ts'
import { sitemapEndpoints } from './sitemap.ts'

export { viewedPost } from './blog.ts'
export { inSchool } from './header.ts'
export { contentMain } from './pages/blocks.ts'
export { lecturerGrid } from './pages/cards.ts'
export { commentsPart } from './pages/comments.ts'
export { eventMain } from './pages/event.ts'
export { lessonIcons } from './pages/icons.ts'
export { renderEmbed, renderRecording } from './pages/lesson-content.ts'
export { headingsFrom, markdown } from './pages/markdown.ts'
export { coursePicture } from './pages/picture.ts'
export { postMain } from './pages/post.ts'
export { progressBar } from './pages/progress.ts'
export { buildPolicy } from './respond.ts'
export { siteText } from './text.ts'

/** The public pages of a school, and what people see at addresses that nothing has. */
export const createSitePages = (
  parts: SitePagesParts,
): {
  readonly endpoints: readonly Endpoint[]
  readonly fallback: Fallback
  /** Gives other pages of people who are signed in the header of the site. */
  withHeader(endpoint: Endpoint): Endpoint
} => {
  const { page, createPreview, previewStyle, createFallback } = createPages(parts)
  const pages = [
    ['GET /', withEnrolled(showHome)],
    ['GET /courses', withEnrolled(showCourses)],
    ['GET /courses/:slug', showCourse],
    ['GET /courses/:slug/preview/:lesson', showPreview],
    ['GET /lecturers', showLecturers],
    ['GET /lecturers/:slug', withEnrolled(showLecturer)],
    ['GET /products', showProducts],
    ['GET /products/:slug', showProduct],
    ['GET /plans', showPlans],
    ['GET /plans/:slug', showPlan],
    ['GET /events', showEvents],
    ['GET /events/:slug', showEvent],
    ['GET /blog', showBlog],
    ['GET /blog/category/:slug', showBlogCategory],
    ['GET /blog/:slug', showPost],
    ['GET /search', withEnrolled(showSearch)],
    ['GET /developers', showDevelopers],
  ] as const
  const endpoints = [
    page('GET /pages/:page', showById),
    page('GET /pages/previews/:page/:token', showPagePreview(parts.keyFor)),
    ...pages.map(([route, show]) => page(route, show)),
    ...pages.map(([route, show]) => createPreview(route, show)),
    previewStyle('site.css'),
    previewStyle('base.css'),
    coursePreview(parts),
    feedEndpoint(parts),
    ...sitemapEndpoints(),
  ]
  return { endpoints, fallback: createFallback(hasPage, showPath), withHeader: createSharedHeader(parts) }
}
