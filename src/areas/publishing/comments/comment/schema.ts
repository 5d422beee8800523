import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { subjectPattern, subjectTypes } from '#src/contract/subject.ts'
import { Closed, Id, Instant, Nullable, OneOf, Recorded, Words } from '#src/kit/shapes.ts'

/** The statuses of a comment. */
export const commentStatuses = ['published', 'pending', 'hidden', 'deleted'] as const

/** What the author of a comment was when they wrote it. */
export const authorRoles = ['student', 'lecturer', 'staff', 'member'] as const

/** The longest text of a comment, in characters. */
const LONGEST = 5000

/** What a comment is on, in a request. */
export const SubjectRef = Type.String({
  pattern: subjectPattern,
  description: 'What it is on: the id of a post, course, lesson or event, or its type, a colon and the id',
  examples: ['course:crs_01jd7z3v5xq8e0w6t2r4m9k1np'],
})

const Subject = Closed('CommentSubject', {
  type: OneOf(subjectTypes, 'What kind of thing it is on'),
  id: Type.String({ description: 'Its id' }),
  name: Nullable(Type.String({ description: 'Its name; null where the caller cannot read it any more' })),
})

const Author = Closed('CommentAuthor', {
  id: Id('mem'),
  name: Type.String(),
  role: OneOf(authorRoles, 'What the author was when it was written'),
  avatar: Nullable(FileView),
})

/** The text of a comment in a request. */
export const Body = Words(
  LONGEST,
  'Markdown: emphasis, lists, quotes, code and links; no headings, images, tables or HTML',
)

/** A comment. */
export const Comment = Closed('Comment', {
  id: Id('cmt'),
  subject: Subject,
  parent_id: Nullable(Id('cmt')),
  root_id: Id('cmt'),
  depth: Type.Integer({ minimum: 1, maximum: 3, description: '1 for a root, 2 for a reply to it, at most 3' }),
  author: Nullable(Author),
  body: Type.String({
    description: 'The text as it was written; empty where only the place of the comment is left. Show body_html',
  }),
  body_html: Type.String({ description: 'The text as sanitized HTML' }),
  status: OneOf(commentStatuses, 'A hidden or deleted comment with replies is listed without its author and words'),
  hidden_reason: Type.Optional(
    Nullable(Type.String({ description: 'Why it is hidden; shown to its author and to staff' })),
  ),
  reply_count: Type.Integer({ minimum: 0, description: 'The number of published replies to it' }),
  reported: Type.Optional(Type.Boolean({ description: 'Whether reports wait for the staff; shown to staff' })),
  edited_at: Nullable(Instant),
  ...Recorded,
})

/** One page of comments. */
export const CommentPage = PageOf(Comment, 'CommentPage')

/** The comment in a path. */
export const CommentRef = Type.Object({ comment_id: Id('cmt') })

/** The query parameters of the list of comments. */
export const CommentsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(['created_at']),
  subject: Type.Optional(SubjectRef),
  parent_id: Type.Optional(Id('cmt')),
  root_id: Type.Optional(Id('cmt')),
  author_id: Type.Optional(Id('mem')),
  status: Type.Optional(OneOf(commentStatuses, 'Only this status; only staff see others than published ones')),
  unanswered: Type.Optional(
    Type.Boolean({
      description: 'true: only published roots without a published reply by staff or by who answers for the subject',
    }),
  ),
  reported: Type.Optional(Type.Boolean({ description: 'true: only those with open reports; for staff' })),
  'created_at[gte]': Type.Optional(Instant),
  'created_at[lt]': Type.Optional(Instant),
})

/** The query parameters of a thread. */
export const ThreadQuery = Type.Object(PageQuery)

/** The query parameters of the counts. */
export const CountsQuery = Type.Object({
  'subject[in]': Type.Array(SubjectRef, { minItems: 1, maxItems: 25, description: 'Of these, joined by commas' }),
})

/** The numbers of published comments on some subjects. */
export const CommentCounts = Closed('CommentCounts', {
  data: Type.Array(
    Closed('CommentCount', {
      subject: Closed('CommentSubjectRef', { type: Subject.properties.type, id: Subject.properties.id }),
      count: Type.Integer({ minimum: 0, description: 'How many published comments it has' }),
    }),
    { description: 'Those that the caller may read, in the order of the request' },
  ),
})

/** The subject in a path. */
export const SubjectPath = Type.Object({ subject: SubjectRef })

/** A subject that the caller reads, for the pages on which people comment. */
export const CommentableSubject = Closed('CommentableSubject', {
  type: Subject.properties.type,
  id: Subject.properties.id,
  name: Type.String({ description: 'Its name' }),
  path: Type.String({ description: 'Its page on the site' }),
  mode: OneOf(
    ['open', 'approval', 'closed', 'off'],
    'Whether comments are accepted, at once or after approval, only shown, or neither',
  ),
})

/** A comment as the API returns it, with UUIDs and dates. */
export type CommentView = Static<typeof Comment>

/** The query of a list of comments, as values. */
export type ListCommentsParams = Static<typeof CommentsQuery>
