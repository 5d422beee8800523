import { createContext, Script } from 'node:vm'
import markdownIt from 'markdown-it'
import sanitizeHtml from 'sanitize-html'
import { Refusal } from '#src/contract/problem.ts'
import { invalidBody } from '#src/contract/problems.ts'
import { idPattern } from '#src/kit/ids.ts'
import type { ContentInput } from '../schema.ts'
import { ALLOWED, allowList } from './allowed.rules.ts'
import { depthGuard, isTooDense, TooDeep } from './bounds.rules.ts'

/** The markup of a text. */
export type BodyFormat = 'markdown' | 'html'

/** A text with its HTML and the number of the allow-list by which that was sanitized. */
export type Body = {
  readonly body: string
  readonly body_format: BodyFormat
  readonly body_html: string
  readonly body_allowed: number
}

/** Why a text cannot be rendered. */
type BodyError = 'too_complex' | 'too_long'

const MAX_HTML_LENGTH = 1_000_000
const TIMEOUT_MS = 2000

const markdown = markdownIt({ html: false, linkify: false, typographer: false })

type Token = ReturnType<typeof markdown.parse>[number]

const sizeOf = ({ content, attrs, children }: Token): number =>
  content.length +
  (attrs ?? []).reduce((sum, [, value]) => sum + String(value).length, 0) +
  (children ?? []).reduce((sum, child) => sum + sizeOf(child), 0)

// A short text can refer to a long address many times, so the sum is taken before the HTML is built.
const htmlOf = (body: string): string | undefined => {
  const environment = {}
  const tokens = markdown.parse(body, environment)
  const size = tokens.reduce((sum, token) => sum + sizeOf(token), 0)
  return size > MAX_HTML_LENGTH ? undefined : markdown.renderer.render(tokens, markdown.options, environment)
}

const cleaned = (body: string, format: BodyFormat): string | undefined => {
  const html = format === 'markdown' ? htmlOf(body) : body
  return html === undefined ? undefined : sanitizeHtml(html, { ...allowList, ...depthGuard() })
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

/** Renders a text, and sanitizes the HTML by the allow-list. */
export const renderBody = (body: string, format: BodyFormat): Body | BodyError => {
  if (format === 'markdown' && isTooDense(body)) return 'too_complex'
  const html = bounded(() => cleaned(body, format))
  if (html === 'too_complex') return html
  if (html === undefined || html.length > MAX_HTML_LENGTH) return 'too_long'
  return { body, body_format: format, body_html: html, body_allowed: ALLOWED }
}

/**
 * The HTML of a stored text, sanitized again where that was done by an older allow-list; empty when it can no longer be
 * rendered.
 */
export const currentHtml = (stored: Body): string => {
  if (stored.body_allowed === ALLOWED) return stored.body_html
  const again = renderBody(stored.body, stored.body_format)
  return typeof again === 'string' ? '' : again.body_html
}

const named = new RegExp(`(?<= (?:href|src)=")${idPattern('fil').slice(1, -1)}(?=")`, 'g')

/** The ids of the files to which rendered HTML refers, each once. */
export const filesNamed = (html: string): string[] => [...new Set(html.match(named) ?? [])]

/** Rendered HTML with addresses in place of the ids of files, and `#` for files without one. */
export const withAddresses = (html: string, addressOf: (id: string) => string | undefined): string =>
  html.replace(named, id => (addressOf(id) ?? '#').replaceAll('&', '&amp;').replaceAll('"', '&quot;'))

const MAX_FILES = 50

const MESSAGES: Readonly<Record<BodyError | 'too_many_files', string>> = {
  too_complex:
    'takes too long to render: it nests more than 500 elements, or has more than 30,000 characters of Markdown markup',
  too_long: 'is too long when it is rendered',
  too_many_files: `refers to more than ${MAX_FILES} files`,
}

const refuseBody = (code: keyof typeof MESSAGES): never => {
  throw new Refusal(invalidBody, 'The text cannot be rendered.', {
    errors: [{ pointer: '/body', code, message: MESSAGES[code] }],
  })
}

/** The rendered text after a change; refuses one that cannot be rendered. `ready` may have been rendered before. */
export const bodyFor = (before: Body, input: Pick<ContentInput, 'body' | 'body_format'>, ready?: Body): Body => {
  const { body = before.body, body_format: format = before.body_format } = input
  if (body === before.body && format === before.body_format) return before
  if (ready?.body === body && ready.body_format === format) return ready
  const rendered = renderBody(body, format)
  if (typeof rendered === 'string') return refuseBody(rendered)
  return filesNamed(rendered.body_html).length > MAX_FILES ? refuseBody('too_many_files') : rendered
}
