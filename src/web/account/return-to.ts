/** Where a person comes to who says nothing else. */
export const HOME = '/account'

// A grammar for our own addresses instead of a parser, which forgives `/\evil`, tabs and missing slashes.
const OWN = /^\/(?:account|staff)(?:\/[\w-]+)*(?:\?[\w.~=&%-]*)?$/

/** The address within the pages of account and staff that somebody wants to come back to; else the account. */
export const returnTo = (text: string): string =>
  OWN.test(text) && text.length <= 500 && !/^\/account\/(?:sign|reset)/.test(text) ? text : HOME
