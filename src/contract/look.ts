/** A link of the school on its site. */
export type LookLink = { readonly label: string; readonly href: string }

/** A link in the navigation, with those below it. */
export type LookNavigation = LookLink & { readonly children: readonly LookLink[] }

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
  readonly email: { readonly headerImage: string | null; readonly footer: string | null }
}

type Period = { readonly from: Date | string | null; readonly until: Date | string | null }

/** Whether an announcement is shown at an instant: from `from` on, and no longer at `until`. */
export const isShownAt = ({ from, until }: Period, now: Date): boolean =>
  (from === null || new Date(from) <= now) && (until === null || now < new Date(until))
