import type { Endpoint } from '#src/contract/endpoint.ts'
import { coursePages } from './course.ts'
import { homePage } from './home.ts'
import { lessonPages } from './lesson.ts'
import type { LearnPagesParts } from './parts.ts'
import { sitePages } from './site.ts'

/** The pages on which people learn: their courses, a course, and a lesson. */
export const createLearnPages = (parts: LearnPagesParts): Endpoint[] =>
  [homePage, ...coursePages, ...lessonPages, ...sitePages].map(declared => declared(parts))
