import { existsSync } from 'node:fs'

// The build that has no windows comes first: others draw the window around each tab even where nobody sees it.
const USUAL_PATHS = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** The path of the Chromium that tests use: STOA_TEST_CHROMIUM, else an installed one. */
export const findChromium = (): string | undefined => {
  const named = process.env.STOA_TEST_CHROMIUM
  return (named === undefined ? USUAL_PATHS : [named]).find(path => existsSync(path))
}

/** The instructions that are shown when there is no Chromium. */
export const NO_CHROMIUM =
  'the browser tests need Chromium: install it (Debian: apt-get install chromium-headless-shell), or set STOA_TEST_CHROMIUM to the path of one'
