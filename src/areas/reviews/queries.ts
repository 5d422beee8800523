import type { Db, Statement } from '#src/contract/db.ts'
import { type Change, settledBehind } from '#src/db/commit-order.ts'
import { byInteger, keyset, type SortKey } from '#src/db/keyset.ts'
import { sql } from '#src/db/sql.ts'
import { allOf, when } from '#src/db/where.ts'

/** Whether a school reads reviews before everybody does. */
export type ReviewMode = 'approval' | 'direct'

/** A review as it is stored, with the names of who wrote it and who answered. */
export type ReviewRow = {
  readonly id: string
  readonly course_id: string
  readonly member_id: string
  readonly member_name: string
  readonly rating: number
  readonly title: string | null
  readonly body: string
  readonly status: 'pending' | 'published' | 'hidden'
  readonly hidden_reason: string | null
  readonly published_at: Date | null
  readonly reply_body: string | null
  readonly reply_member_id: string | null
  readonly reply_member_name: string | null
  readonly replied_at: Date | null
  readonly revision: number
  readonly changed_in: string
  readonly created_at: Date
  readonly updated_at: Date
}

const columnsIn = (
  schoolId: string,
): Statement => sql`r.id, r.course_id, r.member_id, r.rating, r.title, r.body, r.status, r.hidden_reason, r.published_at,
  r.reply_body, r.reply_member_id, r.replied_at, r.revision, r.changed_in, r.created_at, r.updated_at,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = r.member_id) as member_name,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = r.reply_member_id) as reply_member_name`

/** Which reviews are meant; what is undefined does not matter. Those of deleted courses are no one's any more. */
export type ReviewFilter = {
  readonly courseId?: string | undefined
  readonly memberId?: string | undefined
  readonly status?: ReviewRow['status'] | undefined
  readonly rating?: number | undefined
  /** Those of deleted courses too. */
  readonly isEvery?: boolean
}

const ofStandingCourse = (schoolId: string): Statement => sql`exists (
  select from courses c where c.school_id = ${schoolId} and c.id = r.course_id and c.deleted_at is null)`

const matching = (schoolId: string, { courseId, memberId, status, rating, isEvery }: ReviewFilter): Statement =>
  allOf(
    sql`r.school_id = ${schoolId}`,
    when(courseId, id => sql`r.course_id = ${id}`),
    when(memberId, id => sql`r.member_id = ${id}`),
    when(status, word => sql`r.status = ${word}`),
    when(rating, points => sql`r.rating = ${points}::integer`),
    isEvery === true ? undefined : ofStandingCourse(schoolId),
  )

/** How a list of reviews is ordered; ids come in the order in which reviews were written. */
export type ReviewOrder = { readonly key: 'created_at' | 'rating'; readonly isDescending: boolean }

const keys: Readonly<Record<ReviewOrder['key'], SortKey | undefined>> = {
  created_at: undefined,
  rating: byInteger(sql`r.rating`),
}

/** Where a review stands in an order. */
export const positionOf = (row: ReviewRow, { key }: ReviewOrder): readonly string[] =>
  key === 'rating' ? [String(row.rating), row.id] : [row.id]

/** The reviews of a filter in an order, behind `after`, at most `rows`; all of them without `rows`. */
export const reviewsStatement = (
  schoolId: string,
  filter: ReviewFilter,
  { key, isDescending }: ReviewOrder,
  { rows, after }: { readonly rows?: number; readonly after?: readonly string[] | undefined } = {},
): Statement<ReviewRow> => {
  const { order, behind } = keyset(sql`r.id`, { key: keys[key], isDescending }, after)
  return sql`
    select ${columnsIn(schoolId)} from reviews r where ${allOf(matching(schoolId, filter), behind)}
    order by ${order} ${rows === undefined ? sql`` : sql`limit ${rows}`}`
}

/** The reviews of a filter in the order of commits, behind a position. */
export const listChangedReviews = (
  db: Db,
  schoolId: string,
  filter: ReviewFilter,
  rows: number,
  after: Change,
): Promise<ReviewRow[]> =>
  db.all(sql<ReviewRow>`
    select ${columnsIn(schoolId)} from reviews r where ${allOf(matching(schoolId, filter), settledBehind(after))}
    order by r.changed_in, r.id limit ${rows}`)

/** How many reviews a filter has. */
export const countReviews = async (db: Db, schoolId: string, filter: ReviewFilter): Promise<number> =>
  (
    await db.one(
      sql<{ count: number }>`select count(*)::integer as count from reviews r where ${matching(schoolId, filter)}`,
    )
  ).count

const named = (schoolId: string, id: string | undefined, memberId: string | undefined): Statement =>
  allOf(
    sql`r.school_id = ${schoolId} and r.id = ${id}::uuid`,
    ofStandingCourse(schoolId),
    when(memberId, author => sql`r.member_id = ${author}`),
  )

/** One review, or one of a member. */
export const findReview = (
  db: Db,
  schoolId: string,
  id: string | undefined,
  memberId?: string,
): Promise<ReviewRow | undefined> =>
  db.first(sql<ReviewRow>`select ${columnsIn(schoolId)} from reviews r where ${named(schoolId, id, memberId)}`)

