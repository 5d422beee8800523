import { operation } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { roleRequired } from '#src/contract/problems.ts'
import { readToday } from './lookups.ts'
import { Today } from './schema.ts'

const getToday = operation({
  id: 'getToday',
  summary: 'Get what to know today',
  description:
    'Returns in one read what waits and since when, what was sold on each of the last 30 days and of those before, four figures, and the newest orders and students. Those who teach get what is of their own courses.',
  who: 'lecturer_of',
  mode: 'read',
  returns: Today,
  async handle({ db, school, caller }) {
    const { member } = caller
    if (member === undefined) throw new Refusal(roleRequired, 'The operator has no console.')
    return readToday({ db, school, caller: { ...caller, member } })
  },
})

/** The operation of the first page of the console; no app can call it. */
export const operations = [getToday]
