import type { Files } from '#src/contract/store.ts'
import { type Audience, chooseZone, type PageContext, type PageParts } from '#src/web/page/index.ts'
import { buildPolicy } from '#src/web/site/index.ts'

/** What the learning pages need. */
export type LearnPagesParts = PageParts & {
  /** Where files are stored: recordings and pictures may come from a bucket. */
  readonly files: Files
}

type Shown = {
  /** The time zone of the person, or that of the school. */
  readonly timeZone: string
  /** The content security policy of the page. */
  readonly policy: string
}

/** A page for somebody who learns. */
export type LearnContext = PageContext<LearnPagesParts> & Shown

/** Whoever is signed in; the most bytes of a form with all of its files: larger files are sent by an app. */
export const learners: Audience<LearnPagesParts, Shown> & { readonly maxBytes: number } = {
  maxBytes: 100_000_000,
  admit: async ({ parts, viewer }) => ({ timeZone: chooseZone(viewer), policy: await buildPolicy(parts.files) }),
}
