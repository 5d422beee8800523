import { insertGroup, joinGroup } from '#src/areas/learning/index.ts'
import { insertField, insertInvited, insertNote, insertSegment, insertTags } from '#src/areas/people/index.ts'
import type { Database, Db } from '#src/contract/db.ts'
import { getSchool } from '#src/db/schools.ts'
import { findMemberByEmail } from '#src/identity/index.ts'
import { newUuid } from '#src/kit/ids.ts'

const invited = {
  email: 'ines@crumb.example',
  email_verified: false,
  name: 'Inês Duarte',
  phone: null,
  locale: 'pt-PT',
  time_zone: 'Europe/Lisbon',
  external_id: 'invited-1',
  joined_at: null,
  custom_fields: {},
  marketing_granted: false,
  marketing_source: null,
  marketing_by_person: false,
}

const oven = { key: 'oven', label: 'Oven', type: 'choice', options: ['gas', 'electric', 'wood'] } as const

const studyGroup = {
  name: "Bakers' circle",
  description: 'People who bake together on Thursdays.',
  external_id: 'bakers-circle',
}

const readId = async (db: Db, schoolId: string, email: string): Promise<string> => {
  const member = await findMemberByEmail(db, schoolId, email)
  if (member === undefined) throw new Error(`the demo data has no ${email}`)
  return member.id
}

/**
 * Creates the other data of the demo people: a group, a custom field, tags, a note and
 * an invited member. Does nothing if they already exist.
 */
export const createStudyGroup = (database: Database, schoolId: string): Promise<boolean> =>
  database.transaction(schoolId, async (db, now) => {
    const newId = () => newUuid(now.getTime())
    if ((await findMemberByEmail(db, schoolId, invited.email)) !== undefined) return false
    await insertField(db, schoolId, { id: newId(), ...oven })
    const find = (email: string) => readId(db, schoolId, email)
    const [ben, dev, eli, femi] = [
      await find('ben@crumb.example'),
      await find('dev@crumb.example'),
      await find('eli@crumb.example'),
      await find('femi@crumb.example'),
    ]
    const group = newId()
    const demo = { db, school: await getSchool(db, schoolId), now }
    if ((await insertGroup(db, schoolId, group, studyGroup)) > 0) await joinGroup(demo, group, [dev, eli])
    await insertTags(db, schoolId, dev, ['helper', 'sourdough'])
    await insertTags(db, schoolId, eli, ['sourdough'])
    const body = 'Asked whether the Thursday evenings can start half an hour later.'
    await insertNote(db, schoolId, { id: newId(), memberId: femi, authorId: ben, body })
    await insertInvited(db, schoolId, newId(), invited)
    await insertSegment(db, schoolId, newId(), {
      name: 'Sourdough bakers',
      filter: { status: 'active', tag: 'sourdough' },
    })
    return true
  })
