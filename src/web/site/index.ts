import type { Endpoint } from '#src/contract/endpoint.ts'
import { showCourse } from './course.ts'
import { showCourses } from './courses.ts'
import { showDevelopers, showHome } from './home.ts'
import { showLecturer, showLecturers } from './lecturers.ts'
import type { SitePagesParts } from './parts.ts'
import { showPreview } from './preview.ts'
import { createPages } from './respond.ts'
import { sitemapEndpoints } from './sitemap.ts'

/** The public pages of a school. */
export const createSitePages = (parts: SitePagesParts): Endpoint[] => {
  const page = createPages(parts)
  return [
    page('GET /', showHome),
    page('GET /courses', showCourses),
    page('GET /courses/:slug', showCourse),
    page('GET /courses/:slug/preview/:lesson', showPreview),
    page('GET /lecturers', showLecturers),
    page('GET /lecturers/:slug', showLecturer),
    page('GET /developers', showDevelopers),
    ...sitemapEndpoints(),
  ]
}
