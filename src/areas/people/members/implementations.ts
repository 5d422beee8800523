import { encode } from '#src/contract/codec.ts'
import type { Db } from '#src/contract/db.ts'
import { implement } from '#src/contract/hook.ts'
import { type PersonalData, personalData } from '#src/contract/personal-data.ts'
import type { School } from '#src/contract/school.ts'
import { toId } from '#src/kit/ids.ts'
import { type ActivityRow, listActivity } from './activity/queries.ts'
import { getIdPrefix } from './activity/rules.ts'
import { listGroupPeriods } from './member/groups.queries.ts'
import { findMember } from './member/queries.ts'
import { Member } from './member/schema.ts'
import { memberView } from './member/views.ts'
import { listMemberNotes } from './notes/queries.ts'

const PAGE = 1000

const allActivity = async (db: Db, schoolId: string, memberId: string): Promise<ActivityRow[]> => {
  const all: ActivityRow[] = []
  for (let before: string | undefined; ; ) {
    const rows = await listActivity(db, schoolId, memberId, PAGE, before)
    all.push(...rows)
    before = rows.at(-1)?.id
    if (before === undefined || rows.length < PAGE) return all
  }
}

// Who else did something stays with them: it is the person's copy and not a list of the staff.
const renderEvent = ({ id, kind, at, operation, event, client_name: app, fields }: ActivityRow) => ({
  id: toId(getIdPrefix(kind), id),
  kind,
  at: at.toISOString(),
  operation,
  event,
  app,
  fields,
})

/** The personal data of a member in this area, notes of the staff too. */
const readPersonal = async (db: Db, school: School, memberId: string): Promise<PersonalData[]> => {
  const [row, groups, notes, activity] = await Promise.all([
    findMember(db, school.id, memberId),
    listGroupPeriods(db, school.id, memberId),
    listMemberNotes(db, school.id, memberId),
    allActivity(db, school.id, memberId),
  ])
  return [
    { name: 'profile', rows: row === undefined ? [] : [encode(Member, memberView(row))] },
    {
      name: 'groups',
      rows: groups.map(one => ({
        group: { id: toId('grp', one.group_id), name: one.name },
        added_at: one.added_at.toISOString(),
        removed_at: one.removed_at?.toISOString() ?? null,
      })),
    },
    // Who wrote it stays with the staff, as with everything that others did.
    {
      name: 'notes',
      rows: notes.map(({ id, body, created_at }) => ({
        id: toId('nte', id),
        body,
        created_at: created_at.toISOString(),
      })),
    },
    { name: 'activity', rows: activity.map(renderEvent) },
  ]
}

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(personalData, ({ memberId }, { db, school }) => readPersonal(db, school, memberId)),
]
