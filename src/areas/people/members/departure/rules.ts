import type { Effects, Fact } from '#src/contract/fact.ts'
import type { Language, Phrase } from '#src/contract/language.ts'
import { toId } from '#src/kit/ids.ts'
import { texts } from '#src/texts/index.ts'
import type { Running } from '../hooks.ts'

const NAMES: Readonly<Record<keyof Running, Readonly<Record<Language, readonly [one: string, more: string]>>>> = {
  subscriptions: { en: ['subscription', 'subscriptions'], pt: ['assinatura', 'assinaturas'] },
  orders: {
    en: ['order that waits for payment', 'orders that wait for payment'],
    pt: ['encomenda por pagar', 'encomendas por pagar'],
  },
  registrations: {
    en: ['registration for a coming date', 'registrations for coming dates'],
    pt: ['inscrição numa data futura', 'inscrições em datas futuras'],
  },
}

const kinds = ['subscriptions', 'orders', 'registrations'] as const

const listIn = (running: Running, language: Language): string => {
  const parts = kinds.flatMap(kind => {
    const count = running[kind]
    return count === 0 ? [] : [`${count} ${NAMES[kind][language][count === 1 ? 0 : 1]}`]
  })
  return new Intl.ListFormat(language).format(parts)
}

const isNothing = (running: Running): boolean => kinds.every(kind => running[kind] === 0)

/** The effects of a fact and those of what runs on, as one. */
export const withEffects = (own: Effects, more: Effects): Effects => {
  const join = (one: Phrase | undefined, other: Phrase | undefined): Phrase | undefined =>
    one && other ? { en: `${one.en} ${other.en}`, pt: `${one.pt} ${other.pt}` } : (one ?? other)
  const [access, money, mail] = [join(own.access, more.access), join(own.money, more.money), join(own.mail, more.mail)]
  return { ...(access && { access }), ...(money && { money }), ...(mail && { mail }) }
}

// What a member has again who was deleted and comes back. */
const returning: Effects = texts.people.members.departure.rules.returning

/** The fact that a member who was deleted is back. */
export const backFact = (memberId: string): Fact => ({
  type: 'member.reinstated',
  payload: { member: toId('mem', memberId) },
  effects: returning,
})

/** What ends when a member goes. */
export const endingEffects = (running: Running): Effects =>
  isNothing(running)
    ? {}
    : {
        access: {
          en: `Ends: ${listIn(running, 'en')}. The seats and coupon codes that these hold are free again.`,
          pt: `Termina: ${listIn(running, 'pt')}. Os lugares e os códigos de desconto que ocupam ficam livres.`,
        },
        money: texts.people.members.departure.rules.endingEffects.money,
      }

/** What waits while a member is suspended. */
export const waitingEffects = ({ subscriptions }: Running): Effects =>
  subscriptions === 0
    ? {}
    : {
        money: {
          en: `Waits: ${listIn({ subscriptions, orders: 0, registrations: 0 }, 'en')}. Nothing is charged until the person is reinstated.`,
          pt: `Espera: ${listIn({ subscriptions, orders: 0, registrations: 0 }, 'pt')}. Nada é cobrado até a pessoa ser readmitida.`,
        },
      }

/** What goes on for another member when two are merged. */
export const movingEffects = (running: Running): Effects =>
  isNothing(running)
    ? {}
    : {
        money: {
          en: `Goes on for this account: ${listIn(running, 'en')}. Nothing ends, and nothing is paid back.`,
          pt: `Continua nesta conta: ${listIn(running, 'pt')}. Nada termina e nada é devolvido.`,
        },
      }
