import { type Html, html } from './html.ts'

/** One HTML document in the house's dress; `body` is its content, already escaped. */
export const page = (parts: { readonly lang: string; readonly title: string; readonly body: Html }): string => {
  const { lang, title, body } = parts
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
<main>
${body}
</main>
</body>
</html>
`.html
}
