import { bodyFor } from '#src/contract/body.ts'
import { nameWords } from '#src/contract/listing.ts'
import { splitFold } from '#src/kit/body/fold.ts'
import { textOfHtml } from '#src/kit/body/plain.ts'
import { profiles } from '#src/kit/body/profiles.ts'
import { type Body, type BodyFormat, currentHtml } from '#src/kit/body/render.ts'
import { filesNamed } from '#src/kit/body/shown.ts'
import { bodyWords } from '#src/kit/search-words.ts'
import { cleanLine } from '#src/kit/text.ts'

/** A body as it was written. */
export type PostText = { readonly body: string; readonly body_format: BodyFormat }

/** A body as it is stored: rendered whole, and what is before its fold. */
export type PostBody = Body & {
  /** Null: the body has no fold. */
  readonly teaser_html: string | null
  /** The first visible characters before the fold, or of the whole body where it has none. */
  readonly opening: string
  readonly reading_minutes: number
}

const OPENING = 300
// Enough for the opening, however much of it is white space.
const OPENING_SOURCE = 20_000
const WORDS_A_MINUTE = 200

const NOTHING: Body = { body: '', body_format: 'markdown', body_html: '', body_allowed: profiles.post.version }

// Without headings, which are no part of a sentence.
const extractOpening = (html: string): string => {
  const prose = textOfHtml(html.replace(/<(h[1-6])\b[^>]*>[\s\S]*?<\/\1>/g, ' '))
  return cleanLine((prose.trim() === '' ? textOfHtml(html) : prose).slice(0, OPENING_SOURCE), OPENING)
}

const minutesFor = (html: string): number =>
  Math.max(1, Math.ceil((textOfHtml(html).match(/[\p{L}\p{N}]+/gu)?.length ?? 0) / WORDS_A_MINUTE))

// What is before the fold is rendered alone: a reference that is defined behind the fold is behind the fold.
const rendered = (body: string, format: BodyFormat): Body => bodyFor('post', NOTHING, { body, body_format: format })

/** The body after a change; refuses one that cannot be rendered. It takes up to seconds, so call it before anything is locked. */
export const renderedPost = ({ body, body_format: format }: PostText): PostBody => {
  const { before, whole } = splitFold(body)
  const all = rendered(whole, format)
  const teaser = before === undefined ? null : rendered(before, format).body_html
  return {
    ...all,
    body,
    body_format: format,
    teaser_html: teaser,
    opening: extractOpening(teaser ?? all.body_html),
    reading_minutes: minutesFor(all.body_html),
  }
}

/** The HTML of a whole body, and of what is before its fold, as the present profile sanitizes them. */
export const shownPost = (stored: Omit<PostBody, 'opening' | 'reading_minutes'>) => {
  const { before, whole } = splitFold(stored.body)
  return {
    body: currentHtml('post', { ...stored, body: whole }),
    teaser:
      stored.teaser_html === null
        ? null
        : currentHtml('post', { ...stored, body: before ?? '', body_html: stored.teaser_html }),
  }
}

/** The ids on the wire of the files that a body names. */
export const listFiles = ({ body_html: html }: Pick<PostBody, 'body_html'>): string[] => filesNamed(html)

type Described = {
  readonly excerpt: string
  readonly opening: string
  readonly has_fold: boolean
  readonly access: 'public' | 'members' | 'paid'
}

/**
 * What everybody reads of a post: the excerpt that was written, or else one that is made of what everybody may read. Without
 * a fold that is nothing of a post that is not public.
 */
export const buildExcerpt = ({ excerpt, opening, has_fold: hasFold, access }: Described): string => {
  if (excerpt !== '') return excerpt
  return hasFold || access === 'public' ? opening : ''
}

type Searched = {
  readonly title: string
  readonly subtitle: string
  readonly excerpt: string
  readonly tags: readonly string[]
  readonly access: Described['access']
}

/** The words by which anybody may find a post, those of its name and all; a body counts as far as everybody may read it. */
export const searchWords = (
  { title, subtitle, excerpt, tags, access }: Searched,
  { body_html: html, teaser_html: teaser }: Pick<PostBody, 'body_html' | 'teaser_html'>,
): { readonly names: string; readonly all: string } => {
  const open = textOfHtml(access === 'public' ? html : (teaser ?? ''))
  return {
    names: nameWords({ name: title, subtitle, tags }),
    all: bodyWords([title, subtitle, ...tags, excerpt, open].join(' ')),
  }
}
