import Type from 'typebox'
import { lessonTypes } from '#src/areas/courses/contents/index.ts'
import { CommentMode, Nullable, OneOf } from '#src/kit/shapes.ts'

/** The statuses of a lesson. */
export const lessonStatuses = ['draft', 'published'] as const

/** How many sections an outline may have. */
export const MAX_SECTIONS = 200

/** How many lessons an outline may have in all its sections. */
export const MAX_LESSONS = 1000

/** The settings of a lesson. */
export const lessonSettings = {
  status: OneOf(lessonStatuses, 'Whether learners see it'),
  preview: Type.Boolean({ description: 'Whether it can be read without having the course' }),
  required_for_completion: Type.Boolean({ description: 'Whether the course is completed only with it' }),
  duration_seconds: Nullable(Type.Integer({ minimum: 0, maximum: 360_000, description: 'How long it takes' })),
  comments: { ...CommentMode, default: 'open' },
}

/** The names of the settings of a lesson, which are columns of its row. */
export const settingNames = Object.keys(lessonSettings) as (keyof typeof lessonSettings)[]

/** What a request can change of a lesson, apart from its content. */
export const changeableColumns = ['name', ...settingNames] as const

/** What a request says about a new lesson, apart from its content and its position. */
export const storedColumns = ['type', ...changeableColumns] as const

/** The type of a lesson. */
export const lessonType = OneOf(lessonTypes, 'The type of content; it cannot be changed')
