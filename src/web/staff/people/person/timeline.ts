import type { Static } from 'typebox'
import type { ActivityPage } from '#src/areas/people/index.ts'
import type { Encoded } from '#src/contract/codec.ts'
import type { Phrase } from '#src/contract/language.ts'
import { type Html, html } from '#src/kit/html.ts'
import { isVisible } from '#src/kit/text.ts'
import { texts } from '#src/texts/index.ts'
import type { StaffContext } from '../../audience.ts'
import { icons } from '../../icons.ts'

const { timeline: text } = texts.staff.personPage

// An entry of the activity of a member.
type Entry = Encoded<Static<typeof ActivityPage>>['data'][number]

const LEARNING = /Lesson|Submission|Attempt|Quiz|Enrollment|Certificate|Student|Hold|Group/
const BUYING = /Order|Checkout|Payment|Subscription|Gift|Registration/

const chooseIcon = ({ kind, operation = '' }: Entry): Html => {
  if (kind === 'security' || kind === 'signed_in') return icons.settings
  if (BUYING.test(operation)) return icons.sales
  return LEARNING.test(operation) ? icons.courses : icons.people
}

const operations: Readonly<Record<string, Phrase>> = text.operations

// What has no sentence of its own is called as the documentation of the API calls it.
const describe = (entry: Entry, { t, parts }: StaffContext): Html => {
  const { kind, operation = '', event = '' } = entry
  if (kind === 'signed_in') return html`${t(text.signedIn)}`
  if (kind === 'security') return html`${t(text.security)} <code>${event}</code>`
  const known = Object.hasOwn(operations, operation) ? operations[operation] : undefined
  if (known !== undefined) return html`${t(known)}`
  return html`<span lang="en">${parts.summaries.get(operation) ?? operation}</span>`
}

const formatBy = ({ kind, by, client }: Entry, { t }: StaffContext): string[] => [
  ...(kind === 'happened' && by !== undefined && isVisible(by.name) ? [t(text.by, { name: by.name })] : []),
  ...(client === undefined ? [] : [t(text.with, { name: client.name })]),
]

/** What a member did and what happened to them, as sentences with their times. */
export const timeline = (entries: readonly Entry[], context: StaffContext): Html =>
  entries.length === 0
    ? html`<p class="quiet">${context.t(texts.words.nothing)}</p>`
    : html`<ol class="timeline">
${entries.map(entry => html`<li><span class="dot">${chooseIcon(entry)}</span><div>${describe(entry, context)}<time datetime="${entry.at}">${[context.time(entry.at), ...formatBy(entry, context)].join(' · ')}</time></div></li>\n`)}</ol>`
