import { readFile } from 'node:fs/promises'
import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { cacheable, stable } from '#src/kit/cacheable.ts'
import { fontFaces, fontFiles } from '#src/kit/fonts.ts'

const SECONDS = 24 * 3600
const SHEET_SECONDS = 300

// Text in Noto Sans, headings in Source Serif 4, unless the school has chosen others.
const styleSheet = [fontFaces(['noto_sans']), fontFaces(['source_serif'], [600])].join('\n')

const fontEndpoint = ({ path, source }: (typeof fontFiles)[number]): Endpoint => {
  let bytes: Promise<Buffer> | undefined
  return endpoint({
    route: `GET ${path}`,
    handle: async request => {
      bytes ??= readFile(new URL(import.meta.resolve(source)))
      return cacheable(request.header('if-none-match'), 'font/woff2', await bytes, SECONDS)
    },
  })
}

/** The fonts that schools can choose, and the style sheet that names those of our pages. */
export const fontEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /assets/fonts.css',
    handle: async request =>
      stable(request.header('if-none-match'), 'text/css; charset=utf-8', styleSheet, SHEET_SECONDS),
  }),
  ...fontFiles.map(fontEndpoint),
]
