import { escapeHtml } from '../html.ts'
import { idPattern } from '../ids.ts'

// Sanitized HTML has the address as the first attribute, and `<` only where an element begins.
const ADDRESS = '(?<=<(?:a href|img src)=")'
const file = new RegExp(`${ADDRESS}${idPattern('fil').slice(1, -1)}(?=")`, 'g')
const picture = new RegExp(`(?<=<img src=")${idPattern('fil').slice(1, -1)}(?=")`, 'g')
const path = new RegExp(`${ADDRESS}(?=/)`, 'g')

/** The ids of the files to which rendered HTML refers, each once. */
export const filesNamed = (html: string): string[] => [...new Set(html.match(file) ?? [])]

/** The ids of those of them that it shows as pictures. */
export const picturesNamed = (html: string): string[] => [...new Set(html.match(picture) ?? [])]

/** Rendered HTML with addresses in place of the ids of files, and `#` for files without one. */
export const withAddresses = (html: string, findAddress: (id: string) => string | undefined): string =>
  html.replace(file, id => escapeHtml(findAddress(id) ?? '#'))

/** Rendered HTML in which links to paths of the school's site are absolute; `siteOrigin` has no slash at its end. */
export const withSiteLinks = (html: string, siteOrigin: string): string =>
  html.replace(path, () => escapeHtml(siteOrigin))
