import Type from 'typebox'
import { Course } from '#src/areas/courses/index.ts'
import { Warnings } from '#src/contract/warning.ts'
import { Instant } from '#src/kit/shapes.ts'

/** A course after its publication, with warnings about what it lacks. */
export const PublishedCourse = Type.Object(
  { ...Course.properties, warnings: Warnings },
  { additionalProperties: false, title: 'PublishedCourse' },
)

/** When to publish a course. */
export const Publication = Type.Object(
  { at: Type.Optional(Instant) },
  {
    additionalProperties: false,
    title: 'CoursePublication',
    description: 'Without an instant the course is published now',
  },
)
