import type { Operation, Who } from '#src/contract/operation.ts'

const CALLERS: Readonly<Record<Exclude<Who, 'anyone'>, string>> = {
  self: 'for the person behind the token',
  holder: 'for members with access, the lecturers of the course, admins and owners',
  lecturer_of: 'for the lecturers of the course, admins and owners',
  staff: 'for admins and owners',
  owner: 'for owners',
}

const access = ({ who, scope }: Operation): string => {
  if (scope === 'none') return 'Needs no token.'
  if (who === 'anyone') return `Works without a token; a token needs the scope \`${scope}\`.`
  return `Requires the scope \`${scope}\`; ${CALLERS[who]}.`
}

const CONFIRMED =
  'The person behind the token has to approve this write in a browser: unless nothing changes for anybody, the response is 202 with a confirmation.'

const inWords = (names: readonly string[]): string => names.map(name => `\`${name}\``).join(' and ')

const writing = ({ method, mode, ifMatch, idempotency }: Operation): string | undefined => {
  if (method === 'GET' || mode !== 'write') return undefined
  if (idempotency === 'required') {
    const required = ['Idempotency-Key', ...(ifMatch === 'required' ? ['If-Match'] : [])]
    const accepted = ['dry_run', ...(ifMatch === 'honoured' ? ['If-Match'] : [])]
    return `Requires ${inWords(required)}, and takes ${inWords(accepted)}.`
  }
  if (ifMatch === undefined) return 'Takes `Idempotency-Key` and `dry_run`.'
  return `Takes \`Idempotency-Key\` and \`dry_run\`, and ${ifMatch === 'required' ? 'requires' : 'takes'} \`If-Match\`.`
}

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`

const limit = ({ rateLimit }: Operation): string | undefined =>
  rateLimit &&
  `At most ${plural(rateLimit.times, 'call')} in ${plural(rateLimit.seconds, 'second')} for each ${rateLimit.by}; calls that are refused count too.`

/** The description of an operation, followed by what its declaration implies: callers, headers and formats. */
export const buildDescription = (operation: Operation): string => {
  const { description, confirm, csv } = operation
  const derived = [
    access(operation),
    confirm && CONFIRMED,
    writing(operation),
    limit(operation),
    csv && 'Staff get all rows as CSV with `Accept: text/csv`.',
  ].filter(one => one !== undefined)
  return `${description}\n\n${derived.join(' ')}`
}
