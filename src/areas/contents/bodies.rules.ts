import { createContext, Script } from 'node:vm'
import markdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { idPattern } from '#src/kit/ids.ts'
import { ALLOWED, allowList } from './allowed.rules.ts'
import { depthGuard, isTooDense, TooDeep } from './bounds.rules.ts'

/** What a text is written in. */
export type BodyFormat = 'markdown' | 'html'

/** A text as it was written, with what is shown of it and the number of the allow-list that let it pass. */
export type Body = {
  readonly body: string
  readonly body_format: BodyFormat
  readonly body_html: string
  readonly body_allowed: number
}

/** Why a text cannot be shown. */
export type BodyFault = 'too_complex' | 'too_long'

const LONGEST_HTML = 1_000_000
const MILLISECONDS = 2000

const markdown = markdownIt({ html: false, linkify: false, typographer: false })

type Token = ReturnType<typeof markdown.parse>[number]

const sizeOf = ({ content, attrs, children }: Token): number =>
  content.length +
  (attrs ?? []).reduce((sum, [, value]) => sum + String(value).length, 0) +
  (children ?? []).reduce((sum, child) => sum + sizeOf(child), 0)

// A short text can name a long address many times, so the sum is taken before anything is put together.
const htmlOf = (body: string): string | undefined => {
  const environment = {}
  const tokens = markdown.parse(body, environment)
  const size = tokens.reduce((sum, token) => sum + sizeOf(token), 0)
  return size > LONGEST_HTML ? undefined : markdown.renderer.render(tokens, markdown.options, environment)
}

const cleaned = (body: string, format: BodyFormat): string | undefined => {
  const html = format === 'markdown' ? htmlOf(body) : body
  return html === undefined ? undefined : sanitizeHtml(html, { ...allowList, ...depthGuard() })
}

const box: { work: () => unknown } = { work: () => undefined }
const call = new Script('work()')
let boxed: ReturnType<typeof createContext> | undefined

// The error is one of the box, where Error is another one.
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'

// Bounded as texts are, none that we know comes near this; only the engine can stop code that does not look up.
const bounded = <Result>(work: () => Result): Result | 'too_complex' => {
  boxed ??= createContext(box)
  box.work = work
  try {
    return call.runInContext(boxed, { timeout: MILLISECONDS }) as Result
  } catch (error) {
    if (isTimeout(error) || error instanceof TooDeep) return 'too_complex'
    throw error
  } finally {
    box.work = () => undefined
  }
}

/** What is shown of a text: rendered where it is Markdown, and without all that the allow-list does not have. */
export const renderBody = (body: string, format: BodyFormat): Body | BodyFault => {
  if (format === 'markdown' && isTooDense(body)) return 'too_complex'
  const html = bounded(() => cleaned(body, format))
  if (html === 'too_complex') return html
  if (html === undefined || html.length > LONGEST_HTML) return 'too_long'
  return { body, body_format: format, body_html: html, body_allowed: ALLOWED }
}

/** The same of a stored text: what an older allow-list let pass is cleaned anew; what can no longer be is not shown. */
export const shownHtml = (stored: Body): string => {
  if (stored.body_allowed === ALLOWED) return stored.body_html
  const again = renderBody(stored.body, stored.body_format)
  return typeof again === 'string' ? '' : again.body_html
}

const named = new RegExp(`(?<= (?:href|src)=")${idPattern('fil').slice(1, -1)}(?=")`, 'g')

/** The files that a shown text names, by their ids, each once. */
export const filesNamed = (html: string): string[] => [...new Set(html.match(named) ?? [])]

/** A shown text with addresses in place of the ids of files; a file without one is named by nothing. */
export const withAddresses = (html: string, addressOf: (id: string) => string | undefined): string =>
  html.replace(named, id => (addressOf(id) ?? '#').replaceAll('&', '&amp;').replaceAll('"', '&quot;'))
