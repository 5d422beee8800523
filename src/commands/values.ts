import type { TSchema } from 'typebox'
import { MemberSettings } from '#src/areas/people/index.ts'
import { SchoolSettings } from '#src/areas/school/index.ts'
import { cleanValue, fieldErrors } from '#src/contract/check.ts'
import { newPassword } from '#src/demo/index.ts'
import { findPasswordError, type PasswordContext } from '#src/identity/index.ts'
import { systemRandom } from '#src/kit/crypto.ts'
import { cleanEmail, isEmail, isStorable, isText } from '#src/kit/text.ts'
import { Failed, type Run, textOption } from './command.ts'

const checked = (schema: TSchema, source: string, value: string): string => {
  const text = String(cleanValue(schema, value.normalize('NFC')))
  if (!isStorable(text) || !isText(text)) throw new Failed(`${source} contains a character that is not allowed`)
  const [error] = fieldErrors(schema, text)
  if (error !== undefined) throw new Failed(`${source} ${error.message}`)
  return text
}

/** The name of a member, checked as in the API; `source` is the option of the value, such as --name. */
export const memberName = (source: string, value: string): string =>
  checked(MemberSettings.properties.name, source, value)

/** The name of a school, checked as in the API. */
export const schoolName = (source: string, value: string): string =>
  checked(SchoolSettings.properties.name, source, value)

/** The address of a member, checked as in the API. */
export const memberEmail = (source: string, value: string | undefined): string => {
  if (value === undefined || !isEmail(cleanEmail(value))) throw new Failed(`${source} is not an e-mail address`)
  return checked(MemberSettings.properties.email, source, value)
}

/** A password, checked as on the pages. */
export const memberPassword = async (source: string, value: string, context: PasswordContext): Promise<string> => {
  if ((await findPasswordError(value, context)) === undefined) return value
  throw new Failed(
    `${source}: a password has 10 to 256 characters, is not common, and does not name the person or the school`,
  )
}

// The password of a new account, and how it is told: only one that was generated is shown.
type ChosenPassword = {
  readonly password: string
  /** What a program reads. */
  readonly json: { readonly password?: string }
  /** The end of a line that says `password`. */
  readonly line: string
}

/** The password in an option, checked as on the pages, or a generated one. */
export const choosePassword = async (run: Run, option: string, context: PasswordContext): Promise<ChosenPassword> => {
  const given = textOption(run, option)
  if (given !== undefined)
    return { password: await memberPassword(`--${option}`, given, context), json: {}, line: `as in --${option}` }
  const password = newPassword(systemRandom)
  return { password, json: { password }, line: `(shown this once): ${password}` }
}
