import type { Endpoint, EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import { MODULES, type ModuleName, readModulePath } from '#src/kit/browser-modules.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'
import { findReadSession, languageAt } from './request.ts'

/** What modules say, by the modules that say anything. */
const said: Partial<Record<ModuleName, Readonly<Record<string, Phrase>>>> = { editor: texts.browser.editor }

// What a page has that a module is for, wherever in the page it is, and the style sheet of the module.
const needed = { editor: { mark: ' data-editor="', style: 'editor' } } as const

const listNeeded = (body: string): (keyof typeof needed)[] =>
  (Object.keys(needed) as (keyof typeof needed)[]).filter(name => body.includes(needed[name].mark))

// What stands in braces is filled in by the module.
const keepBraces = new Proxy<Record<string, string>>({}, { get: (_, name) => `{${String(name)}}`, has: () => true })

const renderTexts = (phrases: Readonly<Record<string, Phrase>>, language: Language): Html => {
  const filled = Object.entries(phrases).map(([key, phrase]) => [key, fill(phrase, language, keepBraces)])
  return html` data-texts="${JSON.stringify(Object.fromEntries(filled))}"`
}

const renderModule = (name: ModuleName, language: Language): Html => {
  const phrases = said[name]
  return html`<script type="module" src="${readModulePath(name)}" data-module="${name}"${phrases && renderTexts(phrases, language)}></script>\n`
}

// Where other files of the host are scripts too, such as one that somebody uploaded, these alone run.
const allowModules = (policy: string, { siteOrigin }: School): string =>
  policy.includes('script-src')
    ? policy
    : policy.replace('; ', `; script-src ${siteOrigin}${MODULES}; connect-src 'self'; `)

/** Adds modules to a page, and lets its content policy run them and what they send to the school's own host. Decision 266. */
export const addModules = (
  reply: Reply,
  names: readonly ModuleName[],
  { school, language }: { readonly school: School; readonly language: Language },
): Reply => {
  const { body, headers = {} } = reply
  if (typeof body !== 'string' || !String(headers['content-type']).startsWith('text/html')) return reply
  const own = listNeeded(body)
  const missing = [...names, ...own].filter(name => !body.includes(` data-module="${name}"`))
  const sheets = own
    .filter(name => missing.includes(name))
    .map(name => html`<link rel="stylesheet" href="/assets/${needed[name].style}.css">\n`)
  const modules = html`${sheets}${missing.map(name => renderModule(name, language))}`
  return {
    ...reply,
    headers: {
      ...headers,
      'content-security-policy': allowModules(String(headers['content-security-policy']), school),
    },
    body: body.replace('</head>', () => `${modules.html}</head>`),
  }
}

/** The endpoint with modules on all of its pages. */
export const withModules = (endpoint: Endpoint, names: readonly ModuleName[]): Endpoint => {
  const { handle, showKept } = endpoint
  const add = (request: EndpointRequest, reply: Reply): Reply => {
    const language = languageAt(request, findReadSession(request))
    return addModules(reply, names, { school: request.school, language })
  }
  return {
    ...endpoint,
    handle: async request => add(request, await handle(request)),
    ...(showKept && {
      showKept: async (request, show) => add(request, await showKept(request, show)),
    }),
  }
}
