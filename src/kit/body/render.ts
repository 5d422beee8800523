import { createContext, Script } from 'node:vm'
import sanitizeHtml from 'sanitize-html'
import { depthGuard, isTooDense, TooDeep } from './bounds.ts'
import { deadFragments, withHeadingIds } from './headings.ts'
import { buildMarkdown, type Markdown, type Token } from './markdown.ts'
import { type ProfileName, profiles } from './profiles.ts'
import { countRemovals, type Removals } from './removals.ts'

/** The markup of a text. */
export type BodyFormat = 'markdown' | 'html'

/** A text with its HTML and the version of the profile by which that was sanitized. */
export type Body = {
  readonly body: string
  readonly body_format: BodyFormat
  readonly body_html: string
  readonly body_allowed: number
}

/** Why a text cannot be rendered. */
export type BodyError = 'too_complex' | 'too_long'

const MAX_HTML_LENGTH = 1_000_000
const TIMEOUT_MS = 2000

const parsers: Readonly<Record<ProfileName, Markdown>> = {
  lesson: buildMarkdown(profiles.lesson.markdown),
  post: buildMarkdown(profiles.post.markdown),
  page: buildMarkdown(profiles.page.markdown),
  comment: buildMarkdown(profiles.comment.markdown),
}

const computeSize = ({ content, attrs, children }: Token): number =>
  content.length +
  (attrs ?? []).reduce((sum, [, value]) => sum + String(value).length, 0) +
  (children ?? []).reduce((sum, child) => sum + computeSize(child), 0)

// A short text can refer to a long address many times, so the sum is taken before the HTML is built.
const renderHtml = (markdown: Markdown, body: string): string | undefined => {
  const environment = {}
  const tokens = markdown.parse(body, environment)
  const size = tokens.reduce((sum, token) => sum + computeSize(token), 0)
  return size > MAX_HTML_LENGTH ? undefined : markdown.renderer.render(tokens, markdown.options, environment)
}

const cleaned = (name: ProfileName, body: string, format: BodyFormat): string | undefined => {
  const { allowed, hasHeadingIds } = profiles[name]
  const html = format === 'markdown' ? renderHtml(parsers[name], body) : body
  if (html === undefined) return undefined
  const clean = sanitizeHtml(html, { ...allowed, ...depthGuard() })
  return hasHeadingIds ? withHeadingIds(clean) : clean
}

const box: { work: () => unknown } = { work: () => undefined }
const call = new Script('work()')
let boxed: ReturnType<typeof createContext> | undefined

// The error comes from another context, whose Error is not ours.
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

// No known text within the bounds comes near this limit; only the engine can stop code that does not return.
const bounded = <Result>(work: () => Result): Result | 'too_complex' => {
  boxed ??= createContext(box)
  box.work = work
  try {
    return call.runInContext(boxed, { timeout: TIMEOUT_MS }) as Result
  } catch (error) {
    if (isTimeout(error) || error instanceof TooDeep) return 'too_complex'
    throw error
  } finally {
    box.work = () => undefined
  }
}

/** What was removed from texts and how often, and the fragments that lead nowhere. */
export type BodyNotes = {
  readonly removed: readonly (readonly [name: string, count: number])[]
  readonly deadFragments: readonly string[]
}

const countIn = (profile: ProfileName, { body, body_format: format }: Body): Removals => {
  const { allowed } = profiles[profile]
  const depth = depthGuard()
  const counting = countRemovals(allowed)
  const html = format === 'markdown' ? renderHtml(parsers[profile], body) : body
  sanitizeHtml(html ?? '', {
    ...allowed,
    transformTags: counting.transformTags ?? {},
    onOpenTag: (name, attribs) => {
      depth.onOpenTag?.(name, attribs)
      counting.onOpenTag?.(name, attribs)
    },
    onCloseTag: (name, isImplied) => {
      depth.onCloseTag?.(name, isImplied)
      counting.onCloseTag?.(name, isImplied)
    },
  })
  return counting.removed
}

/** Renders a text, and sanitizes the HTML by the list of its profile. */
export const renderBody = (profile: ProfileName, body: string, format: BodyFormat): Body | BodyError => {
  if (format === 'markdown' && isTooDense(body)) return 'too_complex'
  const html = bounded(() => cleaned(profile, body, format))
  if (html === 'too_complex') return html
  if (html === undefined || html.length > MAX_HTML_LENGTH) return 'too_long'
  return { body, body_format: format, body_html: html, body_allowed: profiles[profile].version }
}

/**
 * The HTML of a stored text, sanitized again where that was done by an older version of its profile; empty when it can no
 * longer be rendered.
 */
export const currentHtml = (profile: ProfileName, stored: Body): string => {
  if (stored.body_allowed === profiles[profile].version) return stored.body_html
  const again = renderBody(profile, stored.body, stored.body_format)
  return typeof again === 'string' ? '' : again.body_html
}

/**
 * What an author should know of texts that are shown together. HTML within Markdown is shown and not removed; a fragment leads to
 * a heading of any of the texts.
 */
export const buildNotes = (profile: ProfileName, texts: readonly Body[]): BodyNotes => {
  const removed = new Map<string, number>()
  for (const text of texts) {
    const counts = bounded(() => countIn(profile, text))
    if (counts !== 'too_complex')
      for (const [name, count] of counts) removed.set(name, (removed.get(name) ?? 0) + count)
  }
  const html = texts.map(text => currentHtml(profile, text)).join('')
  return { removed: [...removed], deadFragments: profiles[profile].hasHeadingIds ? deadFragments(html) : [] }
}
