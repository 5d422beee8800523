import { readFile } from 'node:fs/promises'
import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { cacheable, stable } from '#src/kit/cacheable.ts'
import { type FontKey, fontFaces, fontFamilies, fontFiles, fontStack } from '#src/kit/fonts.ts'

const SECONDS = 24 * 3600
const SHEET_SECONDS = 300

// Text in Noto Sans, headings in Source Serif 4, unless the school has chosen others.
const styleSheets = {
  'fonts.css': [fontFaces(['noto_sans']), fontFaces(['source_serif'], [600])].join('\n'),
  'console-fonts.css': fontFaces(['work_sans', 'noto_sans']),
  // Each font that a school can choose, in the classes of its name.
  'every-font.css': [
    fontFaces(Object.keys(fontFamilies)),
    ...(Object.keys(fontFamilies) as FontKey[]).map(key => `.face-${key}{font-family:${fontStack(key)}}`),
  ].join('\n'),
}

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

/** The fonts that schools can choose, and the style sheets that name those of our pages and of the console. */
export const fontEndpoints: readonly Endpoint[] = [
  ...Object.entries(styleSheets).map(([name, sheet]) =>
    endpoint({
      route: `GET /assets/${name}`,
      handle: async request => stable(request.header('if-none-match'), 'text/css; charset=utf-8', sheet, SHEET_SECONDS),
    }),
  ),
  ...fontFiles.map(fontEndpoint),
]
