import type { Static } from 'typebox'
import { type CourseRow, canManageCourse } from '#src/areas/courses/index.ts'
import { type Caller, isStaff } from '#src/contract/caller.ts'
import { toId } from '#src/kit/ids.ts'
import type { ReviewRow } from './queries.ts'
import type { Review } from './schema.ts'

/** Who reads a review: those who manage the course, its author, or anybody. */
export type ReviewReader = { readonly canManage: boolean; readonly memberId: string | undefined }

const replyOf = (row: ReviewRow): Static<typeof Review>['reply'] => {
  const { reply_body: body, reply_member_id: id, replied_at: at } = row
  if (body === null || id === null || at === null) return null
  return { author: { id: toId('mem', id), name: row.reply_member_name ?? '' }, body, created_at: at.toISOString() }
}

/** A review as somebody reads it. */
export const reviewView = (row: ReviewRow, { canManage, memberId }: ReviewReader): Static<typeof Review> => ({
  id: toId('rev', row.id),
  course_id: toId('crs', row.course_id),
  author: { id: toId('mem', row.member_id), name: row.member_name },
  rating: row.rating,
  title: row.title,
  body: row.body,
  status: row.status,
  ...(canManage || row.member_id === memberId ? { hidden_reason: row.hidden_reason } : {}),
  reply: replyOf(row),
  published_at: row.published_at?.toISOString() ?? null,
  revision: row.revision,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
})

/** A review as its caller reads it. */
export const readerOf = (caller: Caller, course: Pick<CourseRow, 'is_lecturer'>): ReviewReader => ({
  canManage: isStaff(caller) || canManageCourse(caller, course),
  memberId: caller.member?.id,
})
