import type { School } from '#src/contract/school.ts'
import { fold } from '#src/kit/text.ts'

/** Why a password is refused. */
export type PasswordError = 'short' | 'long' | 'common' | 'personal'

/** Names of the person and the school, which attackers try first and a password must not contain. */
export type PasswordContext = { readonly email: string; readonly name: string; readonly school: Pick<School, 'name'> }

const SHORTEST = 10
const LONGEST = 256
const LISTED = 3000
// Shorter context words occur in too many good passwords.
const SHORTEST_WORD = 4

let listed: Promise<ReadonlySet<string>> | undefined

const loadListed = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common')
  return new Set(dictionary['passwords-common'].slice(0, LISTED).map(word => fold(String(word))))
}

// "Password123!" counts as "password".
const bare = (folded: string): string => folded.replace(/[\d\p{P}\p{S}\s]+$/u, '')

const squash = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]/gu, '')

const contextWords = ({ email, name, school }: PasswordContext): string[] => {
  const [local = ''] = email.split('@')
  const parts = [name, school.name, local].flatMap(text => text.split(/[^\p{L}\p{M}\p{N}]+/u))
  const words = [email, local, name, school.name, ...parts].map(squash)
  return words.filter(word => word.length >= SHORTEST_WORD)
}

/** The reason why a password is not accepted: its length, that it is common, or that it names the person or school. */
export const findPasswordError = async (
  password: string,
  context: PasswordContext,
): Promise<PasswordError | undefined> => {
  const length = Array.from(password).length
  if (length < SHORTEST) return 'short'
  if (length > LONGEST) return 'long'
  listed ??= loadListed()
  const commonPasswords = await listed
  const folded = fold(password)
  if (commonPasswords.has(folded) || commonPasswords.has(bare(folded))) return 'common'
  const squashed = squash(password)
  return contextWords(context).some(word => squashed.includes(word)) ? 'personal' : undefined
}
