import { fill, type Language, type Phrase } from '#src/contract/language.ts'
import type { Explained } from '../lookups.ts'
import { type EntitlementRow, type HoldRow, isBundle } from '../rules.ts'
import { holdsOnSource, howEnded, isActiveEntitlement, isActiveHold, lastEnded, nextBeginning } from './rules.ts'

const say = (en: string, pt: string): Phrase => ({ en, pt })

const gives = say('{name} has access to “{course}”.', '{name} tem acesso a «{course}».')
const gave = say('On {at} {name} had access to “{course}”.', 'Em {at}, {name} tinha acesso a «{course}».')
const willGive = say('On {at} {name} will have access to “{course}”.', 'Em {at}, {name} terá acesso a «{course}».')
const givesNot = say('{name} has no access to “{course}”.', '{name} não tem acesso a «{course}».')
const gaveNot = say('On {at} {name} had no access to “{course}”.', 'Em {at}, {name} não tinha acesso a «{course}».')
const willNot = say(
  'On {at} {name} will have no access to “{course}”.',
  'Em {at}, {name} não terá acesso a «{course}».',
)

const reasons: Readonly<Record<EntitlementRow['source'], Phrase>> = {
  order_line: say('It was bought with an order', 'Foi comprado numa encomenda'),
  subscription: say('A subscription gives it', 'É dado por uma assinatura'),
  gift: say('It was given as a gift', 'Foi oferecido'),
  staff: say('The school gave it', 'Foi dado pela escola'),
  group: say('The group “{bundle}” gives it', 'O grupo «{bundle}» dá acesso'),
  import: say('It was given by an import', 'Foi dado por uma importação'),
  free: say('It is free', 'É gratuito'),
}

const withPlan = say(', with the plan “{bundle}”', ', com o plano «{bundle}»')
const since = say(', since {from}', ', desde {from}')
const until = say(', until {until}', ', até {until}')

const holding: Readonly<Record<HoldRow['reason'], Phrase>> = {
  past_due: say('It is on hold because a payment is late', 'Está suspenso porque um pagamento está em atraso'),
  dispute: say('It is on hold because a payment is disputed', 'Está suspenso porque um pagamento é contestado'),
  staff: say('The school put it on hold', 'A escola suspendeu-o'),
}

const holdingSource: Readonly<Record<HoldRow['reason'], Phrase>> = {
  past_due: say(
    'That reason for access is on hold because a payment is late',
    'Essa razão de acesso está suspensa porque um pagamento está em atraso',
  ),
  dispute: say(
    'That reason for access is on hold because a payment is disputed',
    'Essa razão de acesso está suspensa porque um pagamento é contestado',
  ),
  staff: say('The school put that reason for access on hold', 'A escola suspendeu essa razão de acesso'),
}

const endings = {
  expired: say('The last reason for it ended on {end}.', 'A última razão para o acesso terminou em {end}.'),
  revoked: say('It was revoked on {end}.', 'Foi revogado em {end}.'),
  removed_from_group: say(
    'The group “{bundle}” has not given access to the course since {end}.',
    'O grupo «{bundle}» não dá acesso ao curso desde {end}.',
  ),
  removed_from_plan: say(
    'The plan “{bundle}” has not given access to the course since {end}.',
    'O plano «{bundle}» não dá acesso ao curso desde {end}.',
  ),
} as const satisfies Record<ReturnType<typeof howEnded>, Phrase>

const unpublished = say('The course is not published now.', 'O curso não está publicado neste momento.')
const never = say('Access was never given.', 'Nunca foi dado acesso.')
const begins = say('Access begins on {next}.', 'O acesso começa em {next}.')
const ends = say('Access ends on {next}.', 'O acesso termina em {next}.')
const lasts = say('Access has no end date.', 'O acesso não tem data de fim.')
const suspended = say(
  'The account is suspended: nobody can sign in with it, regardless of its access.',
  'A conta está suspensa: ninguém pode entrar com ela, independentemente do acesso.',
)
const invitedOnly = say(
  'The person has not accepted the invitation yet and cannot sign in until then.',
  'A pessoa ainda não aceitou o convite e não pode entrar até o aceitar.',
)
const removed = say('The account was removed.', 'A conta foi removida.')

const accounts: Readonly<Record<string, Phrase>> = { suspended, invited: invitedOnly, deleted: removed }

/** The sentence when nothing was revoked. */
export const revokedNothing = say('Nothing was revoked.', 'Nada foi revogado.')

/** The sentence about revoked entitlements. */
export const revokedSome = say('Reasons for access revoked: {count}.', 'Razões de acesso revogadas: {count}.')

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

const momentIn = (timeZone: string, language: Language) => {
  const format = new Intl.DateTimeFormat(language === 'pt' ? 'pt-PT' : 'en-GB', {
    dateStyle: 'long',
    timeStyle: 'short',
    timeZone,
  })
  return (at: Date): string => `${format.format(at)} (${timeZone})`
}

/** What the sentences of one explanation share. */
type Telling = {
  readonly explained: Explained
  readonly language: Language
  moment(at: Date): string
  bundleOf(one: EntitlementRow): string
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
  const { explained, language, bundleOf } = telling
  const bundle = bundleOf(one)
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

const endedSentence = ({ explained, bundleOf, moment, language }: Telling): string[] => {
  const { at, access, entitlements } = explained
  if (access.state === 'none') return [never[language]]
  if (access.state !== 'ended') return []
  const last = lastEnded(entitlements)
  if (last === undefined || nextBeginning(entitlements, at) !== undefined) return []
  const how = howEnded(last)
  const closed = last.closed_at
  const end = { expired: last.ends_at, revoked: last.revoked_at, removed_from_group: closed, removed_from_plan: closed }
  return [fill(endings[how], language, { bundle: bundleOf(last), end: end[how] === null ? '' : moment(end[how]) })]
}

const nextSentence = ({ explained: { access }, moment, language }: Telling): string[] => {
  const { next } = access
  if (next !== undefined) return [fill(next.isOpen ? begins : ends, language, { next: moment(next.at) })]
  return access.state === 'active' ? [lasts[language]] : []
}

/** Explains the access in sentences for people. */
export const sentencesOf = (explained: Explained, subject: Subject, language: Language): string[] => {
  const { at, access, holds } = explained
  const telling: Telling = {
    explained,
    language,
    moment: momentIn(subject.timeZone, language),
    bundleOf: one => (isBundle(one.item_type) ? (subject.bundles.get(one.item_id) ?? '') : ''),
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
    ...(subject.isHidden ? [unpublished[language]] : nextSentence(telling)),
    ...(account === undefined ? [] : [account[language]]),
  ]
}
