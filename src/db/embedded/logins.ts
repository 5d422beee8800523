import type pg from 'pg'
import type { Passwords } from './connect.ts'

type LoginState = { has_app: boolean; is_app_plain: boolean; has_database: boolean }

const LOOK = `
  select count(*) > 0 as has_app,
    coalesce(bool_and(rolcanlogin and not (rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls)),
      false) as is_app_plain,
    exists (select from pg_database where datname = 'stoa') as has_database
  from pg_roles where rolname = 'stoa_app'`

const PLAIN = 'login nosuperuser nocreatedb nocreaterole noreplication nobypassrls'

/** Makes the login that owns nothing and the database, whichever of them is missing or was changed. */
export async function ensureLogins(client: pg.Client, passwords: Passwords | undefined): Promise<void> {
  const { rows } = await client.query<LoginState>(LOOK)
  const [found] = rows
  if (!found?.has_app) await client.query('create role stoa_app')
  if (!found?.is_app_plain) await client.query(`alter role stoa_app ${PLAIN}${passwordClause(client, passwords)}`)
  if (found?.has_database) return
  await client.query(`create database stoa template template0 encoding 'UTF8' locale 'C'`)
}

function passwordClause(client: pg.Client, passwords: Passwords | undefined): string {
  return passwords ? ` password ${client.escapeLiteral(passwords.stoa_app)}` : ''
}
