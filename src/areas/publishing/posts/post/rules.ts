import { type FieldError, problem } from '#src/contract/problem.ts'
import { absoluteAddress } from '#src/kit/body/addresses.ts'
import { cleanLine, cleanTags } from '#src/kit/text.ts'
import type { PostText } from '../content/rules.ts'
import type { PostRow, PostSettingValues, PostTexts } from './queries.ts'
import type { PostInput } from './schema.ts'

/** Another post has the external id. */
export const postExternalIdTaken = problem(
  409,
  'post_external_id_taken',
  'Another post has this external_id',
  'An external_id names one post of the school. Find which at /posts/external:{value}.',
)

/** What is written of a post: its settings, its texts and its body without what is made of them. */
export type PostValues = PostSettingValues & PostTexts & PostText

/** The values of a new post: public, empty, and open for comments. */
export const BLANK: PostValues = {
  title: '',
  subtitle: '',
  excerpt: '',
  body: '',
  body_format: 'markdown',
  slug: '',
  access: 'public',
  plan_ids: [],
  cover_file_id: null,
  featured: false,
  comments: 'open',
  canonical_url: null,
  seo_title: null,
  seo_description: null,
  external_id: null,
  tags: [],
  category_ids: [],
}

const line = (text: string | null, length: number): string | null => text && cleanLine(text, length)

const textsAfter = (before: PostTexts, { title, subtitle, excerpt }: PostInput): PostTexts => ({
  title: title === undefined ? before.title : cleanLine(title, 200),
  subtitle: subtitle === undefined ? before.subtitle : cleanLine(subtitle, 300),
  excerpt: excerpt === undefined ? before.excerpt : cleanLine(excerpt, 500),
})

/** The values after a change; the plans of a post that is no longer paid are forgotten. */
export const mergedPost = (before: PostValues, input: PostInput): PostValues => {
  const access = input.access ?? before.access
  const { seo, canonical_url: canonical } = input
  return {
    ...textsAfter(before, input),
    body: input.body ?? before.body,
    body_format: input.body_format ?? before.body_format,
    slug: input.slug ?? before.slug,
    access,
    plan_ids: input.plan_ids?.toSorted() ?? (access === 'paid' ? before.plan_ids : []),
    cover_file_id: input.cover_file_id === undefined ? before.cover_file_id : input.cover_file_id,
    featured: input.featured ?? before.featured,
    comments: input.comments ?? before.comments,
    canonical_url:
      canonical === undefined ? before.canonical_url : canonical && (absoluteAddress(canonical, ['https:']) ?? ''),
    seo_title: seo === undefined ? before.seo_title : line(seo.title, 120),
    seo_description: seo === undefined ? before.seo_description : line(seo.description, 320),
    external_id: input.external_id === undefined ? before.external_id : input.external_id,
    tags: input.tags === undefined ? before.tags : cleanTags(input.tags),
    category_ids: input.category_ids?.toSorted() ?? before.category_ids,
  }
}

/** The values of a stored post. */
export const buildValues = (row: PostRow): PostValues => mergedPost(row, {})

/** The errors of values that can be found without reading anything. */
export const errorsOfPost = ({
  title,
  access,
  plan_ids: plans,
  canonical_url: canonical,
}: PostValues): FieldError[] => [
  ...(title === '' ? [{ pointer: '/title', code: 'empty', message: 'must contain a visible character' }] : []),
  ...(access !== 'paid' && plans.length > 0
    ? [{ pointer: '/plan_ids', code: 'access', message: 'goes with the access paid alone' }]
    : []),
  ...(canonical === ''
    ? [{ pointer: '/canonical_url', code: 'url', message: 'is not an https address without user name and password' }]
    : []),
]

const versioned = ['title', 'subtitle', 'excerpt', 'body', 'body_format'] as const

/** Whether a change of these fields makes a new version. */
export const isContent = (fields: readonly string[]): boolean =>
  fields.some(field => versioned.some(name => name === field))

/** Whether a change of these fields is one of the body. */
export const isBody = (fields: readonly string[]): boolean => fields.includes('body') || fields.includes('body_format')
