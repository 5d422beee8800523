import type { Source } from './fields.rules.ts'
import { foldHeading } from './headings.rules.ts'

// Headings by which files of a program are known, each list whole.
const SIGNS: readonly (readonly [source: Source, headings: string])[] = [
  ['oneroster', 'sourcedid givenname'],
  ['stoa', 'externalid marketinggranted'],
  ['stoa', 'enrollmentcount completedcount'],
  ['stoa', 'memberid memberemail courseid'],
  ['teachable', 'fullname email joined'],
  ['teachable', 'fullname email unsubscribed'],
  ['teachable', 'userid courseid percentcomplete'],
  ['thinkific', 'useremail firstname lastname'],
  ['thinkific', 'email firstname lastname datecreated signincount'],
  ['thinkific', 'useremail coursename'],
  ['thinkific', 'studentemail coursename viewed'],
  ['kajabi', 'name email products tags'],
  ['kajabi', 'name email externaluserid'],
  ['kajabi', 'email tags offers'],
  ['podia', 'email name totalspent'],
  ['podia', 'email firstname lastname totalspent'],
  ['podia', 'email subscriptionstatus lifetimevalue'],
  ['podia', 'email customersince'],
]

/** Where a file comes from, as far as its headings say so. */
export const guessSource = (headings: readonly string[]): Source => {
  const forms = new Set(headings.map(foldHeading))
  return SIGNS.find(([, signs]) => signs.split(' ').every(sign => forms.has(sign)))?.[0] ?? 'other'
}
