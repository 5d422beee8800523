/** The default page after sign-in. */
export const HOME = '/account'

// A pattern for our own addresses instead of a parser, which accepts `/\evil`, tabs and missing slashes.
const OWN = /^\/(?:(?:account|staff|courses|lecturers|search|developers)(?:\/[\w-]+)*)?(?:\?[\w.~=&%-]*)?$/

const MAX_LENGTH = 500

/** The address within the account, the staff pages or the site to return to; any other text means the account. */
export const returnTo = (text: string): string =>
  OWN.test(text) && text.length <= MAX_LENGTH && !/^\/account\/(?:sign|reset)/.test(text) ? text : HOME
