import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { formatBytes } from '#src/kit/format.ts'
import { type Html, html } from '#src/kit/html.ts'
import { texts } from '#src/texts/index.ts'

/** A file as operations return it. */
type FileShown = { readonly url: string; readonly name: string; readonly byte_size: number }

const download: Phrase = texts.staff.teaching.files.download

/** Files to download, each with its size. */
export const fileList = (files: readonly FileShown[], language: Language): Html => html`<ul class="list">
${files.map(({ url, name, byte_size: bytes }) => html`<li><a href="${url}" aria-label="${fill(download, language, { name })}" download><bdi>${name}</bdi></a> <span class="quiet">${formatBytes(bytes, language)}</span></li>\n`)}</ul>`
