import { type FieldError, problem } from '#src/contract/problem.ts'
import { cleanLine } from '#src/kit/text.ts'

/** The longest name of a group, in characters. */
export const MAX_NAME_LENGTH = 120

/** Another group has the name already. */
export const groupNameTaken = problem(
  409,
  'group_name_taken',
  'Another group has this name',
  'The names of groups are unique without regard to case and accents. Find the other group with GET /groups?q=, or choose another name.',
)

/** Another group has the external id already. */
export const groupExternalIdTaken = problem(
  409,
  'group_external_id_taken',
  'Another group has this external_id',
  'An external_id names one group of the school. Find which has it at /groups/external:{value}.',
)

/** The name of a group as it is kept: one line. */
export const cleanName = (name: string): string => cleanLine(name, MAX_NAME_LENGTH)

/** The errors of a cleaned name. */
export const errorsOfName = (name: string): FieldError[] =>
  name === '' ? [{ pointer: '/name', code: 'text', message: 'has no visible characters' }] : []
