import { type FontKey, fontFamilies, fontStack } from '#src/kit/fonts.ts'

type Fonts = { readonly heading: FontKey | null; readonly body: FontKey | null }

/** The pairs of fonts among which a school chooses first; without a font it is the built-in one. */
export const fontPairs = {
  built_in: { heading: null, body: null },
  warm: { heading: 'playfair_display', body: 'nunito' },
  clear: { heading: 'work_sans', body: 'work_sans' },
  gentle: { heading: 'lora', body: 'work_sans' },
  device: { heading: 'system_sans', body: 'system_sans' },
} as const satisfies Readonly<Record<string, Fonts>>

/** The name of a pair. */
export type PairName = keyof typeof fontPairs

/** The pairs by their names. */
export const pairNames = Object.keys(fontPairs) as PairName[]

/** The choice of two fonts that are no pair of the list. */
export const OWN_PAIR = 'own'

/** The name of the pair of two fonts. */
export const findPair = ({
  heading,
  body,
}: {
  readonly heading: string | null
  readonly body: string | null
}): string => pairNames.find(name => fontPairs[name].heading === heading && fontPairs[name].body === body) ?? OWN_PAIR

/** The fonts of a form: those of the pair that was chosen, or else the two that were. */
export const readFonts = ({ pair, heading = '', body = '' }: Readonly<Record<string, string>>) =>
  pairNames.some(name => name === pair) ? fontPairs[pair as PairName] : { heading: heading || null, body: body || null }

// The fonts that the style sheets of the site have where a school chose none.
const builtIn = { heading: 'source_serif', body: 'noto_sans' } as const

/** The font that is shown for a choice. */
export const showFont = (part: keyof typeof builtIn, key: string | null): FontKey =>
  key !== null && key in fontFamilies ? (key as FontKey) : builtIn[part]

/** The custom properties of fonts, as an attribute that the module sets in the preview. */
export const setsFont = (part: keyof typeof builtIn, key: string | null): Record<string, string> => ({
  [part === 'heading' ? '--display' : '--text']: fontStack(showFont(part, key)),
})
