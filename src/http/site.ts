import { readFile } from 'node:fs/promises'
import type { Area } from '#src/contract/area.ts'
import { type Endpoint, endpoint, type Reply } from '#src/contract/endpoint.ts'
import { oauthErrors } from '#src/contract/oauth-error.ts'
import { findProblem, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { stable } from '#src/kit/cacheable.ts'
import { html } from '#src/kit/html.ts'
import { page, pageHeaders } from '#src/kit/html-page.ts'
import { markFile } from '#src/kit/mark.ts'
import { forceScheme, schemeIn } from '#src/kit/scheme.ts'
import { moduleEndpoint } from './browser-modules.ts'
import { docsEndpoints } from './docs.ts'
import { factListEndpoint } from './fact-list.ts'
import { fontEndpoints } from './fonts.ts'
import { openapiText } from './openapi/document.ts'

const ASSETS = {
  'base.css': 'text/css; charset=utf-8',
  'stoa.css': 'text/css; charset=utf-8',
  'site.css': 'text/css; charset=utf-8',
  'learn.css': 'text/css; charset=utf-8',
  'console.css': 'text/css; charset=utf-8',
  'studio.css': 'text/css; charset=utf-8',
  'editor.css': 'text/css; charset=utf-8',
  'docs.css': 'text/css; charset=utf-8',
  'docs-page.js': 'text/javascript; charset=utf-8',
  'docs-callback.js': 'text/javascript; charset=utf-8',
  'docs-start.js': 'text/javascript; charset=utf-8',
} as const
const SECONDS = 300

const withoutContent = (reply: Reply): Reply => ({
  ...reply,
  headers: { ...reply.headers, 'content-security-policy': "default-src 'none'" },
})

const asset = (name: keyof typeof ASSETS): Endpoint => {
  const read = readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8')
  return endpoint({
    route: `GET /assets/${name}`,
    handle: async request => {
      const text = name.endsWith('.css') ? forceScheme(await read, schemeIn(request.query)) : await read
      return withoutContent(stable(request.header('if-none-match'), ASSETS[name], text, SECONDS))
    },
  })
}

// The tab of a browser has the mark of the school.
const icon = endpoint({
  route: 'GET /assets/icon.svg',
  handle: async request =>
    withoutContent(stable(request.header('if-none-match'), 'image/svg+xml', markFile(request.school.name), SECONDS)),
})

const describeProblem = (code: string): { title: string; status: number; explanation: string } | undefined => {
  const problem = findProblem(code)
  if (!Object.hasOwn(oauthErrors, code)) return problem
  const [status, explanation] = oauthErrors[code as keyof typeof oauthErrors]
  if (problem === undefined) return { title: `OAuth error ${code}`, status, explanation }
  return { ...problem, explanation: `${problem.explanation} At the OAuth endpoints: ${explanation}` }
}

const problemPage = endpoint({
  route: 'GET /problems/:code',
  handle: async ({ params, school }) => {
    const code = params.code ?? ''
    const problem = describeProblem(code)
    if (problem === undefined) throw new Refusal(notFound, 'There is no problem with this code.')
    const body = html`<h1>${problem.title}</h1>
<p>${problem.explanation}</p>
<dl><dt>Code</dt><dd><code>${code}</code></dd><dt>Status</dt><dd>${problem.status}</dd></dl>`
    const headers = { ...pageHeaders, 'cache-control': `public, max-age=${SECONDS}` }
    return {
      status: 200,
      headers,
      body: page({
        lang: 'en',
        title: problem.title,
        brand: { name: school.name, look: school.look, href: '/' },
        body,
      }),
    }
  },
})

const MAX_TEXTS = 100

// Cached, since building the text takes long and it changes only when the school is renamed.
const createText = (areas: readonly Area[]) => {
  const texts = new Map<string, string>()
  return (school: School): string => {
    const key = `${school.baseUrl}\n${school.name}`
    const text = texts.get(key) ?? openapiText(school, areas)
    if (texts.size >= MAX_TEXTS) texts.clear()
    texts.set(key, text)
    return text
  }
}

const description = (areas: readonly Area[]): Endpoint => {
  const text = createText(areas)
  return endpoint({
    route: 'GET /openapi.json',
    handle: async request =>
      stable(request.header('if-none-match'), 'application/json; charset=utf-8', text(request.school), SECONDS),
  })
}

/** The style sheets, fonts and documents of a school, and the pages about problems. */
export const siteEndpoints = (areas: readonly Area[]): Endpoint[] => [
  problemPage,
  description(areas),
  factListEndpoint,
  ...docsEndpoints(areas),
  asset('base.css'),
  asset('stoa.css'),
  asset('site.css'),
  asset('learn.css'),
  asset('console.css'),
  asset('studio.css'),
  asset('editor.css'),
  ...fontEndpoints,
  moduleEndpoint,
  icon,
  asset('docs.css'),
  asset('docs-page.js'),
  asset('docs-callback.js'),
  asset('docs-start.js'),
]
