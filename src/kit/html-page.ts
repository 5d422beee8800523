import { type Html, html } from './html.ts'

const policy = (formAction: string): string =>
  `default-src 'none'; style-src 'self'; img-src 'self'; ${formAction}base-uri 'none'; frame-ancestors 'none'`

/** The headers of every page: no scripts, frames, sniffing, external content or caching. */
export const pageHeaders: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy': policy("form-action 'self'; "),
  'x-frame-options': 'DENY',
  // With no-referrer browsers send `Origin: null` from our own forms.
  'referrer-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** The headers of sign-in and consent: no form-action, which browsers apply to the redirect to a client and beyond. */
export const redirectingPageHeaders: Readonly<Record<string, string>> = {
  ...pageHeaders,
  'content-security-policy': policy(''),
}

/** One HTML document with the common layout; `body` is its content, already escaped. */
export const page = (parts: {
  readonly lang: string
  readonly title: string
  readonly body: Html
  /** Whether it contains code and tables, which need a wider page. */
  readonly isWide?: boolean
}): string => {
  const { lang, title, body, isWide = false } = parts
  return html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/assets/stoa.css">
</head>
<body>
<main${isWide && html` class="wide"`}>
${body}
</main>
</body>
</html>
`.html
}
