import type { Db, Statement } from '#src/contract/db.ts'
import { toId } from '#src/kit/ids.ts'
import { asciiEmail, cleanEmail, foldEmail } from '#src/kit/text.ts'
import { sql } from './sql.ts'

/** The spellings of an address that rows without a folded one may have. */
export const listSpellings = (email: string): string[] => [
  ...new Set([email, cleanEmail(email), asciiEmail(email), foldEmail(email)]),
]

/** The same in lower case, as an array of SQL. */
export const spellings = (email: string): Statement =>
  sql`array(select lower(spelling) from unnest(${listSpellings(email)}::text[]) as spelling)`

/** Whether a column is an e-mail address, in any of its spellings. */
export const isAddress = (column: Statement, email: string): Statement =>
  sql`lower(${column}) = any (${spellings(email)})`

type Addressed = {
  readonly school_id: string
  readonly id: string
  readonly email: string
  readonly email_folded: string
}

const BATCH = 1000

const NOBODY = '00000000-0000-0000-0000-000000000000'

// What a domain in Unicode, or in its ASCII form, has in it.
const INTERNATIONAL = '@.*([^\\x01-\\x7f]|xn--)'

const tables = ['members', 'orders', 'checkouts'] as const

type Table = (typeof tables)[number]

const listIn: Readonly<Record<Table, (schoolId: string, after: string) => Statement<Addressed>>> = {
  members: (schoolId, after) => sql<Addressed>`
    select school_id, id, email, email_folded from members
    where school_id = ${schoolId} and id > ${after}::uuid and email ~ ${INTERNATIONAL} order by id limit ${BATCH}`,
  orders: (schoolId, after) => sql<Addressed>`
    select school_id, id, email, email_folded from orders
    where school_id = ${schoolId} and id > ${after}::uuid and email ~ ${INTERNATIONAL} order by id limit ${BATCH}`,
  checkouts: (schoolId, after) => sql<Addressed>`
    select school_id, id, email, email_folded from checkouts
    where school_id = ${schoolId} and id > ${after}::uuid and email ~ ${INTERNATIONAL} order by id limit ${BATCH}`,
}

// An address that was written in between keeps what was written; one that another member has is left for a person to decide.
const storeIn: Readonly<Record<Table, (row: Addressed) => Statement>> = {
  members: ({ school_id: schoolId, id, email, email_folded: before }) => sql`
    update members m set email = ${cleanEmail(email)}, email_folded = ${foldEmail(email)}, revision = revision + 1,
      updated_at = (select stoa.now())
    where m.school_id = ${schoolId} and m.id = ${id} and m.email = ${email} and m.email_folded = ${before}
      and not exists (
        select from members o
        where o.school_id = ${schoolId} and o.email_folded = ${foldEmail(email)} and o.id <> ${id})`,
  orders: ({ school_id: schoolId, id, email }) => sql`
    update orders set email_folded = ${foldEmail(email)}
    where school_id = ${schoolId} and id = ${id} and email = ${email}`,
  checkouts: ({ school_id: schoolId, id, email }) => sql`
    update checkouts set email_folded = ${foldEmail(email)}
    where school_id = ${schoolId} and id = ${id} and email = ${email}`,
}

const isChanged = (table: string, { email, email_folded: before }: Addressed): boolean =>
  foldEmail(email) !== before || (table === 'members' && cleanEmail(email) !== email)

const foldIn = async (db: Db, table: Table, schoolId: string): Promise<void> => {
  let last: string | undefined = NOBODY
  while (last !== undefined) {
    const rows: Addressed[] = await db.all(listIn[table](schoolId, last))
    for (const row of rows.filter(one => isChanged(table, one))) await db.run(storeIn[table](row))
    last = rows.at(-1)?.id
  }
}

/** Compares stored addresses by the ASCII form of their domains (UTS #46), under the owner's login; may run again. */
export const foldDomains = async (db: Db): Promise<void> => {
  const schools = await db.all(sql<{ id: string }>`select id from schools order by id`)
  for (const { id } of schools) for (const table of tables) await foldIn(db, table, id)
}

/** Two members of a school whose addresses are one: those of the first are spelled as before domains were compared in ASCII. */
type SharedAddress = { readonly first: string; readonly second: string; readonly email: string }

/** A pair as commands show it. */
export const describeSharedAddress = ({ first, second, email }: SharedAddress): string =>
  `${toId('mem', first)} and ${toId('mem', second)} have one address, ${email}, in two spellings; merge them`

/** The pairs of members whose addresses are one and could not be joined, at most 100. */
export const listSharedAddresses = async (db: Db, schoolId: string): Promise<SharedAddress[]> => {
  const rows = await db.all(sql<Addressed>`
    select school_id, id, email, email_folded from members
    where school_id = ${schoolId} and email_folded ~ ${'@.*[^\\x01-\\x7f]'} order by id limit 100`)
  const folded = rows.map(({ email }) => foldEmail(email))
  const others = await db.all(sql<Pick<Addressed, 'id' | 'email_folded'>>`
    select id, email_folded from members where school_id = ${schoolId} and email_folded = any (${folded}::text[])`)
  const byAddress = new Map(others.map(({ id, email_folded: address }) => [address, id]))
  return rows.flatMap(({ id, email }) => {
    const second = byAddress.get(foldEmail(email))
    return second === undefined || second === id ? [] : [{ first: id, second, email }]
  })
}
