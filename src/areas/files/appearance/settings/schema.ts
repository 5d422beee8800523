import Type, { type Static } from 'typebox'
import { FileView } from '#src/areas/files/storage/index.ts'
import { type FontKey, fontFamilies } from '#src/kit/fonts.ts'
import { Closed, Id, Instant, Line, Nullable, OneOf, Words } from '#src/kit/shapes.ts'

/** The nine colors of the style sheets. */
export const colorNames = ['page', 'sheet', 'ink', 'quiet', 'line', 'accent', 'on_accent', 'warn', 'warn_ink'] as const

/** The name of a color. */
export type ColorName = (typeof colorNames)[number]

/** The color schemes of a device. */
export const schemes = ['light', 'dark'] as const

/** A color scheme. */
export type Scheme = (typeof schemes)[number]

const meanings: Readonly<Record<ColorName, string>> = {
  page: 'The background of pages',
  sheet: 'The background of cards and forms',
  ink: 'Text',
  quiet: 'Less important text, and the borders of inputs',
  line: 'Lines between things',
  accent: 'Links, buttons and the mark',
  on_accent: 'Text on buttons',
  warn: 'The background of notes',
  warn_ink: 'Text of notes',
}

const Color = (description: string) => Type.String({ pattern: '^#[0-9a-f]{6}$', description, examples: ['#8a3b12'] })

/** The colors of one scheme. */
const ColorsOfScheme = Closed('AppearanceColors', {
  page: Color(meanings.page),
  sheet: Color(meanings.sheet),
  ink: Color(meanings.ink),
  quiet: Color(meanings.quiet),
  line: Color(meanings.line),
  accent: Color(meanings.accent),
  on_accent: Color(meanings.on_accent),
  warn: Color(meanings.warn),
  warn_ink: Color(meanings.warn_ink),
})

/** The colors of one scheme, as values. */
export type Colors = Static<typeof ColorsOfScheme>

const Font = (description: string) =>
  Nullable(OneOf(Object.keys(fontFamilies) as FontKey[], `${description}; null for the built-in ones`))

const OWN = '/(?:[\\w~.-]+(?:/[\\w~.-]+)*/?)?'
const HOST = '[a-z0-9](?:[a-z0-9.-]{0,250}[a-z0-9])?(?::[0-9]{1,5})?'
const REST = "(?:[/?#][\\w~!$&'()*+,;=:@%/?#.-]*)?"

/** Where a link leads: a path of the school, or an address with https. */
export const Href = Type.String({
  minLength: 1,
  maxLength: 500,
  pattern: `^(?:${OWN}(?:\\?[\\w~.=&%+-]*)?(?:#[\\w-]*)?|https://${HOST}${REST})$`,
  description: 'A path of the school such as /courses, or an address with https',
  examples: ['/courses'],
})

const linkFields = {
  label: Line(60, 'The text of the link'),
  href: Nullable(Href),
  page_id: Nullable(Id('pag')),
}

/** A link; it has either an address or a page of the school. */
const Link = Closed('AppearanceLink', linkFields)

const NavigationLink = Closed('AppearanceNavigationLink', {
  ...linkFields,
  children: Type.Array(Link, { maxItems: 12, description: 'The links below it' }),
})

/** The services of `footer.social`. */
export const socialNames = {
  instagram: 'Instagram',
  youtube: 'YouTube',
  facebook: 'Facebook',
  linkedin: 'LinkedIn',
  tiktok: 'TikTok',
  mastodon: 'Mastodon',
  bluesky: 'Bluesky',
  x: 'X',
} as const

type Social = keyof typeof socialNames

const SocialLink = Closed('AppearanceSocialLink', {
  service: OneOf(Object.keys(socialNames) as Social[], 'The service'),
  href: Type.String({
    maxLength: 500,
    pattern: `^https://${HOST}${REST}$`,
    description: 'The address of the school there, with https',
  }),
})

const sharedFields = {
  logo_file_id: Nullable(Id('fil')),
  logo_dark_file_id: Nullable(Id('fil')),
  favicon_file_id: Nullable(Id('fil')),
  social_image_file_id: Nullable(Id('fil')),
  colors: Closed('AppearanceColorSchemes', { light: ColorsOfScheme, dark: ColorsOfScheme }),
  fonts: Closed('AppearanceFonts', { heading: Font('The font of headings'), body: Font('The font of text') }),
  radius: OneOf(['square', 'soft', 'round'], 'How round corners are'),
  width: OneOf(['narrow', 'normal', 'wide'], 'How wide the content of the site may be'),
  navigation: Nullable(
    Type.Array(NavigationLink, {
      maxItems: 12,
      description: 'The links in the header of the site; null for the built-in ones',
    }),
  ),
  footer: Closed('AppearanceFooter', {
    text: Nullable(Words(1000, 'Plain text')),
    links: Type.Array(Link, { maxItems: 24 }),
    social: Type.Array(SocialLink, { maxItems: 12 }),
  }),
  announcement: Nullable(
    Closed('AppearanceAnnouncement', {
      text: Line(200, 'One line above the header of the site'),
      href: Nullable(Href),
      from: Nullable(Instant),
      until: Nullable(Instant),
    }),
  ),
  custom_css: Type.String({
    maxLength: 50_000,
    description:
      'CSS for the pages of the site; it is checked, and stored as the parser writes it. See docs/api.md, Appearance',
  }),
}

const emailFields = {
  header_image_file_id: Nullable(Id('fil')),
  footer: Nullable(Words(500, 'Plain text at the end of every mail')),
}

const signInFields = {
  image_file_id: Nullable(Id('fil')),
  text: Nullable(Words(500, 'Plain text on the sign-in page')),
}

/** The fields that refer to a file, as warnings and versions name them. */
export const fileFields = ['logo', 'logo_dark', 'favicon', 'social_image', 'email_header', 'sign_in_image'] as const

/** The name of a field that refers to a file. */
export type FileField = (typeof fileFields)[number]

/** All settings of an appearance, as one replaces them. */
export const NewAppearance = Closed('NewAppearance', {
  ...sharedFields,
  email: Closed('NewAppearanceEmail', emailFields),
  sign_in: Closed('NewAppearanceSignIn', signInFields),
})

/** The settings of an appearance, as values. */
export type Settings = Static<typeof NewAppearance>

/** The settings of an appearance with its files. */
export const shownFields = {
  ...sharedFields,
  logo: Nullable(FileView),
  logo_dark: Nullable(FileView),
  favicon: Nullable(FileView),
  social_image: Nullable(FileView),
  email: Closed('AppearanceEmail', { ...emailFields, header_image: Nullable(FileView) }),
  sign_in: Closed('AppearanceSignIn', { ...signInFields, image: Nullable(FileView) }),
}

const Suggestion = Closed(
  'AppearanceSuggestion',
  Type.Partial(ColorsOfScheme).properties,
  'Colors with which the pair passes',
)

/** The contrast of two colors that are seen together. */
export const ContrastOfPair = Closed('AppearanceContrast', {
  scheme: OneOf(schemes, 'The color scheme'),
  foreground: OneOf(colorNames, 'The color of text or a symbol'),
  background: OneOf(
    [...colorNames, 'tint', 'shade', 'tone', 'pressed'],
    'The color behind it; tint, shade, tone and pressed are mixed from two colors',
  ),
  ratio: Type.String({ description: 'The contrast ratio of WCAG 2.2, such as 4.53, rounded down' }),
  required: Type.String({ description: '4.5 for text, 3.0 for large text and symbols' }),
  passes: Type.Boolean(),
  suggestion: Nullable(Suggestion),
})
