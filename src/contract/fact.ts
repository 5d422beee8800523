import { compileCheck, fieldErrors } from './check.ts'
import type { Db } from './db.ts'
import { type FactPayloads, type FactType, findFactDeclaration } from './fact-types.ts'
import { type Language, type Phrase, sentenceIn } from './language.ts'
import type { School } from './school.ts'

/** What a fact does to money, mail and access, in words a person can read before agreeing. */
export type Effects = { readonly money?: Phrase; readonly mail?: Phrase; readonly access?: Phrase }

/** The payload of a type of fact. */
export type FactPayload<Type extends FactType> = FactPayloads[Type]

/** Something that happened, in the past tense (`school.updated`), written in the transaction of the write. */
export type Fact<Type extends FactType = FactType> = {
  readonly [One in Type]: {
    readonly type: One
    /** Ids, counts, words and names of fields; never a person's data. */
    readonly payload: FactPayload<One>
    readonly effects?: Effects
  }
}[Type]

/** A fact before its payload was compared with the declaration of its type. */
type UncheckedFact = {
  readonly type: string
  readonly payload: Readonly<Record<string, unknown>>
  readonly effects?: Effects | undefined
}

/** Why the payload of a fact is not as its type declares; undefined: it is, or only a test has the type. */
export const findMismatch = ({ type, payload }: UncheckedFact): string | undefined => {
  const declaration = findFactDeclaration(type)
  if (declaration === undefined || compileCheck(declaration.payload).Check(payload)) return undefined
  const errors = fieldErrors(declaration.payload, payload)
  return `${type}: ${errors.map(({ pointer, message }) => `${pointer} ${message}`).join(', ')}`
}

/** The field of the payload that names what facts of a type are about; throws for a type that declares none. */
export const getSubjectField = (type: string): string => {
  const field = findFactDeclaration(type)?.subject ?? undefined
  if (field === undefined) throw new Error(`${type} declares no subject`)
  return field
}

// The type was put together from the names of a resource and of what happened, so only the payload can differ from the
// declaration; it is compared when the fact is stored.
const isDeclared = (fact: Fact | UncheckedFact): fact is Fact => findFactDeclaration(fact.type) !== undefined

/** A fact whose type is put together from a name, about one thing by its id; throws for a type that is not declared. */
export const buildFactAbout = (
  type: string,
  id: string,
  more: Readonly<Record<string, unknown>> = {},
  effects?: Effects,
): Fact => {
  const payload = { [getSubjectField(type)]: id, ...more }
  const fact: Fact | UncheckedFact = { type, payload, ...(effects === undefined ? {} : { effects }) }
  if (!isDeclared(fact)) throw new Error(`${type} is not declared`)
  return fact
}

/** The effects of a fact in one language. */
type DescribedEffect = {
  readonly type: string
  readonly payload: Record<string, unknown>
} & { readonly [Kind in keyof Effects]?: string }

/** The effects of facts, as a dry run and a confirmation describe them. */
export const describeEffects = (facts: readonly UncheckedFact[], language: Language = 'en'): DescribedEffect[] =>
  facts.map(({ type, payload, effects = {} }) => ({
    type,
    payload: { ...payload },
    ...Object.fromEntries(Object.entries(effects).map(([kind, phrase]) => [kind, sentenceIn(phrase, language)])),
  }))

/** A stored fact, for its subscribers. */
export type RecordedFact<Type extends FactType = FactType> = {
  readonly [One in Type]: {
    readonly id: string
    readonly type: One
    readonly payload: FactPayload<One>
    /** Its number in the school, without gaps, in the order of commits. */
    readonly sequence: string
  }
}[Type]

/** A stored fact of any type, as the worker reads it. */
export type StoredFact = Omit<UncheckedFact, 'effects'> & Pick<RecordedFact, 'id' | 'sequence'>

/** Where a fact is handled: a transaction of its school, and its instant. */
export type FactContext = { readonly db: Db; readonly school: School; readonly now: Date }

/** Handles a fact in the transaction that marks it as delivered; after an error it is delivered again later. */
export type FactHandler<Type extends FactType = FactType> = {
  handle(fact: RecordedFact<Type>, context: FactContext): Promise<unknown>
}['handle']

/** The handlers of an area, by type. */
export type AreaSubscribers = { readonly [Type in FactType]?: FactHandler<Type> }

/** All handlers of stored facts, by type. */
export type Subscribers = Readonly<Record<string, readonly StoredFactHandler[]>>

/** Handles a stored fact of the type that it was registered for; a method, so that handlers of all types fit into one list. */
export type StoredFactHandler = {
  handle(fact: StoredFact, context: FactContext): Promise<unknown>
}['handle']
