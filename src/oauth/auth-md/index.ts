import { readFile } from 'node:fs/promises'
import markdownIt from 'markdown-it'
import { type Endpoint, endpoint, type Reply } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'
import { namesHtml } from '#src/kit/accept.ts'
import { stable } from '#src/kit/cacheable.ts'
import { page, pageHeaders } from '#src/kit/html-page.ts'
import { promptValues } from '../authorize/request.ts'
import { ID_TOKEN_SECONDS, REPEAT_SECONDS } from '../lifetimes.ts'
import type { Scopes } from '../scopes.ts'
import { errorTable, lifetimeInWords, scopeTable } from './reference.ts'

const SECONDS = 300

const template = readFile(new URL('./walkthrough.md', import.meta.url), 'utf8')

// A name is one line of plain text. Agents follow the instructions in this document, so a name must not add any.
const plain = (name: string): string =>
  name
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>]/g, '\\$&')
    .trim()

const buildValues = (school: School, scopes: Scopes): Readonly<Record<string, string>> => ({
  base_url: school.baseUrl,
  school: plain(school.name),
  scopes: scopeTable(scopes),
  errors: errorTable(school.baseUrl),
  prompts: promptValues.map(value => `\`${value}\``).join(', '),
  code_life: lifetimeInWords(school.lifetimes.code),
  access_life: lifetimeInWords(school.lifetimes.access),
  idle_life: lifetimeInWords(school.lifetimes.idle),
  family_life: lifetimeInWords(school.lifetimes.family),
  repeat_seconds: String(REPEAT_SECONDS),
  id_token_life: lifetimeInWords(ID_TOKEN_SECONDS),
})

const walkthrough = (text: string, school: School, scopes: Scopes): string => {
  const values = buildValues(school, scopes)
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => {
    const value = values[name]
    if (value === undefined) throw new Error(`the walkthrough has the placeholder ${name} without a value`)
    return value
  })
}

const markdown = markdownIt({ html: false, linkify: false, typographer: false })

// A region that scrolls must be reachable by keyboard (WCAG 2.1, 2.1.1).
const scrollable = (html: string): string => html.replace(/<(pre|table)>/g, '<$1 tabindex="0">')

// The walkthrough as a page for people.
const walkthroughPage = (
  text: string,
  school: Pick<School, 'name' | 'look'>,
): { readonly body: string; readonly headers: Record<string, string> } => {
  const title = /^# (.+)$/m.exec(text)?.[1] ?? 'Connect an app'
  const body = { html: scrollable(markdown.render(text)) }
  const brand = { name: school.name, look: school.look, href: '/' }
  return { body: page({ lang: 'en', title, body, brand, isWide: true }), headers: pageHeaders }
}

const varying = (reply: Reply, headers: Reply['headers'] = {}): Reply => ({
  ...reply,
  headers: { ...headers, ...reply.headers, vary: 'Accept' },
})

/** GET /auth.md: how an app gets from the base URL to its first request, with the addresses of the school. */
export const authMdEndpoint = (scopes: Scopes): Endpoint =>
  endpoint({
    route: 'GET /auth.md',
    handle: async request => {
      const text = walkthrough(await template, request.school, scopes)
      const etag = request.header('if-none-match')
      // RFC 9110 §12.5.1: browsers get the page, other clients the Markdown.
      if (!namesHtml(request.header('accept')))
        return varying(stable(etag, 'text/markdown; charset=utf-8', text, SECONDS))
      const { body, headers } = walkthroughPage(text, request.school)
      return varying(stable(etag, 'text/html; charset=utf-8', body, SECONDS), headers)
    },
  })
