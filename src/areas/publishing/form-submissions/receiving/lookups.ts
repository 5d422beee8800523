import type { EndpointRequest } from '#src/contract/endpoint.ts'
import type { Random } from '#src/kit/crypto.ts'
import { readClock } from './queries.ts'
import { FORM_TOKENS, issueToken } from './token.rules.ts'

/** A token for one submission of a form, by its UUID, from now on. */
export const newFormToken = async (
  { database, school }: Pick<EndpointRequest, 'database' | 'school'>,
  { keyFor, random }: { keyFor(purpose: string): Buffer; readonly random: Random },
  formId: string,
): Promise<string> => {
  const now = await database.statements(school.id, readClock)
  return issueToken({ key: keyFor(FORM_TOKENS), schoolId: school.id, formId }, now, random)
}
