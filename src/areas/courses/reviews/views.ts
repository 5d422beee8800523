import type { Static } from 'typebox'
import { type CourseRow, canManageCourse } from '#src/areas/courses/courses/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import type { ReviewRow } from './queries.ts'
import type { Review } from './schema.ts'

/** The reader of a review: a manager of the course, its author, or anybody else. */
export type ReviewReader = { readonly canManage: boolean; readonly memberId: string | undefined }

const renderReply = (row: ReviewRow): Static<typeof Review>['reply'] => {
  const { reply_body: body, reply_member_id: id, replied_at: at } = row
  if (body === null || id === null || at === null) return null
  return { author: { id, name: row.reply_member_name ?? '' }, body, created_at: at }
}

/** The view of a review for a reader. */
export const reviewView = (row: ReviewRow, { canManage, memberId }: ReviewReader): Static<typeof Review> => ({
  id: row.id,
  course_id: row.course_id,
  author: { id: row.member_id, name: row.member_name },
  rating: row.rating,
  title: row.title,
  body: row.body,
  status: row.status,
  ...(canManage || row.member_id === memberId ? { hidden_reason: row.hidden_reason } : {}),
  reply: renderReply(row),
  published_at: row.published_at,
  revision: row.revision,
  created_at: row.created_at,
  updated_at: row.updated_at,
})

/** The view of a review for the caller. */
export const buildReader = (caller: Caller, course: Pick<CourseRow, 'is_lecturer'>): ReviewReader => ({
  canManage: isStaff(caller) || canManageCourse(caller, course),
  memberId: caller.member?.id,
})
