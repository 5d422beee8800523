import { escapeXml } from '#src/kit/html.ts'

/** The most addresses that one file may have (https://www.sitemaps.org/protocol.html). */
export const MAX_ADDRESSES = 50_000

/** An address of a page and when the page last changed. */
export type Address = { readonly url: string; readonly changedAt?: Date }

const NAMESPACE = 'http://www.sitemaps.org/schemas/sitemap/0.9'

/** How many files so many addresses need; at least one. */
export const filesFor = (count: number): number => Math.max(1, Math.ceil(count / MAX_ADDRESSES))

/** A file that lists pages. */
export const renderSitemap = (addresses: readonly Address[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="${NAMESPACE}">
${addresses
  .map(
    ({ url, changedAt }) =>
      `<url><loc>${escapeXml(url)}</loc>${changedAt === undefined ? '' : `<lastmod>${changedAt.toISOString()}</lastmod>`}</url>\n`,
  )
  .join('')}</urlset>
`

/** The file that lists those files. */
export const renderSitemapIndex = (urls: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>
<sitemapindex xmlns="${NAMESPACE}">
${urls.map(url => `<sitemap><loc>${escapeXml(url)}</loc></sitemap>\n`).join('')}</sitemapindex>
`
