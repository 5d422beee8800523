import { readFile } from 'node:fs/promises'
import type { Area } from '#src/contract/area.ts'
import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { oauthErrors } from '#src/contract/oauth-error.ts'
import { findProblem, Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import type { School } from '#src/contract/school.ts'
import { cacheable } from '#src/kit/cacheable.ts'
import { html } from '#src/kit/html.ts'
import { page, pageHeaders } from '#src/kit/html-page.ts'
import { docsEndpoints } from './docs.ts'
import { openapiText } from './openapi/document.ts'

const ASSETS = {
  'stoa.css': 'text/css; charset=utf-8',
  'icon.svg': 'image/svg+xml',
  'docs.css': 'text/css; charset=utf-8',
  'docs-page.js': 'text/javascript; charset=utf-8',
  'docs-callback.js': 'text/javascript; charset=utf-8',
  'docs-start.js': 'text/javascript; charset=utf-8',
} as const
const SECONDS = 300

const asset = (name: keyof typeof ASSETS): Endpoint => {
  const read = readFile(new URL(`./assets/${name}`, import.meta.url), 'utf8')
  return endpoint({
    route: `GET /assets/${name}`,
    handle: async request => {
      const reply = cacheable(request.header('if-none-match'), ASSETS[name], await read, SECONDS)
      return {
        ...reply,
        headers: { ...reply.headers, 'content-security-policy': "default-src 'none'" },
      }
    },
  })
}

const home = endpoint({
  route: 'GET /',
  handle: async ({ school }) => ({
    status: 200,
    headers: { ...pageHeaders, 'cache-control': 'public, max-age=0, must-revalidate' },
    body: page({
      lang: 'en',
      title: school.name,
      body: html`<h1>${school.name}</h1>
<p>This school runs on Stoa. Apps and agents reach it through one HTTP API, once a person has signed in and agreed.</p>
<p><a href="/account">Your account</a>: your profile, the apps you have connected, and where you are signed in</p>
<h2>For app builders</h2>
<ul>
<li><a href="/auth.md">Connect an app</a>: step by step to the first call</li>
<li><a href="/docs">API reference</a>, also as OpenAPI: <a href="/openapi.json">openapi.json</a></li>
<li><a href="/api/v1/school">The school in the API</a></li>
</ul>`,
    }),
  }),
})

const problemOf = (code: string): { title: string; status: number; explanation: string } | undefined => {
  const problem = findProblem(code)
  if (!Object.hasOwn(oauthErrors, code)) return problem
  const [status, explanation] = oauthErrors[code as keyof typeof oauthErrors]
  if (problem === undefined) return { title: `OAuth error ${code}`, status, explanation }
  return { ...problem, explanation: `${problem.explanation} At the OAuth endpoints: ${explanation}` }
}

const problemPage = endpoint({
  route: 'GET /problems/:code',
  handle: async ({ params }) => {
    const code = params.code ?? ''
    const problem = problemOf(code)
    if (problem === undefined) throw new Refusal(notFound, 'There is no problem with this code.')
    const body = html`<h1>${problem.title}</h1>
<p>${problem.explanation}</p>
<dl><dt>Code</dt><dd><code>${code}</code></dd><dt>Status</dt><dd>${problem.status}</dd></dl>`
    const headers = { ...pageHeaders, 'cache-control': `public, max-age=${SECONDS}` }
    return { status: 200, headers, body: page({ lang: 'en', title: problem.title, body }) }
  },
})

const MAX_TEXTS = 100

// Cached, since building the text takes long and it changes only when the school is renamed.
const textOf = (areas: readonly Area[]) => {
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
  const text = textOf(areas)
  return endpoint({
    route: 'GET /openapi.json',
    handle: async request =>
      cacheable(request.header('if-none-match'), 'application/json; charset=utf-8', text(request.school), SECONDS),
  })
}

/** The pages and files of a school's site that belong to no area. */
export const siteEndpoints = (areas: readonly Area[]): Endpoint[] => [
  home,
  problemPage,
  description(areas),
  ...docsEndpoints(areas),
  asset('stoa.css'),
  asset('icon.svg'),
  asset('docs.css'),
  asset('docs-page.js'),
  asset('docs-callback.js'),
  asset('docs-start.js'),
]
