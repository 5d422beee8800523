import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { showContent } from './content.ts'
import { showCourse, submitCourse } from './course.ts'
import { showEvent } from './event.ts'
import { showHome } from './home.ts'
import { showLesson, submitLesson } from './lesson.ts'
import type { LearnPagesParts } from './parts.ts'
import { showPost } from './post.ts'
import { type Answer, visited } from './visit.ts'

/** The pages on which people learn: their courses, a course, and a lesson. */
export const createLearnPages = (parts: LearnPagesParts): Endpoint[] => {
  const page = (route: Endpoint['route'], answer: Answer): Endpoint =>
    endpoint({ route, handle: visited(parts, answer) })
  return [
    page('GET /learn', showHome),
    page('GET /learn/:course', showCourse),
    page('POST /learn/:course', submitCourse),
    page('GET /learn/:course/:lesson', showLesson),
    page('POST /learn/:course/:lesson', submitLesson),
    // Below /account, so that no course is at the same address.
    page('GET /account/pages/:page', showContent),
    page('GET /account/posts/:slug', showPost),
    page('GET /account/events/:slug/details', showEvent),
  ]
}
