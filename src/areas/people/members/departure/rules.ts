import type { Effects, Fact } from '#src/contract/fact.ts'
import { fill, fillEach, inEach, joinPhrases, listIn, type Phrase } from '#src/contract/language.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import type { Running } from '../hooks.ts'

const text = texts.people.members.departure.rules

const kinds = ['subscriptions', 'orders', 'registrations'] as const

const list = (running: Partial<Running>): Phrase =>
  inEach(language => {
    const counts = kinds.map(kind => ({ kind, n: running[kind] ?? 0 })).filter(({ n }) => n > 0)
    return listIn(
      counts.map(({ kind, n }) => fill(text.running[kind], language, { n })),
      language,
    )
  })

const isNothing = (running: Running): boolean => kinds.every(kind => running[kind] === 0)

/** The effects of a fact and those of what runs on, as one. */
export const withEffects = (own: Effects, more: Effects): Effects => {
  const join = (one: Phrase | undefined, other: Phrase | undefined): Phrase | undefined =>
    one && other ? joinPhrases(one, other) : (one ?? other)
  const [access, money, mail] = [join(own.access, more.access), join(own.money, more.money), join(own.mail, more.mail)]
  return { ...(access && { access }), ...(money && { money }), ...(mail && { mail }) }
}

// What a member has again who was deleted and comes back. */
const returning: Effects = text.returning

/** The fact that a member who was deleted is back. */
export const backFact = (memberId: string): Fact => ({
  type: 'member.reinstated',
  payload: { member_id: toId('mem', memberId) },
  effects: returning,
})

/** What ends when a member goes. */
export const endingEffects = (running: Running): Effects =>
  isNothing(running)
    ? {}
    : { access: fillEach(text.endingEffects.access, { list: list(running) }), money: text.endingEffects.money }

/** What waits while a member is suspended. */
export const waitingEffects = ({ subscriptions }: Running): Effects =>
  subscriptions === 0 ? {} : { money: fillEach(text.waiting, { list: list({ subscriptions }) }) }

/** What goes on for another member when two are merged. */
export const movingEffects = (running: Running): Effects =>
  isNothing(running) ? {} : { money: fillEach(text.moving, { list: list(running) }) }
