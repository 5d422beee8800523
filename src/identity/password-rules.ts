import type { School } from '#src/contract/school.ts'
import { fold } from '#src/kit/text.ts'

/** Why a password is refused. */
export type PasswordFault = 'short' | 'long' | 'common' | 'personal'

/** Whose password it is to be: what stands close to a person and is tried first. */
export type PasswordContext = { readonly email: string; readonly name: string; readonly school: Pick<School, 'name'> }

const SHORTEST = 10
const LONGEST = 256
const LISTED = 3000
// A context word shorter than this is found in too many honest sentences.
const SHORTEST_WORD = 4

let listed: Promise<ReadonlySet<string>> | undefined

const loadListed = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].slice(0, LISTED).map(word => fold(String(word))))
}

// "Password123!" is "password" in a coat.
const bare = (folded: string): string => folded.replace(/[\d\p{P}\p{S}\s]+$/u, '')

const squash = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]/gu, '')

const contextWords = ({ email, name, school }: PasswordContext): string[] => {
  const [local = ''] = email.split('@')
  const parts = [name, school.name, local].flatMap(text => text.split(/[^\p{L}\p{M}\p{N}]+/u))
  const words = [email, local, name, school.name, ...parts].map(squash)
  return words.filter(word => word.length >= SHORTEST_WORD)
}

/** What is wrong with a password, if anything: its length, that many people have it, or that it names the person or school. */
export const passwordFault = async (password: string, context: PasswordContext): Promise<PasswordFault | undefined> => {
  const length = Array.from(password).length
  if (length < SHORTEST) return 'short'
  if (length > LONGEST) return 'long'
  listed ??= loadListed()
  const known = await listed
  const folded = fold(password)
  if (known.has(folded) || known.has(bare(folded))) return 'common'
  const squashed = squash(password)
  return contextWords(context).some(word => squashed.includes(word)) ? 'personal' : undefined
}
