import Type, { type Static } from 'typebox'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { MergePatch } from '#src/kit/patch.ts'
import { Closed, Id, Instant, Line, Nullable, OneOf, Person, Recorded, Words } from '#src/kit/shapes.ts'

/** The status of a review. */
export const reviewStatuses = ['pending', 'published', 'hidden'] as const

const Rating = Type.Integer({ minimum: 1, maximum: 5, description: 'From 1 to 5; 5 is the best' })
const LONGEST_BODY = 5000

/** The text of a review. */
const ReviewSettings = Type.Object({
  rating: Rating,
  title: Nullable(Line(120, 'The title of the review')),
  body: Words(LONGEST_BODY, 'The review as plain text'),
})

/** The reply of the school to a review. */
const ReviewReply = Closed('ReviewReply', {
  author: Person,
  body: Words(LONGEST_BODY, 'The answer, as plain text'),
  created_at: Instant,
})

/** A learner's review of a course, and the school's reply. */
export const Review = Closed('Review', {
  id: Id('rev'),
  course_id: Id('crs'),
  author: Person,
  ...ReviewSettings.properties,
  status: OneOf(reviewStatuses, 'Only a published review is public and counts for the rating of the course'),
  hidden_reason: Type.Optional(
    Nullable(Type.String({ description: 'Why it is hidden; shown to its author and to those who manage the course' })),
  ),
  reply: Nullable(ReviewReply),
  published_at: Nullable(Instant),
  ...Recorded,
})

/** A new review. */
export const NewReview = Closed('NewReview', {
  course_id: Id('crs'),
  rating: Rating,
  title: Type.Optional(ReviewSettings.properties.title),
  body: ReviewSettings.properties.body,
})

/** A change of a review. */
export const ReviewChanges = MergePatch(ReviewSettings, 'ReviewChanges')

/** The review in a path. */
export const ReviewRef = Type.Object({ review_id: Id('rev') })

/** The query parameters of the list of reviews. */
export const ReviewsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(['created_at', 'rating']),
  status: Type.Optional(
    OneOf(reviewStatuses, 'Only this status; only those who manage the course see unpublished reviews'),
  ),
  rating: Type.Optional(Rating),
})

/** The query parameters of the list of all reviews. */
export const AllReviewsQuery = Type.Object({ ...ReviewsQuery.properties, course_id: Type.Optional(Id('crs')) })

/** One page of reviews. */
export const ReviewPage = PageOf(Review, 'ReviewPage')

/** Why a review is hidden. */
export const HidingQuery = Type.Object({
  reason: Line(300, 'Why it is hidden; its author can read it'),
})

/** A new reply to a review. */
export const NewReply = Closed('NewReviewReply', { body: ReviewReply.properties.body })

/** The query parameters of the list of reviews, as values. */
export type ListReviewsParams = Static<typeof ReviewsQuery>

/** The input of a review, as values. */
export type ReviewInput = Static<typeof ReviewSettings>
