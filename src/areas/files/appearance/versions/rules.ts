import type { Look, LookLink } from '#src/contract/look.ts'
import { problem } from '#src/contract/problem.ts'
import { sha256 } from '#src/kit/crypto.ts'
import { findTextFont, fontFaces, fontStack } from '#src/kit/fonts.ts'
import { toId } from '#src/kit/ids.ts'
import { scopedCss } from '../css/rules.ts'
import { listFiles } from '../settings/rules.ts'
import { type Colors, type FileField, type Settings, socialNames } from '../settings/schema.ts'

/** Colors that pages use together have too little contrast. */
export const contrastTooLow = problem(
  422,
  'contrast_too_low',
  'Colors have too little contrast',
  'Text has a contrast of at least 4.5:1 to what is behind it, large text and symbols of 3:1 (WCAG 2.2). pairs lists what does not pass, with the ratio and the nearest colors that would; change the draft and publish again.',
)

const radii = {
  square: { radius: '0', field: '0', pill: '0' },
  soft: { radius: '0.9rem', field: '0.5rem', pill: '999px' },
  round: { radius: '1.6rem', field: '1rem', pill: '999px' },
} as const

const widths = { narrow: '62rem', normal: '74rem', wide: '92rem' } as const

const block = (selector: string, values: Readonly<Record<string, string>>): string =>
  `${selector}{${Object.entries(values)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';')}}`

const colorsIn = (colors: Colors): string =>
  block(':root', Object.fromEntries(Object.entries(colors).map(([name, color]) => [name.replaceAll('_', '-'), color])))

// Where a font is not chosen, the style sheets of the pages say which one it is.
const fontsIn = ({ fonts: { heading, body } }: Settings): Record<string, string> => ({
  ...(body === null ? {} : { text: fontStack(body) }),
  ...(heading === null ? {} : { display: fontStack(heading) }),
})

/** The custom properties of corners and width, without their hyphens. */
export const listMeasures = ({ radius, width }: Pick<Settings, 'radius' | 'width'>): Record<string, string> => {
  const { radius: corner, field, pill } = radii[radius]
  return { radius: corner, 'radius-field': field, pill, width: widths[width] }
}

/** Colors, fonts and measures as a style sheet for every page; what is printed keeps its colors. */
export const baseSheet = (settings: Settings): string => {
  const { colors, fonts } = settings
  return [
    fontFaces([fonts.heading, fonts.body].filter(key => key !== null)),
    block(':root', { ...fontsIn(settings), ...listMeasures(settings) }),
    `@media screen{${colorsIn(colors.light)}}`,
    `@media screen and (prefers-color-scheme:dark){${colorsIn(colors.dark)}}`,
  ]
    .filter(part => part !== '')
    .join('\n')
}

/** The same with the CSS of the school, for the pages of its site. */
export const siteSheet = async (settings: Settings): Promise<string> =>
  [baseSheet(settings), await scopedCss(settings.custom_css)].filter(part => part !== '').join('\n')

/** The name of a style sheet: a hash of what it says. */
export const hashOfSheet = (css: string): string => sha256(css).toString('base64url').slice(0, 22)

/** The path of a style sheet by its hash. */
export const sheetPath = (hash: string): string => `/appearance/${hash}.css`

/** The widths in which images of an appearance are served. */
const imageWidths = {
  logo: 640,
  logo_dark: 640,
  favicon: 320,
  social_image: 1280,
  email_header: 1280,
  sign_in_image: 1280,
}

// The address of a page by its id leads to its path, which may change.
const buildHref = (href: string | null, pageId: string | null): string =>
  href ?? (pageId === null ? '/' : `/pages/${toId('pag', pageId)}`)

const linksFor = (links: Settings['footer']['links']): LookLink[] =>
  links.map(({ label, href, page_id: pageId }) => ({ label, href: buildHref(href, pageId) }))

const buildAnnouncement = ({ announcement }: Settings): Look['announcement'] =>
  announcement && {
    text: announcement.text,
    href: announcement.href,
    from: announcement.from?.toISOString() ?? null,
    until: announcement.until?.toISOString() ?? null,
  }

const pickMailColors = ({ page, sheet, ink, quiet, line, accent, on_accent }: Colors) => ({
  page,
  sheet,
  ink,
  quiet,
  line,
  accent,
  on_accent,
})

const buildEmail = ({ email, colors, radius }: Settings, headerImage: string | null): Look['email'] => ({
  headerImage,
  footer: email.footer,
  colors: { light: pickMailColors(colors.light), dark: pickMailColors(colors.dark) },
  radius,
})

// A mark is about as wide as it is high.
const WORDMARK = 2.5

/** Whether a logo of a size in pixels is one with a name in it, for which pages leave out the name beside it. */
export const isWordmark = (
  logo: { readonly width: number | null; readonly height: number | null } | undefined,
): boolean => logo?.width != null && logo.height !== null && logo.width >= WORDMARK * logo.height

/** What pages and mails show of settings; images that are not named are at `/appearance/images`. */
export const buildLook = (
  settings: Settings,
  sheets: Pick<Look, 'styleSheet' | 'siteStyleSheet' | 'isWordmark'>,
  images?: Readonly<Partial<Record<FileField, string | null>>>,
): Look => {
  const ids = listFiles(settings)
  const image = (field: FileField): string | null => {
    if (images !== undefined) return images[field] ?? null
    const id = ids[field]
    return id === null ? null : `/appearance/images/${imageWidths[field]}/${toId('fil', id)}`
  }
  const { navigation, footer, fonts } = settings
  return {
    ...sheets,
    textFont: findTextFont(fonts.body ?? 'noto_sans'),
    logo: image('logo'),
    logoDark: image('logo_dark'),
    favicon: image('favicon'),
    socialImage: image('social_image'),
    navigation:
      navigation?.map(({ label, href, page_id: pageId, children }) => ({
        label,
        href: buildHref(href, pageId),
        children: linksFor(children),
      })) ?? null,
    footer: {
      text: footer.text,
      links: linksFor(footer.links),
      social: footer.social.map(({ service, href }) => ({ label: socialNames[service], href })),
    },
    announcement: buildAnnouncement(settings),
    signIn: { image: image('sign_in_image'), text: settings.sign_in.text },
    email: buildEmail(settings, image('email_header')),
  }
}
