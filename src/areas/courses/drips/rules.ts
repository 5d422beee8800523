import type { Static } from 'typebox'
import type { FieldError } from '#src/contract/problem.ts'
import { isDay } from '#src/kit/local-time.ts'
import type { DripInput, Drip as DripShape } from './schema.ts'

/** The rule by which a lesson opens. */
export type Drip = Readonly<Static<typeof DripShape>>

/** The rule of a lesson that has no other: it opens with the course. */
export const IMMEDIATE: Drip = { mode: 'immediate', value: null, date: null, local_time: null }

/** The rule to be stored for a request. */
export const buildDrip = ({ mode, value, date, local_time }: DripInput): Drip => ({
  mode,
  value: value ?? null,
  date: date ?? null,
  local_time: local_time ?? null,
})

/** Whether two rules are the same. */
export const isSameDrip = (one: Drip, other: Drip): boolean =>
  one.mode === other.mode && one.value === other.value && one.date === other.date && one.local_time === other.local_time

type Part = 'value' | 'date' | 'local_time'

// Which parts a rule must have, and which it may have beside them.
const PARTS: Readonly<Record<Drip['mode'], { readonly must: readonly Part[]; readonly may: readonly Part[] }>> = {
  immediate: { must: [], may: [] },
  days_after_enrollment: { must: ['value'], may: ['local_time'] },
  on_date: { must: ['date'], may: ['local_time'] },
  after_previous: { must: [], may: ['value', 'local_time'] },
}

/** The errors of a rule that fits its schema; `at` is the pointer to it. */
export const errorsOfDrip = (at: string, drip: Drip): FieldError[] => {
  const { must, may } = PARTS[drip.mode]
  const parts = ['value', 'date', 'local_time'] as const
  return parts.flatMap(part => {
    const pointer = `${at}/${part}`
    if (drip[part] === null)
      return must.includes(part) ? [{ pointer, code: 'missing', message: `belongs to ${drip.mode}` }] : []
    if (!must.includes(part) && !may.includes(part))
      return [{ pointer, code: 'unexpected', message: `means nothing with ${drip.mode}` }]
    return part === 'date' && !isDay(drip[part] ?? '')
      ? [{ pointer, code: 'date', message: 'is a day that does not exist' }]
      : []
  })
}
