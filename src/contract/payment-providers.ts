import Type from 'typebox'
import { texts } from '#src/texts/index.ts'
import type { Phrase } from './language.ts'
import type { ChargePurpose, ProviderDeclaration } from './payments.ts'

const NAME = '^[a-z][a-z0-9-]{1,30}$'

/** The pattern of the name of a secret. */
export const SECRET_NAME = '^[a-z][a-z0-9_]{1,39}$'

/** The ways to pay that no area declares: nothing is due, and by bank transfer or in person. */
const builtIn: Readonly<Record<string, Phrase>> = {
  free: texts.words.free,
  manual: texts.words.bankTransfer,
}

const declared = new Map<string, ProviderDeclaration>()

const checkDeclaration = ({ name, secrets }: ProviderDeclaration): void => {
  if (!new RegExp(NAME).test(name)) throw new Error(`${name} is not a name of a payment provider`)
  if (Object.hasOwn(builtIn, name) || declared.has(name))
    throw new Error(`the payment provider ${name} is declared twice`)
  const names = secrets.map(secret => secret.name)
  if (new Set(names).size < names.length || names.some(one => !new RegExp(SECRET_NAME).test(one)))
    throw new Error(`the names of the secrets of ${name} are not valid`)
  if (secrets.some(({ pattern }) => !/^\^.*\$$/.test(pattern.source) || pattern.flags !== ''))
    throw new Error(`a pattern of a secret of ${name} does not say what the whole secret is`)
}

/** Declares a provider; an area does so with `provider`. Throws when its name is taken or not valid. */
export const declareProvider = (declaration: ProviderDeclaration): void => {
  checkDeclaration(declaration)
  declared.set(declaration.name, declaration)
}

/** The providers that areas declare, in their order. */
export const listDeclaredProviders = (): readonly ProviderDeclaration[] => [...declared.values()]

/** The declaration of a provider; undefined for `free`, `manual` and a name that no area declares. */
export const findDeclaredProvider = (name: string): ProviderDeclaration | undefined => declared.get(name)

/** Whether a school can be paid through something of this name: bank transfer, or a provider that an area declares. */
export const isKnownProvider = (name: string): boolean => name === 'manual' || declared.has(name)

/** Whether payments by this name are those of a provider that is called and that reports, whether or not an area declares it. */
export const isOnline = (name: string): boolean => !Object.hasOwn(builtIn, name)

/** Whether a provider charges for a purpose at all, whatever the amount: to save a method it has to save some. */
export const canCharge = (name: string, purpose: ChargePurpose): boolean =>
  declared.has(name) && (purpose === 'once' || declared.get(name)?.can.saves === true)

/** What people call a way to pay; of a provider that no area declares any more, its name. */
export const findProviderTitle = (name: string): Phrase => builtIn[name] ?? declared.get(name)?.title ?? { en: name }

/** The names of ways to pay with what people call them. */
export const listProviderTitles = (): Readonly<Record<string, Phrase>> => ({
  ...builtIn,
  ...Object.fromEntries([...declared.values()].map(({ name, title }) => [name, title])),
})

/** The name of a way to pay on the wire. The set is open: more providers may be added. */
export const ProviderName = (description: string) =>
  Type.String({ pattern: NAME, description: `${description}. An open set of names: more providers may be added` })
