import { cleanLine } from '#src/kit/text.ts'

type Clue = readonly [clue: RegExp, name: string]

// In this order, since the User-Agent of each browser also contains the names below it.
const BROWSERS: readonly Clue[] = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'],
  [/\bOPR\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly Clue[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b/, 'macOS'],
  [/\bLinux\b/, 'Linux'],
]

const LONGEST = 100
const READ = 500

const named = (clues: readonly Clue[], header: string): string | undefined =>
  clues.find(([clue]) => clue.test(header))?.[1]

/** A browser's name from its User-Agent, such as `Firefox, Linux`, or else the header itself, cleaned and truncated. */
export const describeBrowser = (header: string | undefined): string | undefined => {
  if (header === undefined) return undefined
  const start = header.slice(0, READ)
  const [browser, system] = [named(BROWSERS, start), named(SYSTEMS, start)]
  if (browser !== undefined && system !== undefined) return `${browser}, ${system}`
  return cleanLine(start, LONGEST) || undefined
}
