import Fastify from 'fastify'
import { referenceCallback, referenceClient } from '#src/contract/api-reference.ts'
import { type Area, routedOperations } from '#src/contract/area.ts'
import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import type { School } from '#src/contract/school.ts'
import { scopeSections } from '#src/contract/scopes.ts'
import { stable } from '#src/kit/cacheable.ts'
import { html } from '#src/kit/html.ts'
import { page, pageHeaders } from '#src/kit/html-page.ts'

// Only our own scripts run on the school's origin. The viewer cannot navigate elsewhere: frame-src applies to its frame too.
const PAGE_POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"

// The viewer sets inline styles; it runs in a sandbox with an opaque origin, so it cannot read data of the school.
const readViewerPolicy = ({ baseUrl, siteOrigin }: School): string =>
  `sandbox allow-scripts allow-downloads; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data: blob:; font-src data:; connect-src ${[...new Set([siteOrigin, baseUrl])].join(' ')}; base-uri 'none'; frame-ancestors 'self'`

const buildHeaders = (policy: string) => ({
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy,
  'referrer-policy': 'no-referrer',
  'cache-control': 'public, max-age=300',
})

const SCRIPT_SECONDS = 24 * 3600

let script: Promise<string> | undefined

// The package contains its viewer only as a plugin; the script is requested from it once, when the reference is first read.
const loadScript = async (): Promise<string> => {
  const { default: viewer } = await import('@scalar/fastify-api-reference')
  const inner = Fastify()
  await inner.register(viewer, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { body } = await inner.inject('/docs/js/scalar.js')
  await inner.close()
  return withoutEmptyTokens(body)
}

// The viewer sends `Authorization: Bearer null` while it has no token, also in place of a header that the reader entered.
const withoutEmptyTokens = (viewer: string): string =>
  viewer.replaceAll(
    /r\.Authorization=`Bearer \$\{([a-z])\|\|[a-z]\}`/g,
    (_, token: string) => `${token}&&"null"!==${token}&&(r.Authorization=\`Bearer \${${token}}\`)`,
  )

/** The API reference: a page of the school that shows the viewer in a sandboxed frame and handles sign-in for it. */
const docsPage = endpoint({
  route: 'GET /docs',
  handle: async ({ school }) => ({
    status: 200,
    headers: buildHeaders(PAGE_POLICY),
    body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${school.name}: API reference</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/docs.css">
</head>
<body>
<iframe id="viewer" title="API reference" sandbox="allow-scripts allow-downloads" allow="clipboard-write" data-client-id="${referenceClient.id}" data-callback="${referenceCallback(school)}" data-issuer="${school.baseUrl}"></iframe>
<script src="/assets/docs-page.js"></script>
</body>
</html>
`.html,
  }),
})

const grantedByDefault = (areas: readonly Area[]): string[] => {
  const used = new Set(routedOperations(areas).map(({ scope }) => scope))
  return scopeSections
    .flatMap(({ scopes }) => Object.keys(scopes))
    .filter(name => name.endsWith(':read') && used.has(name))
}

const buildSettings = (areas: readonly Area[], school: School) => ({
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
  authentication: {
    preferredSecurityScheme: 'oauth',
    securitySchemes: {
      oauth: {
        flows: {
          authorizationCode: {
            'x-scalar-client-id': referenceClient.id,
            'x-scalar-redirect-uri': referenceCallback(school),
            'x-scalar-credentials-location': 'body',
            'x-usePkce': 'SHA-256',
            selectedScopes: grantedByDefault(areas),
          },
        },
      },
    },
  },
})

const viewerPage = (areas: readonly Area[]): Endpoint =>
  endpoint({
    route: 'GET /docs/viewer',
    handle: async ({ school }) => ({
      status: 200,
      headers: buildHeaders(readViewerPolicy(school)),
      body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${school.name}: API reference</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
</head>
<body>
<script id="api-reference" data-url="${school.siteOrigin}/openapi.json" data-configuration="${JSON.stringify(buildSettings(areas, school))}"></script>
<script src="/assets/docs-start.js"></script>
<script src="/docs/viewer.js"></script>
</body>
</html>
`.html,
    }),
  })

/** The script of the reference viewer. */
const viewerScript = endpoint({
  route: 'GET /docs/viewer.js',
  handle: async request => {
    script ??= loadScript()
    const type = 'text/javascript; charset=utf-8'
    const reply = stable(request.header('if-none-match'), type, await script, SCRIPT_SECONDS)
    return { ...reply, headers: { ...reply.headers, 'access-control-allow-origin': '*' } }
  },
})

// RFC 7636: the code is useless without the verifier, which only the viewer that requested it has.
const callbackPage = endpoint({
  route: 'GET /docs/callback',
  handle: async ({ school }) => ({
    status: 200,
    headers: {
      ...pageHeaders,
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
    },
    body: page({
      lang: 'en',
      title: 'Back to the API reference',
      brand: { name: school.name, look: school.look },
      body: html`<h1>Back to the API reference</h1>
<p>You can close this window. The API reference continues in the window that opened it.</p>
<script src="/assets/docs-callback.js"></script>`,
    }),
  }),
})

/** The endpoints of the API reference: its page, the sandboxed viewer and its script, and the redirect URI. */
export const docsEndpoints = (areas: readonly Area[]): Endpoint[] => [
  docsPage,
  viewerPage(areas),
  viewerScript,
  callbackPage,
]
