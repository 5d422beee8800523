import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'

/** A file as operations return it. */
type FileShown = { readonly url: string; readonly name: string; readonly byte_size: number }

const download: Phrase = { en: 'Download {name}', pt: 'Descarregar {name}' }

const TAGS = { en: 'en-GB', pt: 'pt-PT' } as const
const UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const

/** A size in bytes, such as `1.2 MB`. */
export const sizeOf = (bytes: number, language: Language): string => {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3))
  const format = {
    style: 'unit',
    unit: UNITS[power] ?? 'byte',
    unitDisplay: 'short',
    maximumFractionDigits: 1,
  } as const
  return new Intl.NumberFormat(TAGS[language], format).format(bytes / 1000 ** power)
}

/** Files to download, each with its size. */
export const fileList = (files: readonly FileShown[], language: Language): Html => html`<ul class="list">
${files.map(({ url, name, byte_size: bytes }) => html`<li><a href="${url}" aria-label="${fill(download, language, { name })}" download><bdi>${name}</bdi></a> <span class="quiet">${sizeOf(bytes, language)}</span></li>\n`)}</ul>`
