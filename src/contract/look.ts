/** A link of the school on its site. */
export type LookLink = { readonly label: string; readonly href: string }

/** A link in the navigation, with those below it. */
type LookNavigation = LookLink & { readonly children: readonly LookLink[] }

/** The colors of a mail in one scheme, such as `#8a3b12`. */
type MailColors = Readonly<Record<'page' | 'sheet' | 'ink' | 'quiet' | 'line' | 'accent' | 'on_accent', string>>

/** Colors and corners of mails, which have their styles in themselves. */
export type MailStyle = {
  readonly colors: { readonly light: MailColors; readonly dark: MailColors }
  readonly radius: 'square' | 'soft' | 'round'
}

/** The style of a school that has published no appearance; the colors are those of `http/assets/base.css`. */
export const defaultStyle = {
  colors: {
    light: {
      page: '#f8f5f0',
      sheet: '#ffffff',
      ink: '#1f1b16',
      quiet: '#5e574d',
      line: '#dfd8cc',
      accent: '#8a3b12',
      on_accent: '#ffffff',
    },
    dark: {
      page: '#171412',
      sheet: '#211d1a',
      ink: '#f3efe9',
      quiet: '#b8afa3',
      line: '#3d362f',
      accent: '#f0a474',
      on_accent: '#2a1204',
    },
  },
  radius: 'soft',
} as const satisfies MailStyle

/**
 * What pages and mails show of the published appearance of a school; images and style sheets are paths of the school. It is
 * stored with the school, so that whoever finds the school has it, and a page has one version as a whole.
 */
export type Look = {
  /** Colors, fonts and measures, for every page. */
  readonly styleSheet: string
  /** The same with the CSS of the school, for the pages of its site. */
  readonly siteStyleSheet: string
  /** The file of the font of most texts, which is loaded first; unset where the look was published without it. */
  readonly textFont?: string | null
  readonly logo: string | null
  /** The logo in the dark scheme, where it is another one. */
  readonly logoDark: string | null
  /** Whether the logo is so wide that it has the name of the school in it. */
  readonly isWordmark?: boolean
  readonly favicon: string | null
  readonly socialImage: string | null
  /** Null for the built-in navigation. */
  readonly navigation: readonly LookNavigation[] | null
  readonly footer: {
    readonly text: string | null
    readonly links: readonly LookLink[]
    readonly social: readonly LookLink[]
  }
  /** Shown from and until instants in RFC 3339. */
  readonly announcement: {
    readonly text: string
    readonly href: string | null
    readonly from: string | null
    readonly until: string | null
  } | null
  readonly signIn: { readonly image: string | null; readonly text: string | null }
  readonly email: { readonly headerImage: string | null; readonly footer: string | null } & MailStyle
}

type Period = { readonly from: Date | string | null; readonly until: Date | string | null }

/** Whether an announcement is shown at an instant: from `from` on, and no longer at `until`. */
export const isShownAt = ({ from, until }: Period, now: Date): boolean =>
  (from === null || new Date(from) <= now) && (until === null || now < new Date(until))
