/** A color scheme that somebody chose; without one the device decides. */
export type ChosenScheme = 'light' | 'dark'

/** Whether a text names a color scheme. */
export const isScheme = (text: string | null | undefined): text is ChosenScheme => text === 'light' || text === 'dark'

/** The scheme that the address of a style sheet or a page asks for. */
export const schemeIn = (query: string): ChosenScheme | undefined => {
  const scheme = new URLSearchParams(query).get('scheme')
  return isScheme(scheme) ? scheme : undefined
}

const FEATURE = /\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)/g

/**
 * A style sheet as devices that prefer a scheme have it, rules that a school wrote included. `update` is true on screens, and not on
 * paper (Media Queries 4, §5.5), which stays light.
 */
export const forceScheme = (css: string, scheme: ChosenScheme | undefined): string =>
  scheme === undefined
    ? css
    : css
        .replace(FEATURE, (_, asked) => (asked === scheme ? '(update)' : '(max-width: 0)'))
        .replace(/color-scheme:\s*light dark/g, `color-scheme: ${scheme}`)

/** A page in a scheme, whatever the device prefers. */
export const markScheme = (page: string, scheme: ChosenScheme): string =>
  page
    .replace('<html ', `<html data-scheme="${scheme}" `)
    .replace('<meta name="color-scheme" content="light dark">', `<meta name="color-scheme" content="${scheme}">`)
    .replace(/(<link rel="stylesheet" href="\/[^"?]+\.css)(?=")/g, `$1?scheme=${scheme}`)
    .replaceAll(' media="(prefers-color-scheme: dark)"', ` media="${scheme === 'dark' ? 'all' : 'not all'}"`)
