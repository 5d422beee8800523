/** Red, green and blue, each from 0 to 1. */
export type Rgb = readonly [red: number, green: number, blue: number]

/** The parts of a color such as #8a3b12. */
export const parseRgb = (hex: string): Rgb => {
  const part = (at: number): number => Number.parseInt(hex.slice(at, at + 2), 16) / 255
  return [part(1), part(3), part(5)]
}

/** A color as six hexadecimal digits. */
export const formatHex = (color: Rgb): string =>
  `#${color
    .map(part =>
      Math.round(part * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`

/** A color with a share, from 0 to 1, of another one, as `color-mix(in srgb, …)` mixes them. */
export const mixed = (color: Rgb, other: Rgb, share: number): Rgb => [
  color[0] + (other[0] - color[0]) * share,
  color[1] + (other[1] - color[1]) * share,
  color[2] + (other[2] - color[2]) * share,
]

// WCAG 2.2, relative luminance.
const linear = (part: number): number => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)

const computeLuminance = ([red, green, blue]: Rgb): number =>
  0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)

/** The contrast ratio of two colors (WCAG 2.2), from 1 to 21. */
export const computeContrast = (one: Rgb, other: Rgb): number => {
  const [a, b] = [computeLuminance(one), computeLuminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}
