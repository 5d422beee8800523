import type { TSchema } from 'typebox'
import { MemberSettings } from '#src/areas/members/index.ts'
import { SchoolSettings } from '#src/areas/school/index.ts'
import { fieldErrors } from '#src/contract/check.ts'
import { findPasswordError, type PasswordContext } from '#src/identity/index.ts'
import { isEmail, isStorable, isText } from '#src/kit/text.ts'
import { Failed } from './command.ts'

const checked = (schema: TSchema, source: string, value: string): string => {
  const text = value.normalize('NFC')
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
  if (value === undefined || !isEmail(value)) throw new Failed(`${source} is not an e-mail address`)
  return checked(MemberSettings.properties.email, source, value)
}

/** A password, checked as on the pages. */
export const memberPassword = async (source: string, value: string, context: PasswordContext): Promise<string> => {
  if ((await findPasswordError(value, context)) === undefined) return value
  throw new Failed(
    `${source}: a password has 10 to 256 characters, is not common, and does not name the person or the school`,
  )
}
