import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import { formatTime } from '#src/kit/format.ts'
import { texts } from '#src/texts/index.ts'
import type { Explained } from '../lookups.ts'
import { type EntitlementRow, type HoldRow, isBundle } from '../rules.ts'
import { holdsOnSource, howEnded, isActiveEntitlement, isActiveHold, lastEnded, nextBeginning } from './rules.ts'

const gives = texts.learning.access.explanation.gives
const gave = texts.learning.access.explanation.gave
const willGive = texts.learning.access.explanation.willGive
const givesNot = texts.learning.access.explanation.givesNot
const gaveNot = texts.learning.access.explanation.gaveNot
const willNot = texts.learning.access.explanation.willNot

const reasons: Readonly<Record<EntitlementRow['source'], Phrase>> = texts.learning.access.explanation.reasons

const withPlan = texts.learning.access.explanation.withPlan
const since = texts.learning.access.explanation.since
const until = texts.learning.access.explanation.until

const holding: Readonly<Record<HoldRow['reason'], Phrase>> = texts.learning.access.explanation.holding

const holdingSource: Readonly<Record<HoldRow['reason'], Phrase>> = texts.learning.access.explanation.holdingSource

const endings = texts.learning.access.explanation.endings

const unpublished = texts.learning.access.explanation.unpublished
const never = texts.learning.access.explanation.never
const begins = texts.learning.access.explanation.begins
const ends = texts.learning.access.explanation.ends
const lasts = texts.learning.access.explanation.lasts
const suspended = texts.learning.access.explanation.suspended
const invitedOnly = texts.learning.access.explanation.invitedOnly
const removed = texts.learning.access.explanation.removed

const accounts: Readonly<Record<string, Phrase>> = { suspended, invited: invitedOnly, deleted: removed }

/** The sentence when nothing was revoked. */
export const revokedNothing = texts.learning.access.explanation.revokedNothing

/** The sentence about revoked entitlements. */
export const revokedSome = texts.learning.access.explanation.revokedSome

/** The names in the sentences. */
export type Subject = {
  readonly name: string
  readonly course: string
  readonly status: string
  readonly timeZone: string
  /** The names of groups and plans, by their ids. */
  readonly bundles: ReadonlyMap<string, string>
  /** Whether the course is not published, so that nothing can be used for now. */
  readonly isHidden: boolean
  /** The present; unset: the instant itself. */
  readonly now?: Date | undefined
}

const mainSentences = { past: [gave, gaveNot], now: [gives, givesNot], future: [willGive, willNot] } as const

const tense = (at: Date, now: Date | undefined): keyof typeof mainSentences => {
  if (now === undefined || at.getTime() === now.getTime()) return 'now'
  return at < now ? 'past' : 'future'
}

/** What the sentences of one explanation share. */
type Telling = {
  readonly explained: Explained
  readonly language: Language
  moment(at: Date): string
  describeBundle(one: EntitlementRow): string
}

const span = (
  { language, moment }: Telling,
  { starts_at, ends_at }: Pick<EntitlementRow | HoldRow, 'starts_at' | 'ends_at'>,
): string => {
  const end = ends_at === null ? '' : fill(until, language, { until: moment(ends_at) })
  return `${fill(since, language, { from: moment(starts_at) })}${end}`
}

const holdSentence = (telling: Telling, one: HoldRow): string => {
  const phrases = one.source === null ? holding : holdingSource
  return `${fill(phrases[one.reason], telling.language, {})}${span(telling, one)}.`
}

// An entitlement, and after it the holds on its source.
const reasonSentences = (telling: Telling, one: EntitlementRow): string[] => {
  const { explained, language, describeBundle } = telling
  const bundle = describeBundle(one)
  const plan = one.item_type === 'membership_plan' && bundle !== '' ? fill(withPlan, language, { bundle }) : ''
  return [
    `${fill(reasons[one.source], language, { bundle })}${plan}${span(telling, one)}.`,
    ...holdsOnSource(one, explained).map(hold => holdSentence(telling, hold)),
  ]
}

// A bundle may open an item in two periods at once, where earlier holders keep what was closed and opened again.
const activeOnce = ({ at, entitlements }: Explained): EntitlementRow[] => [
  ...new Map(entitlements.filter(one => isActiveEntitlement(one, at)).map(one => [one.id, one])).values(),
]

const endedSentence = ({ explained, describeBundle, moment, language }: Telling): string[] => {
  const { at, access, entitlements } = explained
  if (access.state === 'none') return [fill(never, language)]
  if (access.state !== 'ended') return []
  const last = lastEnded(entitlements)
  if (last === undefined || nextBeginning(entitlements, at) !== undefined) return []
  const how = howEnded(last)
  const closed = last.closed_at
  const end = { expired: last.ends_at, revoked: last.revoked_at, removed_from_group: closed, removed_from_plan: closed }
  return [
    fill(endings[how], language, { bundle: describeBundle(last), end: end[how] === null ? '' : moment(end[how]) }),
  ]
}

const nextSentence = ({ explained: { access }, moment, language }: Telling): string[] => {
  const { next } = access
  if (next !== undefined) return [fill(next.isOpen ? begins : ends, language, { next: moment(next.at) })]
  return access.state === 'active' ? [fill(lasts, language)] : []
}

/** Explains the access in sentences for people. */
export const listSentences = (explained: Explained, subject: Subject, language: Language): string[] => {
  const { at, access, holds } = explained
  const telling: Telling = {
    explained,
    language,
    moment: at => formatTime(at, subject.timeZone, language),
    describeBundle: one => (isBundle(one.item_type) ? (subject.bundles.get(one.item_id) ?? '') : ''),
  }
  const [yes, no] = mainSentences[tense(at, subject.now)]
  const { name, course } = subject
  const main = access.state === 'active' && !subject.isHidden ? yes : no
  const account = accounts[subject.status]
  return [
    fill(main, language, { name, course, at: telling.moment(at) }),
    ...activeOnce(explained).flatMap(one => reasonSentences(telling, one)),
    ...holds
      .filter(one => one.source === null && isActiveHold(one, at) && access.state === 'held')
      .map(one => holdSentence(telling, one)),
    ...endedSentence(telling),
    ...(subject.isHidden ? [fill(unpublished, language)] : nextSentence(telling)),
    ...(account === undefined ? [] : [fill(account, language)]),
  ]
}
