import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/index.ts'
import { Tag } from '#src/contract/listing.ts'
import { AfterQuery, PageOf, PageQuery, SortQuery } from '#src/contract/pagination.ts'
import { Warnings } from '#src/contract/warning.ts'
import { MergePatch } from '#src/kit/patch.ts'
import {
  AllowedActions,
  Closed,
  CommentMode,
  ExternalId,
  Id,
  Instant,
  Line,
  Nullable,
  OneOf,
  OptionalLine,
  Person,
  Ref,
  Revision,
  Seo,
  Slug,
  Text,
} from '#src/kit/shapes.ts'

/** The status of a post. */
const statuses = ['draft', 'scheduled', 'published', 'archived'] as const

/** Who may read the body of a published post. */
const accesses = ['public', 'members', 'paid'] as const

const MAX_BODY_LENGTH = 200_000

/** The writable fields of a post. */
export const PostSettings = Type.Object({
  title: Line(200, 'What the post is called'),
  slug: Slug,
  subtitle: OptionalLine(300, 'What it is about, in one line'),
  excerpt: OptionalLine(
    500,
    'What everybody reads of it, as plain text. Empty: it is made of the first 300 characters before the fold, or of the body of a public post',
  ),
  body: Text(
    MAX_BODY_LENGTH,
    'The text as written; not safe to display, use body_html. fil_… as an address refers to a file of the school. A line `<!--more-->` is the fold: what is before it is shown to everybody',
  ),
  body_format: OneOf(['markdown', 'html'], 'The markup of the text; HTML within Markdown is shown as text'),
  cover_file_id: Nullable(Id('fil')),
  access: OneOf(accesses, 'Who may read the body once it is published: everybody, members, or holders of a plan'),
  plan_ids: Type.Array(Id('mpl'), {
    maxItems: 20,
    uniqueItems: true,
    description:
      'The plans that open a paid post; empty: every plan with `opens_posts`. A plan that opens one of its categories opens it too',
  }),
  category_ids: Type.Array(Id('pcg'), { maxItems: 10, uniqueItems: true }),
  tags: Type.Array(Tag, { maxItems: 20 }),
  featured: Type.Boolean({ description: 'Whether the school shows it first' }),
  seo: Seo,
  canonical_url: Nullable(Line(500, 'The https address at which it was published first')),
  comments: CommentMode,
  external_id: Nullable(ExternalId),
})

const { body, body_format, external_id, ...open } = PostSettings.properties

const PostAuthor = Closed(
  'PostAuthor',
  { id: Id('lec'), name: Type.String() },
  'The visible profile of whoever wrote it',
)

const ReaderAccess = Closed('PostReaderAccess', {
  state: OneOf(['open', 'locked'], 'Whether the caller may read the body'),
  opens_with: Type.Array(Id('mpl'), {
    description: 'The plans that open it; empty for a paid post: every plan with `opens_posts`',
  }),
  sign_in: Type.Boolean({ description: 'Whether the caller is anonymous and may read more after signing in' }),
})

/** A post of a school; bodies are in the response of one post alone. */
export const Post = Closed('Post', {
  id: Id('pst'),
  ...open,
  has_own_excerpt: Type.Boolean({ description: 'Whether the excerpt was written, and not made of the text' }),
  body: Type.Optional(body),
  body_format: Type.Optional(body_format),
  body_html: Type.Optional(
    Type.String({ description: 'The sanitized body, for those who may read it; safe to display' }),
  ),
  teaser_html: Type.Optional(
    Type.String({ description: 'What is before the fold of a locked post, sanitized; safe to display' }),
  ),
  cover: Nullable(FileView),
  url: Type.String({ description: 'The address of the post on the site' }),
  author: Nullable(PostAuthor),
  written_by: Type.Optional(Nullable(Person)),
  reader_access: ReaderAccess,
  reading_minutes: Type.Integer({ minimum: 1, description: 'How long reading the body takes' }),
  comment_count: Type.Integer({ minimum: 0, description: 'How many published comments it has' }),
  status: OneOf(statuses, 'How far it has got; only a published post is public'),
  publish_at: Type.Optional(Nullable(Instant)),
  published_at: Nullable(Instant),
  mailed_at: Type.Optional(Nullable(Instant)),
  version: Type.Integer({ minimum: 1, description: 'The number of the version that this is' }),
  external_id: Type.Optional(external_id),
  revision: Revision,
  allowed_actions: Type.Optional(AllowedActions),
  warnings: Type.Optional(Warnings),
  created_at: Instant,
  updated_at: Instant,
})

/** A new post; only the title is required. */
export const NewPost = Closed('NewPost', { ...Type.Partial(PostSettings).properties, title: open.title })

/** A change of a post. */
export const PostChanges = MergePatch(PostSettings, 'PostChanges')

/** A copy of a post. */
export const PostCopy = Closed('PostCopy', { title: Type.Optional(open.title), slug: Type.Optional(Slug) })

/** How a deleted post comes back. */
export const PostRestoration = Closed('PostRestoration', { slug: Type.Optional(Slug) })

/** The post in a path. */
export const PostRef = Type.Object({ post_id: Ref('pst', ['external', 'slug']) })

/** The keys that a list of posts can be sorted by. */
const sortKeys = ['published_at', 'title', 'created_at'] as const

/** The query parameters of the list of posts. */
export const PostsQuery = Type.Object({
  ...PageQuery,
  ...AfterQuery,
  ...SortQuery(sortKeys),
  q: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: 'Beginnings of words of title, subtitle and tags' }),
  ),
  status: Type.Optional(OneOf(statuses, 'Only this status')),
  access: Type.Optional(OneOf(accesses, 'Only posts with this access')),
  category_id: Type.Optional(Id('pcg')),
  tag: Type.Optional(Tag),
  author_id: Type.Optional(Id('lec')),
  managed: Type.Optional(
    Type.Boolean({ description: 'true: only posts that the caller manages: staff all, authors those they wrote' }),
  ),
  featured: Type.Optional(Type.Boolean({ description: 'Only posts that are featured, or that are not' })),
  'id[in]': Type.Optional(
    Type.Array(Id('pst'), { minItems: 1, maxItems: 100, description: 'Only these, joined by commas' }),
  ),
  'published_at[gte]': Type.Optional(Instant),
  'published_at[lt]': Type.Optional(Instant),
})

/** One page of the posts. */
export const PostPage = PageOf(Post, 'PostPage')

/** The query parameters of the list of posts, as values. */
export type ListPostsParams = Static<typeof PostsQuery>

/** The input of a post, as values. */
export type PostInput = Partial<Static<typeof PostSettings>>
