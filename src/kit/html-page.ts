import { findTextFont } from './fonts.ts'
import { type Html, html } from './html.ts'
import { isRightToLeft } from './locale.ts'
import { renderMark } from './mark.ts'
import { cleanText } from './text.ts'

const policy = (formAction: string): string =>
  `default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self'; manifest-src 'self'; ${formAction}base-uri 'none'; frame-ancestors 'none'`

/** The headers of every page: no scripts unless it names modules, no frames, sniffing, external content or caching. */
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

// What a page has of the look of a school; the rest belongs to the pages of its site.
type PageLook = {
  readonly styleSheet: string
  /** The file of the font of most texts. */
  readonly textFont?: string | null
  readonly logo: string | null
  readonly logoDark: string | null
  readonly isWordmark?: boolean
  readonly favicon: string | null
}

type Document = {
  readonly lang: string
  readonly title: string
  readonly robots: 'noindex' | 'index'
  readonly styleSheet: 'stoa' | 'site' | 'console'
  /** More elements of the head, already escaped. */
  readonly head?: Html
  /** The style sheet and the icon of the school, after ours. */
  readonly look: Pick<PageLook, 'styleSheet' | 'textFont' | 'favicon'> | null | undefined
  /** The class of the body. */
  readonly bodyClass?: string
  readonly body: Html
}

const renderIcon = (look: Document['look']): Html =>
  look?.favicon == null
    ? html`<link rel="icon" href="/assets/icon.svg" type="image/svg+xml">`
    : html`<link rel="icon" href="${look.favicon}">`

// By these a browser installs the school as an app.
const INSTALL_LINKS = html`<link rel="apple-touch-icon" href="/appearance/icons/touch.png">
<link rel="manifest" href="/appearance/manifest.webmanifest">`

// Without it a browser asks for the font once it has the style sheets, and the text moves later.
const preloadFont = ({ look, styleSheet }: Pick<Document, 'look' | 'styleSheet'>): Html | false => {
  const own = styleSheet === 'console' ? findTextFont('work_sans') : undefined
  const path = own ?? (look == null ? findTextFont('noto_sans') : look.textFont)
  return path != null && html`<link rel="preload" href="${path}" as="font" type="font/woff2" crossorigin>\n`
}

// A console has a style sheet and a font of its own, and of a school only the color.
const styleSheetsFor = (styleSheet: Document['styleSheet']): readonly string[] =>
  styleSheet === 'console' ? ['console-fonts', 'console'] : ['fonts', 'base', styleSheet]

const styleLink = (name: string): Html => html`<link rel="stylesheet" href="/assets/${name}.css">\n`

const htmlDocument = ({ lang, title, robots, styleSheet, head, look, bodyClass, body }: Document): string =>
  html`<!doctype html>
<html lang="${lang}"${isRightToLeft(lang) && html` dir="rtl"`}${styleSheet === 'console' && html` class="console"`}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${robots === 'noindex' && html`<meta name="robots" content="noindex">\n`}<title>${title}</title>
${renderIcon(look)}
${INSTALL_LINKS}
${preloadFont({ look, styleSheet })}${styleSheetsFor(styleSheet).map(styleLink)}${look != null && html`<link rel="stylesheet" href="${look.styleSheet}">\n`}${head}</head>
<body${bodyClass !== undefined && html` class="${bodyClass}"`}>
${body}
</body>
</html>
`.html

// Whose page it is.
type Brand = {
  readonly name: string
  /** The look of the school; none for the built-in one. */
  readonly look: PageLook | null | undefined
  /** The address of the home page; unset where nobody should leave the page. */
  readonly href?: string
}

const renderLogo = ({ logo, logoDark }: PageLook): Html | undefined => {
  if (logo === null) return undefined
  const dark = logoDark !== null && html`<source srcset="${logoDark}" media="(prefers-color-scheme: dark)">`
  return html`<picture>${dark}<img src="${logo}" alt=""></picture>`
}

/** The logo of a school, or else its mark, with its name; `attributes` are those of the name. */
export const renderBrand = ({ name, look, href }: Brand, attributes = html` dir="auto"`): Html => {
  const inside = html`${(look && renderLogo(look)) ?? renderMark(name)}<span${attributes}>${name}</span>`
  const kind = look?.isWordmark === true ? html`brand wordmark` : html`brand`
  return href === undefined
    ? html`<span class="${kind}">${inside}</span>`
    : html`<a class="${kind}" href="${href}">${inside}</a>`
}

/** The picture and the text of a school above a sign-in form. */
export const renderGreeting = (
  look: { readonly signIn: { readonly image: string | null; readonly text: string | null } } | null | undefined,
): Html | undefined => {
  if (look == null) return undefined
  const { image, text } = look.signIn
  return html`${image !== null && html`<img class="greeting-image" src="${image}" alt="">\n`}${
    text !== null && html`<p class="greeting">${text}</p>\n`
  }`
}

