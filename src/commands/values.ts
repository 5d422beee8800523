import type { TSchema } from 'typebox'
import { MemberSettings } from '#src/areas/members/index.ts'
import { SchoolSettings } from '#src/areas/school/index.ts'
import { faults } from '#src/contract/check.ts'
import { type PasswordContext, passwordFault } from '#src/identity/index.ts'
import { isEmail, isStorable, isText } from '#src/kit/text.ts'
import { Failed } from './command.ts'

const checked = (schema: TSchema, said: string, value: string): string => {
  const text = value.normalize('NFC')
  if (!isStorable(text) || !isText(text)) throw new Failed(`${said} has a character that no text may have`)
  const [fault] = faults(schema, text)
  if (fault !== undefined) throw new Failed(`${said} ${fault.message}`)
  return text
}

/** What a member is to be called, checked as the API checks it; `said` is how the value was given, such as --name. */
export const memberName = (said: string, value: string): string => checked(MemberSettings.properties.name, said, value)

/** What a school is to be called, checked as the API checks it. */
export const schoolName = (said: string, value: string): string => checked(SchoolSettings.properties.name, said, value)

/** A member's address, checked as the API checks it. */
export const memberEmail = (said: string, value: string | undefined): string => {
  if (value === undefined || !isEmail(value)) throw new Failed(`${said} is not an e-mail address`)
  return checked(MemberSettings.properties.email, said, value)
}

/** A password, checked as the pages check it. */
export const memberPassword = async (said: string, value: string, context: PasswordContext): Promise<string> => {
  if ((await passwordFault(value, context)) === undefined) return value
  throw new Failed(
    `${said}: a password has 10 to 256 characters, is not common, and does not name the person or the school`,
  )
}
