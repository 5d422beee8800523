import type { Db, Recorded, Statement } from '#src/contract/db.ts'
import { integerKey, type List } from '#src/db/list.ts'
import { sql } from '#src/db/sql.ts'
import { joinConditions, when } from '#src/db/where.ts'

/** Whether staff of a school approve reviews before they are published. */
export type ReviewMode = 'approval' | 'direct'

/** A stored review, with the names of its author and of the member who replied. */
export type ReviewRow = Recorded & {
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
  readonly changed_in: string
}

const columnsIn = (
  schoolId: string,
): Statement => sql`r.id, r.course_id, r.member_id, r.rating, r.title, r.body, r.status, r.hidden_reason, r.published_at,
  r.reply_body, r.reply_member_id, r.replied_at, r.revision, r.changed_in, r.created_at, r.updated_at,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = r.member_id) as member_name,
  (select m.name from members m where m.school_id = ${schoolId} and m.id = r.reply_member_id) as reply_member_name`

/** The filter of a list of reviews; undefined fields do not filter. Those of deleted courses are no one's any more. */
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
  joinConditions(
    sql`r.school_id = ${schoolId}`,
    when(courseId, id => sql`r.course_id = ${id}`),
    when(memberId, id => sql`r.member_id = ${id}`),
    when(status, word => sql`r.status = ${word}`),
    when(rating, points => sql`r.rating = ${points}::integer`),
    isEvery === true ? undefined : ofStandingCourse(schoolId),
  )

/** The reviews of a filter, the newest first. */
export const reviewList = (schoolId: string, filter: ReviewFilter): List<ReviewRow> => ({
  columns: columnsIn(schoolId),
  from: sql`reviews r`,
  where: matching(schoolId, filter),
  id: sql`r.id`,
  keys: { rating: integerKey(sql`r.rating`, row => row.rating) },
  sort: '-created_at',
  changedIn: sql`r.changed_in`,
})

const named = (schoolId: string, id: string | undefined, memberId: string | undefined): Statement =>
  joinConditions(
    sql`r.school_id = ${schoolId} and r.id = ${id}::uuid`,
    ofStandingCourse(schoolId),
    when(memberId, author => sql`r.member_id = ${author}`),
  )

type ShownReview = Pick<ReviewRow, 'id' | 'rating' | 'body' | 'member_name'> & { readonly slug: string }

/** The newest published reviews of listed courses, or of one of them, with the slug of the course. */
export const listShownReviews = (
  db: Db,
  schoolId: string,
  { courseId, rows }: { readonly courseId: string | undefined; readonly rows: number },
) =>
  db.all(sql<ShownReview>`
    select r.id, r.rating, r.body, c.slug,
      (select m.name from members m where m.school_id = ${schoolId} and m.id = r.member_id) as member_name
    from reviews r join courses c on c.school_id = r.school_id and c.id = r.course_id
    where ${joinConditions(
      sql`r.school_id = ${schoolId} and r.status = 'published'`,
      sql`c.status = 'published' and c.visibility = 'listed' and c.deleted_at is null`,
      when(courseId, id => sql`r.course_id = ${id}`),
    )}
    order by r.id desc limit ${rows}`)

/** One review, or one of a member. */
export const findReview = (db: Db, schoolId: string, id: string | undefined, memberId?: string) =>
  db.first(sql<ReviewRow>`select ${columnsIn(schoolId)} from reviews r where ${named(schoolId, id, memberId)}`)

/** The same, locked until the transaction ends. */
export const lockReview = (db: Db, schoolId: string, id: string | undefined, memberId?: string) =>
  db.first(sql<ReviewRow>`
    select ${columnsIn(schoolId)} from reviews r where ${named(schoolId, id, memberId)} for no key update of r`)

/** The values that the author of a review writes. */
export type ReviewValues = Pick<ReviewRow, 'rating' | 'title' | 'body'>

/** Stores a new review; returns 0 when the member has already reviewed the course. */
export const insertReview = (
  db: Db,
  schoolId: string,
  ids: { readonly id: string; readonly courseId: string; readonly memberId: string },
  review: ReviewValues & Pick<ReviewRow, 'status'>,
) =>
  db.run(sql`
    with clock as materialized (select stoa.now() as now)
    insert into reviews (school_id, id, course_id, member_id, rating, title, body, status, published_at, created_at, updated_at)
    select ${schoolId}, ${ids.id}, ${ids.courseId}, ${ids.memberId}, ${review.rating}::integer, ${review.title},
      ${review.body}, ${review.status}, case when ${review.status} = 'published' then now end, now, now
    from clock
    on conflict (school_id, member_id, course_id) do nothing`)