/** One HTML document on a sheet, for forms and messages; `body` is its content, already escaped. */
export const page = (parts: {
  readonly lang: string
  readonly title: string
  readonly body: Html
  /** Whether it contains code and tables, which need a wider page. */
  readonly isWide?: boolean
  /** The school, above the sheet. */
  readonly brand?: Brand | undefined
  /** What is below the sheet. */
  readonly footer?: Html | undefined
}): string => {
  const { lang, title, body, isWide = false, brand, footer } = parts
  return htmlDocument({
    lang,
    title,
    robots: 'noindex',
    styleSheet: 'stoa',
    look: brand?.look,
    body: html`${brand !== undefined && html`<header class="sheet-header">${renderBrand(brand)}</header>\n`}<main${isWide && html` class="wide"`}>
${body}
</main>${
      footer !== undefined &&
      html`
<footer class="sheet-footer">${footer}</footer>`
    }`,
  })
}

/** A style sheet that some pages of the console have: for editors, and for samples of the fonts that a school can choose. */
export type ConsoleSheet = 'studio' | 'every-font'

// A page of the console: its bar, its navigation and its content, already escaped. */
type ConsolePage = {
  readonly lang: string
  readonly title: string
  /** The text of the link that jumps over the bar and the navigation. */
  readonly skip: string
  /** The style sheet of the school, of which the console has the color, and its icon. */
  readonly look: Document['look']
  readonly bar: Html
  readonly navigation: Html
  readonly main: Html
  /** Style sheets of our own beside that of the console. */
  readonly moreStyles?: readonly ConsoleSheet[] | undefined
}

/** One HTML document of the console. */
export const consolePage = ({ skip, bar, navigation, main, moreStyles = [], ...document }: ConsolePage): string =>
  htmlDocument({
    ...document,
    head: html`${moreStyles.map(styleLink)}`,
    robots: 'noindex',
    styleSheet: 'console',
    body: html`<a class="skip" href="#main">${skip}</a>
<div class="app">
<header class="bar">
${bar}
</header>
${navigation}
<main class="stage" id="main">
${main}
</main>
</div>`,
  })

// `page` writes each of these once, and nothing that is not escaped before them.
const BODY = '<body>\n'
const MAIN = '<main'

/** A document that `page` or `sitePage` wrote, with another row of links in its header, and a link that jumps over it. */
export const withBar = (document: string, bar: Html, skip: string): string => {
  const withRow = document.replace(
    /<header class="(?:sheet|site)-header">\s*(<p class="test-note">[^<]*<\/p>\n)?[\s\S]*?<\/header>/,
    (_, note = '') => `<header class="site-header">\n${note}${bar.html}\n</header>`,
  )
  if (withRow.includes('<a class="skip"')) return withRow
  return withRow
    .replace(BODY, () => `${BODY}${html`<a class="skip" href="#main">${skip}</a>`.html}\n`)
    .replace(MAIN, () => `${MAIN} id="main"`)
}

/** A page of a school's site: a header, the content and a footer, already escaped. */
export type SitePage = {
  readonly lang: string
  readonly title: string
  readonly description: string
  /** The absolute address under which search engines know the page; undefined keeps them away. */
  readonly canonical: string | undefined
  /** What the page is about, for previews of a link (https://ogp.me). */
  readonly openGraph: Readonly<Record<string, string>>
  /** What the page is about, for search engines (https://json-ld.org); each is a data block. */
  readonly jsonLd: readonly unknown[]
  /** The text of the link that jumps over the header. */
  readonly skip: string
  /** The style sheet of the site and the icon of the school; none for the built-in ones. */
  readonly look: Document['look']
  /** Whether the CSS of the school applies: it is about what is below one class. */
  readonly isStyled?: boolean
  readonly header: Html
  /** What stands beside the content and before it, such as an outline. */
  readonly beside?: Html | undefined
  readonly main: Html
  readonly footer: Html
  /** A style sheet of our own beside that of the site. */
  readonly moreStyle?: 'learn'
}

const cleanValue = (_: string, value: unknown): unknown => (typeof value === 'string' ? cleanText(value) : value)

// Within a data block nothing is escaped as in HTML, and `</script` would end it.
const dataBlock = (value: unknown): Html => ({
  html: `<script type="application/ld+json">${JSON.stringify(value, cleanValue).replaceAll('<', '\\u003c')}</script>\n`,
})

const renderHead = ({ description, canonical, openGraph, jsonLd, moreStyle }: SitePage): Html =>
  html`${moreStyle !== undefined && styleLink(moreStyle)}${description !== '' && html`<meta name="description" content="${description}">\n`}${
    canonical !== undefined && html`<link rel="canonical" href="${canonical}">\n`
  }${Object.entries(openGraph).map(([name, value]) => html`<meta property="${name}" content="${value}">\n`)}${jsonLd.map(dataBlock)}`

const renderMain = ({ beside, main }: SitePage): Html => {
  const content = html`<main id="main">
${main}
</main>`
  return beside === undefined
    ? content
    : html`<div class="beside">
${beside}
${content}
</div>`
}

/** One HTML document of a school's site. */
export const sitePage = (parts: SitePage): string => {
  const { lang, title, canonical, skip, look, isStyled = false, header, footer } = parts
  return htmlDocument({
    lang,
    title,
    robots: canonical === undefined ? 'noindex' : 'index',
    styleSheet: 'site',
    look,
    ...(isStyled ? { bodyClass: 'school-content' } : {}),
    head: renderHead(parts),
    body: html`<a class="skip" href="#main">${skip}</a>
<header class="site-header">
${header}
</header>
${renderMain(parts)}
<footer class="site-footer">
${footer}
</footer>`,
  })
}
