import type { Db } from '#src/contract/db.ts'
import type { Fact } from '#src/contract/fact.ts'
import type { School } from '#src/contract/school.ts'
import { scrubStoredReplies } from '#src/db/stored-replies.ts'
import { endGrantsOf, endSessions, eraseIdentity } from '#src/identity/index.ts'
import { toId } from '#src/kit/ids.ts'
import { memberErasure } from '../hooks.ts'
import type { MemberRow } from '../member/queries.ts'
import { blankMember, eraseMemberData } from './queries.ts'

/** Erases a person everywhere; returns the fact by which the worker removes their mails. */
export const erasePerson = async (db: Db, school: School, row: Pick<MemberRow, 'id' | 'email'>): Promise<Fact> => {
  const ref = toId('mem', row.id)
  await endSessions(db, school.id, row.id)
  await endGrantsOf(db, school.id, row.id, 'member_erased')
  await memberErasure.call({ memberId: row.id }, { school, db })
  await eraseMemberData(db, school.id, row.id)
  const mails = await eraseIdentity(db, school.id, row)
  await scrubStoredReplies(db, school.id, { id: row.id, ref, email: row.email })
  await blankMember(db, school.id, row.id, `${ref}@erased.invalid`)
  return {
    type: 'member.erased',
    payload: { member: ref, mails },
    effects: {
      access: {
        en: 'Permanently erases the personal data: name, address, notes and everything else that identifies the person. Orders stay without the name. Issued invoices keep name and address for as long as the law requires.',
        pt: 'Apaga definitivamente os dados pessoais: nome, endereço, notas e tudo o que identifica a pessoa. As encomendas ficam sem o nome. As faturas emitidas conservam nome e morada durante o prazo que a lei exige.',
      },
    },
  }
}
