import type { Db } from '#src/contract/db.ts'
import { foldDomains } from './addresses.ts'
import { sql } from './sql.ts'

type Entry = { readonly school_id: string; readonly kind: string; readonly id: string }

const NOTHING: Entry = {
  school_id: '00000000-0000-0000-0000-000000000000',
  kind: '',
  id: '00000000-0000-0000-0000-000000000000',
}

const indexSome = ({ school_id: schoolId, kind, id }: Entry) => sql<Entry>`
  select school_id, kind, id from stoa.index_again(${schoolId}::uuid, ${kind}, ${id}::uuid)`

const indexAgain = async (db: Db): Promise<void> => {
  let last: Entry | undefined = NOTHING
  while (last !== undefined) last = await db.first(indexSome(last))
}

/**
 * Changes of stored rows that SQL cannot compute or that take long in a large school. They run after the migrations, under
 * the owner's login, in short statements of their own, while processes of the version before serve. A step that was
 * interrupted runs again from its beginning; the database remembers those that have ended beside the migrations.
 */
export const steps: readonly { readonly name: string; readonly run: (db: Db) => Promise<void> }[] = [
  { name: 'step_search_words', run: indexAgain },
  { name: 'step_email_domains', run: foldDomains },
  { name: 'step_search_terms', run: indexAgain },
]
