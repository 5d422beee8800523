/** The default page after sign-in. */
export const HOME = '/account'

// A pattern for our own addresses instead of a parser, which accepts `/\evil`, tabs and missing slashes.
const OWN = /^\/(?:(?:account|staff|courses|products|lecturers|search|developers)(?:\/[\w-]+)*)?(?:\?[\w.~=&%-]*)?$/

// A course is named by its slug or its id, a lesson by its id.
const LEARN = /^\/learn(?:\/(?:crs_[a-z0-9]+|[a-z0-9]+(?:-[a-z0-9]+)*)(?:\/les_[a-z0-9]+)?)?(?:\?[\w.~=&%-]*)?$/

const MAX_LENGTH = 500

/** The address within the account, the learning pages, the staff pages or the site to return to; any other text means the account. */
export const returnTo = (text: string): string =>
  (OWN.test(text) || LEARN.test(text)) && text.length <= MAX_LENGTH && !/^\/account\/(?:sign|reset)/.test(text)
    ? text
    : HOME
