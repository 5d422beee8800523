import { usesOf } from '#src/areas/files/index.ts'
import { encode } from '#src/contract/codec.ts'
import { implement } from '#src/contract/hook.ts'
import { memberErasure, memberMerge, personalData } from '#src/contract/personal-data.ts'
import { listStatement } from '#src/db/list.ts'
import { toId } from '#src/kit/ids.ts'
import { eraseBuyer, invoiceList, listWithFiles, moveInvoices } from './invoice/queries.ts'
import { Invoice } from './invoice/schema.ts'
import { invoiceView } from './invoice/views.ts'

/** What this area does when hooks of earlier areas are called. */
export const implementations = [
  implement(memberErasure, async ({ memberId }, { db, school }) => {
    await eraseBuyer(db, school.id, memberId)
  }),
  implement(memberMerge, async ({ fromId, intoId }, { db, school }) => {
    await moveInvoices(db, school.id, fromId, intoId)
  }),
  implement(usesOf, async ({ fileIds }, { db, school }) =>
    (await listWithFiles(db, school.id, fileIds)).map(({ id, file_id }) => ({
      fileId: file_id,
      kind: 'invoice',
      id: toId('inv', id),
    })),
  ),
  // Without links to the files, which would have expired when the export is read.
  implement(personalData, async ({ memberId }, { db, school }) => {
    const list = invoiceList(school.id, { memberId }, { seesErased: true })
    const rows = await db.all(listStatement(list, 'created_at'))
    return [{ name: 'invoices', rows: rows.map(row => encode(Invoice, invoiceView(row, null))) }]
  }),
]
