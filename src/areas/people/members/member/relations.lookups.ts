import type { Static } from 'typebox'
import type { SchoolContext } from '#src/contract/context.ts'
import { latestCourses, memberSpending } from '../hooks.ts'
import { listMemberGroups } from './groups.queries.ts'
import type { MemberRow } from './queries.ts'
import type { Member } from './schema.ts'

/** What can be embedded in members, each read once for a page. */
export const relations = {
  groups: { scope: 'members:read', who: 'staff', summary: 'the groups of each member' },
  latest_course: { scope: 'students:read', who: 'staff', summary: 'the course that each learned in last' },
  spent: { scope: 'orders:read', who: 'staff', summary: 'what each paid and did not get back' },
} as const

type Related = Pick<Static<typeof Member>, 'groups' | 'latest_course' | 'spent'>

type Context = SchoolContext & { expands(relation: keyof typeof relations): boolean }

const readGroups = async ({ db, school }: Context, ids: readonly string[]) => {
  const groups = await listMemberGroups(db, school.id, ids)
  return (id: string): Related => ({ groups: (groups.get(id) ?? []).map(({ id, name }) => ({ id, name })) })
}

const readCourses = async (context: Context, memberIds: readonly string[]) => {
  const found = (await latestCourses.call({ memberIds }, context)).flat()
  const byMember = new Map(found.map(({ member_id, ...course }) => [member_id, course]))
  return (id: string): Related => ({ latest_course: byMember.get(id) ?? null })
}

const readSpending = async (context: Context, memberIds: readonly string[]) => {
  const found = (await memberSpending.call({ memberIds }, context)).flat()
  const byMember = Map.groupBy(found, one => one.member_id)
  return (id: string): Related => ({
    spent: (byMember.get(id) ?? []).map(({ currency, amount }) => ({ currency, amount })),
  })
}

const readers = { groups: readGroups, latest_course: readCourses, spent: readSpending }

/** Reads what a request embeds in some members, with one statement for each relation. */
export const readRelated = async (
  context: Context,
  rows: readonly Pick<MemberRow, 'id'>[],
): Promise<(row: Pick<MemberRow, 'id'>) => Related> => {
  const ids = rows.map(({ id }) => id)
  const names = (Object.keys(readers) as (keyof typeof readers)[]).filter(name => context.expands(name))
  const found = await Promise.all(names.map(name => readers[name](context, ids)))
  return ({ id }) => Object.assign({}, ...found.map(related => related(id)))
}
