import type { Db, Statement } from '#src/contract/db.ts'
import { lessonsOpened, type MailChoice, marketing, notifications } from '#src/contract/mail.ts'
import { sql } from '#src/db/sql.ts'

/** Whether a member wants the mails of a choice, as a condition on columns of `members`. */
export const isWanted = ({ key }: MailChoice): Statement => {
  if (key === lessonsOpened.key) return sql`notify_lesson_opened`
  if (key === marketing.key) return sql`marketing_granted`
  return sql`${key}::text <> all (muted_mails)`
}

/** The choices of a member by key, as a JSON object made of columns of `members`. */
export const chosenMails = (): Statement => {
  const [first, ...others] = notifications.map(choice => sql`${choice.key}::text, ${isWanted(choice)}`)
  if (first === undefined) return sql`'{}'::jsonb`
  return sql`jsonb_build_object(${others.reduce((before, one) => sql`${before}, ${one}`, first)})`
}

/** The columns of `members` that a change of the choices sets. */
export const chosenColumns = (choices: Readonly<Record<string, boolean>>): Statement => {
  const others = Object.keys(choices).filter(key => key !== lessonsOpened.key)
  const off = others.filter(key => choices[key] === false)
  return sql`notify_lesson_opened = coalesce(${choices[lessonsOpened.key]}::boolean, notify_lesson_opened),
    muted_mails = array(select key from unnest(muted_mails) as key where key <> all (${others}::text[])) || ${off}::text[]`
}

const turnedOff = ({ key }: MailChoice): Statement => {
  if (key === lessonsOpened.key) return sql`notify_lesson_opened = false`
  if (key === marketing.key)
    return sql`marketing_granted = false, marketing_source = 'unsubscribe', marketing_by_person = true,
      marketing_at = (select now from clock)`
  return sql`muted_mails = muted_mails || ${key}::text`
}

/** Turns off the mails of a choice; undefined when they were off, or there is no such member. */
export const turnOff = (db: Db, schoolId: string, memberId: string, choice: MailChoice) =>
  db.first(sql<{ revision: number }>`
    with clock as materialized (select stoa.now() as now)
    update members set ${turnedOff(choice)}, revision = revision + 1, updated_at = (select now from clock)
    where school_id = ${schoolId} and id = ${memberId} and status <> 'deleted' and ${isWanted(choice)}
    returning revision`)

/** Whether a member wants the mails of a choice. */
export const wantsMails = async (db: Db, schoolId: string, memberId: string, choice: MailChoice): Promise<boolean> =>
  (await db.first(sql`
    select from members where school_id = ${schoolId} and id = ${memberId} and ${isWanted(choice)}`)) !== undefined

/** What a member was agreed to receive from an instant on, and whether they said so themselves. */
type Consent = { readonly at: Date; readonly granted: boolean; readonly source: string; readonly by_person: boolean }

/** The history of a member's consents, the oldest first. */
export const listConsents = (db: Db, schoolId: string, memberId: string) =>
  db.all(sql<Consent>`
    select at, granted, source, by_person from marketing_consents
    where school_id = ${schoolId} and member_id = ${memberId} order by at`)

/** Moves the history of one member's consents to another member. */
export const moveConsents = (db: Db, schoolId: string, fromId: string, intoId: string) =>
  db.run(sql`
    insert into marketing_consents (school_id, member_id, at, granted, source, by_person)
    select school_id, ${intoId}, at, granted, source, by_person from marketing_consents
    where school_id = ${schoolId} and member_id = ${fromId}
    on conflict do nothing`)

/** Adds to the history of consents what members are agreed to receive now; what is in it already is not added again. */
export const keepConsents = (db: Db, schoolId: string, memberIds: readonly string[]) =>
  db.run(sql`
    insert into marketing_consents (school_id, member_id, at, granted, source, by_person)
    select school_id, id, marketing_at, marketing_granted, coalesce(marketing_source, ''), marketing_by_person
    from members where school_id = ${schoolId} and id = any (${memberIds}::uuid[]) and marketing_at is not null
    on conflict do nothing`)
