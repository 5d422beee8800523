import { readFile } from 'node:fs/promises'
import { type Endpoint, endpoint } from '#src/contract/endpoint.ts'
import { cacheable } from '#src/kit/cacheable.ts'

// The characters for which browsers request each part of a font.
const PARTS = {
  'cyrillic-ext': 'U+0460-052F,U+1C80-1C8A,U+20B4,U+2DE0-2DFF,U+A640-A69F,U+FE2E-FE2F',
  cyrillic: 'U+0301,U+0400-045F,U+0490-0491,U+04B0-04B1,U+2116',
  greek: 'U+0370-0377,U+037A-037F,U+0384-038A,U+038C,U+038E-03A1,U+03A3-03FF',
  vietnamese:
    'U+0102-0103,U+0110-0111,U+0128-0129,U+0168-0169,U+01A0-01A1,U+01AF-01B0,U+0300-0301,U+0303-0304,U+0308-0309,U+0323,U+0329,U+1EA0-1EF9,U+20AB',
  'latin-ext':
    'U+0100-02BA,U+02BD-02C5,U+02C7-02CC,U+02CE-02D7,U+02DD-02FF,U+1D00-1DBF,U+1E00-1E9F,U+1EF2-1EFF,U+2020,U+20A0-20AB,U+20AD-20C4,U+2113,U+2C60-2C7F,U+A720-A7FF',
  latin:
    'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD',
} as const

// Text in Noto Sans, headings in Source Serif 4.
const FACES = [
  { family: 'Noto Sans', name: 'noto-sans', weight: 400 },
  { family: 'Noto Sans', name: 'noto-sans', weight: 600 },
  { family: 'Source Serif 4', name: 'source-serif-4', weight: 600 },
] as const

const SECONDS = 24 * 3600
const SHEET_SECONDS = 300

const fonts = FACES.flatMap(face =>
  Object.entries(PARTS).map(([part, range]) => ({
    ...face,
    range,
    path: `/assets/fonts/${face.name}-${part}-${face.weight}.woff2` as const,
    source: `@fontsource/${face.name}/files/${face.name}-${part}-${face.weight}-normal.woff2`,
  })),
)

const styleSheet = fonts
  .map(
    ({ family, weight, path, range }) =>
      `@font-face{font-family:"${family}";font-style:normal;font-display:swap;font-weight:${weight};src:url(${path}) format("woff2");unicode-range:${range}}`,
  )
  .join('\n')

const fontEndpoint = ({ path, source }: (typeof fonts)[number]): Endpoint => {
  let bytes: Promise<Buffer> | undefined
  return endpoint({
    route: `GET ${path}`,
    handle: async request => {
      bytes ??= readFile(new URL(import.meta.resolve(source)))
      return cacheable(request.header('if-none-match'), 'font/woff2', await bytes, SECONDS)
    },
  })
}

/** The fonts of our pages and the style sheet that names them. */
export const fontEndpoints: readonly Endpoint[] = [
  endpoint({
    route: 'GET /assets/fonts.css',
    handle: async request =>
      cacheable(request.header('if-none-match'), 'text/css; charset=utf-8', styleSheet, SHEET_SECONDS),
  }),
  ...fonts.map(fontEndpoint),
]
