import { computeContrast, formatHex, mixed, parseRgb, type Rgb } from '#src/kit/color.ts'
import { type ColorName, type Colors, type Scheme, schemes } from '../settings/schema.ts'

/** Colors that the style sheets mix from two of the nine: `share` is that of `other`. */
const mixes = {
  tint: { of: 'page', other: 'accent', share: 0.07 },
  shade: { of: 'page', other: 'accent', share: 0.16 },
  tone: { of: 'page', other: 'ink', share: 0.09 },
  pressed: { of: 'accent', other: 'ink', share: 0.12 },
} as const satisfies Readonly<Record<string, { of: ColorName; other: ColorName; share: number }>>

/** A color of a page: one of the nine, or one that the style sheets mix from them. */
export type Shade = ColorName | keyof typeof mixes

/** Contrast of text of normal size, and of large text, borders of inputs and symbols (WCAG 2.2, 1.4.3 and 1.4.11). */
const TEXT = 4.5
const LARGE = 3

/** Two colors that are seen together. */
export type Pair = { readonly foreground: ColorName; readonly background: Shade; readonly least: number }

const on = (foreground: ColorName, least: number, backgrounds: readonly Shade[]): Pair[] =>
  backgrounds.map(background => ({ foreground, background, least }))

/** Every pair of colors that a page uses, and the contrast that it needs; `tests/browser/appearance.browser.ts` finds no other. */
export const pairs: readonly Pair[] = [
  ...on('ink', TEXT, ['page', 'sheet', 'tint', 'shade']),
  ...on('quiet', TEXT, ['page', 'sheet', 'tint', 'shade']),
  ...on('accent', TEXT, ['page', 'sheet', 'tint']),
  ...on('accent', LARGE, ['shade', 'tone']),
  ...on('on_accent', TEXT, ['accent', 'pressed']),
  ...on('warn_ink', TEXT, ['warn']),
]

/** A color of a scheme by its name. */
export const computeShade = (colors: Colors, name: Shade): Rgb => {
  if (!(name in mixes)) return parseRgb(colors[name as ColorName])
  const { of, other, share } = mixes[name as keyof typeof mixes]
  return mixed(parseRgb(colors[of]), parseRgb(colors[other]), share)
}

/** The contrast ratio of a pair in a scheme. */
export const computeRatio = (colors: Colors, { foreground, background }: Pair): number =>
  computeContrast(computeShade(colors, foreground), computeShade(colors, background))

const passes = (colors: Colors, pair: Pair): boolean => computeRatio(colors, pair) >= pair.least

const EXTREMES = ['#000000', '#ffffff'] as const
const STEPS = 255

// The colors on the way from a color to black or white, the nearest first.
const towards = (color: string, extreme: string): string[] =>
  Array.from({ length: STEPS }, (_, step) => formatHex(mixed(parseRgb(color), parseRgb(extreme), (step + 1) / STEPS)))

const computeDistance = (one: string, other: string): number =>
  Math.hypot(...parseRgb(one).map((part, at) => part - (parseRgb(other)[at] ?? 0)))

const nearestWith = (colors: Colors, pair: Pair, name: ColorName): string | undefined => {
  const own = colors[name]
  const found = EXTREMES.flatMap(
    extreme => towards(own, extreme).find(color => passes({ ...colors, [name]: color }, pair)) ?? [],
  )
  return found.sort((a, b) => computeDistance(a, own) - computeDistance(b, own))[0]
}

// The one of the nine on which the foreground is seen.
const chooseGround = ({ background }: Pair): ColorName =>
  background in mixes ? mixes[background as keyof typeof mixes].of : (background as ColorName)

// Colors that replace those of a scheme.
type Suggestion = Readonly<Partial<Record<ColorName, string>>>

/**
 * The nearest colors with which a pair passes: the foreground made darker or lighter with its hue; where no such color
 * passes, since the background is mixed with it, both.
 */
export const suggestionFor = (colors: Colors, pair: Pair): Suggestion => {
  const { foreground } = pair
  const one = nearestWith(colors, pair, foreground)
  if (one !== undefined) return { [foreground]: one }
  const ground = chooseGround(pair)
  const both = EXTREMES.flatMap(extreme => {
    const changed = { ...colors, [foreground]: extreme }
    const color = nearestWith(changed, pair, ground)
    return color === undefined ? [] : [{ [foreground]: extreme, [ground]: color }]
  })
  const farFrom = (changed: Suggestion): number => computeDistance(changed[ground] ?? colors[ground], colors[ground])
  return both.sort((a, b) => farFrom(a) - farFrom(b))[0] ?? {}
}

// Rounded down, so that no ratio reads as if it were enough.
const said = (ratio: number): string => (Math.floor(ratio * 100) / 100).toFixed(2)

// The ratio of a pair in a scheme, and what would be enough.
type Contrast = {
  readonly scheme: Scheme
  readonly foreground: ColorName
  readonly background: Shade
  readonly ratio: string
  readonly required: string
  readonly passes: boolean
  readonly suggestion: Suggestion | null
}

const contrastIn = (scheme: Scheme, colors: Colors, pair: Pair): Contrast => {
  const isEnough = passes(colors, pair)
  return {
    scheme,
    foreground: pair.foreground,
    background: pair.background,
    ratio: said(computeRatio(colors, pair)),
    required: pair.least.toFixed(1),
    passes: isEnough,
    suggestion: isEnough ? null : suggestionFor(colors, pair),
  }
}

/** The contrast of every pair in both schemes. */
export const computeContrasts = (colors: Readonly<Record<Scheme, Colors>>): Contrast[] =>
  schemes.flatMap(scheme => pairs.map(pair => contrastIn(scheme, colors[scheme], pair)))
