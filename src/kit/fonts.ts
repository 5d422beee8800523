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

type Part = keyof typeof PARTS

const ALL: readonly Part[] = ['cyrillic-ext', 'cyrillic', 'greek', 'vietnamese', 'latin-ext', 'latin']
const LATIN: readonly Part[] = ['latin-ext', 'latin']

const SANS = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif'
const SERIF = 'ui-serif, "Iowan Old Style", "Palatino Linotype", Georgia, serif'

/**
 * The face of the device that is shown until a font has arrived, and how its letters are resized so that nothing moves then: by
 * the average width of letters at each weight, and the height above and below the line, as shares of the size of the font.
 */
type Substitute = {
  readonly like: 'sans' | 'serif'
  readonly widths: readonly [regular: number, bold: number]
  readonly ascent: number
  readonly descent: number
}

/** A family of fonts: its name, what stands in for it, and the npm package with its files, unless every system has one. */
type Family = {
  readonly name: string
  readonly fallback: string
  readonly files?: { readonly slug: string; readonly parts: readonly Part[] }
  readonly substitute?: Substitute
}

const LOCAL = {
  sans: [
    ['Arial', 'Liberation Sans'],
    ['Arial Bold', 'Liberation Sans Bold'],
  ],
  serif: [
    ['Times New Roman', 'Liberation Serif'],
    ['Times New Roman Bold', 'Liberation Serif Bold'],
  ],
} as const

/** The families that a school can choose from; those without files are on every device and load nothing. */
export const fontFamilies = {
  system_sans: { name: 'Sans of the device', fallback: SANS },
  system_serif: { name: 'Serif of the device', fallback: SERIF },
  noto_sans: {
    name: 'Noto Sans',
    fallback: SANS,
    files: { slug: 'noto-sans', parts: ALL },
    substitute: { like: 'sans', widths: [1.053, 1.053], ascent: 1.069, descent: 0.293 },
  },
  source_serif: {
    name: 'Source Serif 4',
    fallback: SERIF,
    files: { slug: 'source-serif-4', parts: ALL },
    substitute: { like: 'serif', widths: [1.164, 1.12], ascent: 1.036, descent: 0.335 },
  },
  nunito: {
    name: 'Nunito',
    fallback: SANS,
    files: { slug: 'nunito', parts: LATIN },
    substitute: { like: 'sans', widths: [1.012, 0.963], ascent: 1.011, descent: 0.353 },
  },
  work_sans: {
    name: 'Work Sans',
    fallback: SANS,
    files: { slug: 'work-sans', parts: LATIN },
    substitute: { like: 'sans', widths: [1.112, 1.041], ascent: 0.93, descent: 0.243 },
  },
  lora: {
    name: 'Lora',
    fallback: SERIF,
    files: { slug: 'lora', parts: LATIN },
    substitute: { like: 'serif', widths: [1.151, 1.108], ascent: 1.006, descent: 0.272 },
  },
  playfair_display: {
    name: 'Playfair Display',
    fallback: SERIF,
    files: { slug: 'playfair-display', parts: LATIN },
    substitute: { like: 'serif', widths: [1.096, 1.057], ascent: 1.082, descent: 0.251 },
  },
} as const satisfies Readonly<Record<string, Family>>

/** The key of a family. */
export type FontKey = keyof typeof fontFamilies

const WEIGHTS = [400, 600] as const

type FontFile = {
  readonly key: string
  readonly family: string
  readonly weight: number
  readonly range: string
  /** The path at which we serve it. */
  readonly path: `/assets/fonts/${string}.woff2`
  /** The file in its npm package. */
  readonly source: string
}

const listFiles = (key: string, { name, files }: Family): FontFile[] =>
  files === undefined
    ? []
    : WEIGHTS.flatMap(weight =>
        files.parts.map(part => ({
          key,
          family: name,
          weight,
          range: PARTS[part],
          path: `/assets/fonts/${files.slug}-${part}-${weight}.woff2` as const,
          source: `@fontsource/${files.slug}/files/${files.slug}-${part}-${weight}-normal.woff2`,
        })),
      )

/** Every file of a font that we serve. */
export const fontFiles: readonly FontFile[] = Object.entries(fontFamilies).flatMap(([key, family]) =>
  listFiles(key, family),
)

const formatFace = ({ family, weight, path, range }: FontFile): string =>
  `@font-face{font-family:"${family}";font-style:normal;font-display:swap;font-weight:${weight};src:url(${path}) format("woff2");unicode-range:${range}}`

const formatShare = (share: number): string => `${(share * 100).toFixed(1)}%`

// https://drafts.csswg.org/css-fonts-5/#font-metrics-override-desc
const formatSubstitute = ({ name, substitute }: Family, weight: (typeof WEIGHTS)[number]): string[] => {
  if (substitute === undefined) return []
  const at = WEIGHTS.indexOf(weight)
  const { like, widths, ascent, descent } = substitute
  const width = widths[at] ?? 1
  const sources = LOCAL[like][at]?.map(local => `local("${local}")`).join(',')
  return [
    `@font-face{font-family:"${name} fallback";font-style:normal;font-weight:${weight};src:${sources};size-adjust:${formatShare(width)};ascent-override:${formatShare(ascent / width)};descent-override:${formatShare(descent / width)};line-gap-override:0%}`,
  ]
}

/**
 * The rules that name the files of some families, at these weights, and what stands in for each until it has arrived; a browser
 * loads those that a page uses.
 */
export const fontFaces = (keys: readonly string[], weights: readonly number[] = WEIGHTS): string =>
  [
    ...fontFiles.filter(({ key, weight }) => keys.includes(key) && weights.includes(weight)).map(formatFace),
    ...Object.entries<Family>(fontFamilies)
      .filter(([key]) => keys.includes(key))
      .flatMap(([, family]) =>
        WEIGHTS.filter(weight => weights.includes(weight)).flatMap(weight => formatSubstitute(family, weight)),
      ),
  ].join('\n')

/** The value of `font-family` for a family. */
export const fontStack = (key: FontKey): string => {
  const family: Family = fontFamilies[key]
  return family.files === undefined
    ? family.fallback
    : `"${family.name}", "${family.name} fallback", ${family.fallback}`
}

/** The path of the file with most of the text of a page in a family, in the Latin script; null where nothing is loaded. */
export const findTextFont = (key: FontKey): string | null =>
  fontFiles.find(file => file.key === key && file.weight === 400 && file.range === PARTS.latin)?.path ?? null
