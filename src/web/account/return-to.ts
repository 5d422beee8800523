/** The default page after sign-in. */
export const HOME = '/account'

// A pattern for our own addresses instead of a parser, which accepts `/\evil`, tabs and missing slashes.
const OWN = /^\/(?:account|staff)(?:\/[\w-]+)*(?:\?[\w.~=&%-]*)?$/

/** The address within the account and staff pages to return to; any other text means the account. */
export const returnTo = (text: string): string =>
  OWN.test(text) && text.length <= 500 && !/^\/account\/(?:sign|reset)/.test(text) ? text : HOME
