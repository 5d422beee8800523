import Type from 'typebox'
import { PageOf, PageQuery } from '#src/contract/pagination.ts'
import { Instant, Nullable, Person } from '#src/kit/shapes.ts'
import { Post, PostRef, PostSettings } from '../post/schema.ts'

const closed = { additionalProperties: false } as const

const line = {
  number: Type.Integer({ minimum: 1 }),
  title: Post.properties.title,
  is_current: Type.Boolean({ description: 'Whether the post says this now' }),
  restores: Nullable(Type.Integer({ description: 'The number of the version of which it is a copy' })),
  author: Nullable(Person),
  created_at: Instant,
}

/** A version of a post with its text. */
export const PostVersion = Type.Object(
  {
    ...line,
    subtitle: Post.properties.subtitle,
    excerpt: PostSettings.properties.excerpt,
    body: PostSettings.properties.body,
    body_format: PostSettings.properties.body_format,
    body_html: Type.String({ description: 'The sanitized body; safe to display' }),
  },
  { ...closed, title: 'PostVersion' },
)

/** The versions of a post. */
export const PostVersionPage = PageOf(Type.Object(line, { ...closed, title: 'PostVersionLine' }), 'PostVersionPage')

/** The query parameters of the list of versions. */
export const VersionsQuery = Type.Object({ ...PageQuery })

/** The version of a post in a path. */
export const PostVersionRef = Type.Object({
  ...PostRef.properties,
  number: Type.String({ pattern: '^[1-9][0-9]{0,8}$', description: 'The number of the version' }),
})