/** Stores a change of a locked review by its author. */
export const storeReview = (db: Db, schoolId: string, id: string, review: ReviewValues & Pick<ReviewRow, 'status'>) =>
  db.one(sql<ReviewRow>`
    update reviews r set rating = ${review.rating}::integer, title = ${review.title}, body = ${review.body},
      status = ${review.status}, hidden_reason = null, revision = revision + 1, updated_at = (select stoa.now())
    where r.school_id = ${schoolId} and r.id = ${id}
    returning ${columnsIn(schoolId)}`)

/** Publishes a locked review, or hides it for a reason. */
export const storeReviewStatus = (db: Db, schoolId: string, id: string, hiddenFor: string | undefined) =>
  db.one(sql<ReviewRow>`
    with clock as materialized (select stoa.now() as now)
    update reviews r set status = ${hiddenFor === undefined ? 'published' : 'hidden'}, hidden_reason = ${hiddenFor},
      published_at = ${hiddenFor === undefined ? sql`coalesce(published_at, (select now from clock))` : sql`published_at`},
      revision = revision + 1, updated_at = (select now from clock)
    where r.school_id = ${schoolId} and r.id = ${id}
    returning ${columnsIn(schoolId)}`)

/** Stores or deletes the reply to a locked review. */
export const storeReply = (
  db: Db,
  schoolId: string,
  id: string,
  reply: { readonly memberId: string; readonly body: string } | undefined,
) =>
  db.one(sql<ReviewRow>`
    with clock as materialized (select stoa.now() as now)
    update reviews r set reply_body = ${reply?.body}, reply_member_id = ${reply?.memberId}::uuid,
      replied_at = ${reply === undefined ? sql`null` : sql`(select now from clock)`}, revision = revision + 1,
      updated_at = (select now from clock)
    where r.school_id = ${schoolId} and r.id = ${id}
    returning ${columnsIn(schoolId)}`)

/** Deletes a review; returns 0 when it does not exist. */
export const deleteReview = (db: Db, schoolId: string, id: string) =>
  db.run(sql`delete from reviews where school_id = ${schoolId} and id = ${id}`)

/** Whether reviews need the approval of staff. */
export const readReviewMode = async (db: Db, schoolId: string): Promise<ReviewMode> =>
  (await db.one(sql<{ mode: ReviewMode }>`select review_mode as mode from schools where id = ${schoolId}`)).mode

/** The number and the average rating of the published reviews of some courses. */
export const readRatings = async (
  db: Db,
  schoolId: string,
  courseIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly rating_average: number; readonly rating_count: number }>> => {
  const rows = await db.all(sql<{ id: string; average: number; count: number }>`
    select course_id as id, round(sum::numeric / count, 2)::double precision as average, count from course_ratings
    where school_id = ${schoolId} and course_id = any (${courseIds}::uuid[]) and count > 0`)
  return new Map(rows.map(({ id, average, count }) => [id, { rating_average: average, rating_count: count }]))
}

/** What a member replied to the reviews of others, the oldest first. */
export const listReplies = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<Pick<ReviewRow, 'id' | 'reply_body' | 'replied_at'>>`
    select id, reply_body, replied_at from reviews
    where school_id = ${schoolId} and reply_member_id = ${memberId} order by replied_at, id`)

/** Deletes the reviews of a member. */
export const eraseReviews = (db: Db, schoolId: string, memberId: string) =>
  db.run(sql`delete from reviews where school_id = ${schoolId} and member_id = ${memberId}`)

/** Moves the reviews and replies of one member to another, except reviews of courses that the other has reviewed. */
export const moveReviews = async (db: Db, schoolId: string, fromId: string, intoId: string): Promise<void> => {
  await db.run(sql`
    update reviews r set member_id = ${intoId} where r.school_id = ${schoolId} and r.member_id = ${fromId}
      and not exists (select from reviews o
        where o.school_id = ${schoolId} and o.course_id = r.course_id and o.member_id = ${intoId})`)
  await db.run(sql`
    update reviews set reply_member_id = ${intoId} where school_id = ${schoolId} and reply_member_id = ${fromId}`)
}