/** The same, locked until the transaction ends. */
export const lockReview = (
  db: Db,
  schoolId: string,
  id: string | undefined,
  memberId?: string,
): Promise<ReviewRow | undefined> =>
  db.first(sql<ReviewRow>`
    select ${columnsIn(schoolId)} from reviews r where ${named(schoolId, id, memberId)} for no key update of r`)

/** What the author of a review writes. */
export type ReviewValues = Pick<ReviewRow, 'rating' | 'title' | 'body'>

/** Stores a new review; 0 when the member has reviewed the course. */
export const insertReview = (
  db: Db,
  schoolId: string,
  ids: { readonly id: string; readonly courseId: string; readonly memberId: string },
  review: ReviewValues & Pick<ReviewRow, 'status'>,
): Promise<number> =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into reviews (school_id, id, course_id, member_id, rating, title, body, status, published_at, created_at, updated_at)
    select ${schoolId}, ${ids.id}, ${ids.courseId}, ${ids.memberId}, ${review.rating}::integer, ${review.title},
      ${review.body}, ${review.status}, case when ${review.status} = 'published' then now end, now, now
    from clock
    on conflict (school_id, member_id, course_id) do nothing`)

/** Stores a review that is locked after a change by its author. */
export const storeReview = (
  db: Db,
  schoolId: string,
  id: string,
  review: ReviewValues & Pick<ReviewRow, 'status'>,
): Promise<ReviewRow> =>
  db.one(sql<ReviewRow>`
    update reviews r set rating = ${review.rating}::integer, title = ${review.title}, body = ${review.body},
      status = ${review.status}, hidden_reason = null, revision = revision + 1, updated_at = (select stoa.now())
    where r.school_id = ${schoolId} and r.id = ${id}
    returning ${columnsIn(schoolId)}`)

/** Publishes a review that is held, or hides it for a reason. */
export const storeReviewStatus = (
  db: Db,
  schoolId: string,
  id: string,
  hiddenFor: string | undefined,
): Promise<ReviewRow> =>
  db.one(sql<ReviewRow>`
    with clock as materialized (select stoa.now() as now)
    update reviews r set status = ${hiddenFor === undefined ? 'published' : 'hidden'}, hidden_reason = ${hiddenFor},
      published_at = ${hiddenFor === undefined ? sql`coalesce(published_at, (select now from clock))` : sql`published_at`},
      revision = revision + 1, updated_at = (select now from clock)
    where r.school_id = ${schoolId} and r.id = ${id}
    returning ${columnsIn(schoolId)}`)

/** Stores the answer to a review that is held, or takes it away. */
export const storeReply = (
  db: Db,
  schoolId: string,
  id: string,
  reply: { readonly memberId: string; readonly body: string } | undefined,
): Promise<ReviewRow> =>
  db.one(sql<ReviewRow>`
    with clock as materialized (select stoa.now() as now)
    update reviews r set reply_body = ${reply?.body}, reply_member_id = ${reply?.memberId}::uuid,
      replied_at = ${reply === undefined ? sql`null` : sql`(select now from clock)`}, revision = revision + 1,
      updated_at = (select now from clock)
    where r.school_id = ${schoolId} and r.id = ${id}
    returning ${columnsIn(schoolId)}`)

/** Removes a review; 0 when it is gone. */
export const deleteReview = (db: Db, schoolId: string, id: string): Promise<number> =>
  db.run(sql`delete from reviews where school_id = ${schoolId} and id = ${id}`)

/** Whether reviews wait until staff have read them. */
export const reviewModeOf = async (db: Db, schoolId: string): Promise<ReviewMode> =>
  (await db.one(sql<{ mode: ReviewMode }>`select review_mode as mode from schools where id = ${schoolId}`)).mode

/** What the published reviews of some courses come to. */
export const ratingsOf = async (
  db: Db,
  schoolId: string,
  courseIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly rating_average: number; readonly rating_count: number }>> => {
  const rows = await db.all(sql<{ id: string; average: number; count: number }>`
    select course_id as id, round(sum::numeric / count, 2)::double precision as average, count from course_ratings
    where school_id = ${schoolId} and course_id = any (${courseIds}::uuid[]) and count > 0`)
  return new Map(rows.map(({ id, average, count }) => [id, { rating_average: average, rating_count: count }]))
}

/** Removes the reviews of a member. */
export const forgetReviews = (db: Db, schoolId: string, memberId: string): Promise<number> =>
  db.run(sql`delete from reviews where school_id = ${schoolId} and member_id = ${memberId}`)

/** Gives a member's reviews and answers to another, but of courses that the other has reviewed. */
export const moveReviews = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    update reviews r set member_id = ${intoId} where r.school_id = ${schoolId} and r.member_id = ${fromId}
      and not exists (select from reviews o
        where o.school_id = ${schoolId} and o.course_id = r.course_id and o.member_id = ${intoId})`)
  await db.run(sql`
    update reviews set reply_member_id = ${intoId} where school_id = ${schoolId} and reply_member_id = ${fromId}`)
}
