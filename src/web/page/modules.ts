import type { Endpoint, EndpointRequest, Reply } from '#src/contract/endpoint.ts'
import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { School } from '#src/contract/school.ts'
import type { Session } from '#src/identity/index.ts'
import { MODULES, type ModuleName, readModulePath } from '#src/kit/browser-modules.ts'
import { hmac, purposeKey } from '#src/kit/crypto.ts'
import { type Html, html } from '#src/kit/html.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import { findReadSession, languageAt } from './request.ts'

/** What modules say, by the modules that say anything. */
const said: Partial<Record<ModuleName, Readonly<Record<string, Phrase>>>> = {
  outline: { ...texts.browser.outline, undo: texts.words.undo },
  'in-place': texts.browser.inPlace,
  drafts: texts.browser.drafts,
  list: texts.browser.list,
  palette: texts.browser.palette,
  upload: texts.browser.upload,
  editor: texts.browser.editor,
}

// What stands in braces is filled in by the module.
const keepBraces = new Proxy<Record<string, string>>({}, { get: (_, name) => `{${String(name)}}`, has: () => true })

const renderTexts = (phrases: Readonly<Record<string, Phrase>>, language: Language): Html => {
  const filled = Object.entries(phrases).map(([key, phrase]) => [key, fill(phrase, language, keepBraces)])
  return html` data-texts="${JSON.stringify(Object.fromEntries(filled))}"`
}

const renderModule = (name: ModuleName, language: Language, about?: Html): Html => {
  const phrases = said[name]
  return html`<script type="module" src="${readModulePath(name)}" data-module="${name}"${phrases && renderTexts(phrases, language)}${about}></script>\n`
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
  {
    school,
    language,
    about,
  }: { readonly school: School; readonly language: Language; readonly about?: Partial<Record<ModuleName, Html>> },
): Reply => {
  const { body, headers = {} } = reply
  if (typeof body !== 'string' || !String(headers['content-type']).startsWith('text/html')) return reply
  const missing = names.filter(name => !body.includes(` data-module="${name}"`))
  const sheet = missing.includes('editor') && html`<link rel="stylesheet" href="/assets/editor.css">\n`
  const modules = html`${sheet}${missing.map(name => renderModule(name, language, about?.[name]))}`
  return {
    ...reply,
    headers: {
      ...headers,
      'content-security-policy': allowModules(String(headers['content-security-policy']), school),
    },
    body: body.replace('</head>', () => `${modules.html}</head>`),
  }
}

// Whose page it is, and the key of what is kept in their browser: nobody else who signs in at it can read that.
const describeReader = (secret: string, { id }: School, session: Session | undefined) => {
  if (session === undefined) return {}
  const key = hmac(purposeKey(secret, 'drafts'), `${id}\n${session.member.id}`).toString('base64')
  return {
    'in-place': html` data-person="${toId('mem', session.member.id)}"`,
    drafts: html` data-key="${key}"`,
  }
}

const ALWAYS = ['base', 'in-place', 'palette'] as const

// In the editor of a course any lesson may be opened without another page.
const STUDIO = ' data-work'

// The modules of the elements that a page may have, by their marks.
const marks = {
  drafts: ' data-draft="',
  upload: ' data-upload="',
  editor: ' data-editor="',
  appearance: ' data-live="',
} as const satisfies Partial<Record<ModuleName, string>>

const chooseModules = ({ body }: Reply): readonly ModuleName[] => [
  ...ALWAYS,
  ...(Object.keys(marks) as (keyof typeof marks)[]).filter(
    name => typeof body === 'string' && (body.includes(marks[name]) || body.includes(STUDIO)),
  ),
]

/** The endpoint with the modules that every page of the console has, and those that its forms are marked for. */
export const withModules = (endpoint: Endpoint, { secret }: { readonly secret: string }): Endpoint => {
  const { handle, showKept } = endpoint
  const add = (request: EndpointRequest, reply: Reply): Reply => {
    const { school } = request
    const session = findReadSession(request)
    const about = describeReader(secret, school, session)
    return addModules(reply, chooseModules(reply), { school, language: languageAt(request, session), about })
  }
  return {
    ...endpoint,
    handle: async request => add(request, await handle(request)),
    ...(showKept && {
      showKept: async (request, show) => add(request, await showKept(request, show)),
    }),
  }
}
