import Fastify from 'fastify'
import { endpoint } from '#src/contract/endpoint.ts'
import { html } from '#src/kit/html.ts'

// The viewer sets inline styles; it runs in a sandbox without an origin, so it can read nothing of the school's.
const POLICY =
  "sandbox allow-scripts allow-popups allow-downloads; default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data: blob:; font-src data:; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'"

let script: Promise<string> | undefined

// The package gives its viewer only as a plugin; the script is asked of it once, when somebody reads the reference.
const loadScript = async (): Promise<string> => {
  const { default: viewer } = await import('@scalar/fastify-api-reference')
  const inner = Fastify()
  await inner.register(viewer, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { body } = await inner.inject('/docs/js/scalar.js')
  await inner.close()
  return body
}

/** The API reference as a page; it loads nothing from elsewhere. */
export const docsPage = endpoint({
  route: 'GET /docs',
  handle: async ({ school }) => ({
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'cache-control': 'public, max-age=300',
    },
    body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${school.name}: API reference</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
</head>
<body>
<script id="api-reference" data-url="${school.baseUrl}/openapi.json" data-configuration="${JSON.stringify(viewerSettings)}"></script>
<script src="/assets/docs-start.js"></script>
<script src="/docs/viewer.js"></script>
</body>
</html>
`.html,
  }),
})

const viewerSettings = {
  proxyUrl: '',
  telemetry: false,
  withDefaultFonts: false,
  hideClientButton: true,
  showDeveloperTools: 'never',
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** The script of the reference viewer. */
export const docsScript = endpoint({
  route: 'GET /docs/viewer.js',
  handle: async () => {
    script ??= loadScript()
    return {
      status: 200,
      headers: {
        'content-type': 'text/javascript; charset=utf-8',
        'cache-control': 'public, max-age=86400',
        'access-control-allow-origin': '*',
      },
      body: await script,
    }
  },
})
