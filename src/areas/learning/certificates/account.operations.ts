import { declareFor } from '#src/contract/operation.ts'
import { Refusal } from '#src/contract/problem.ts'
import { notFound } from '#src/contract/problems.ts'
import { readList } from '#src/db/list.ts'
import { fromId } from '#src/kit/ids.ts'
import { certificateList, findBySerial, findCertificate } from './certificates/queries.ts'
import { readSerial } from './certificates/rules.ts'
import { Certificate, CertificatePage, OwnCertificateRef, OwnCertificatesQuery } from './certificates/schema.ts'
import { certificateView } from './certificates/views.ts'

const listAccountCertificates = declareFor('self', 'account', {
  id: 'listAccountCertificates',
  route: 'GET /account/certificates',
  summary: 'List your certificates',
  description: 'Lists your certificates, newest first.',
  query: OwnCertificatesQuery,
  returns: CertificatePage,
  handle(context) {
    const list = certificateList(context.school.id, { memberId: context.caller.member.id })
    return readList(context, list, rows => rows.map(row => certificateView(context, row)))
  },
})

const getAccountCertificate = declareFor('self', 'account', {
  id: 'getAccountCertificate',
  route: 'GET /account/certificates/:certificate_id',
  summary: 'Get your certificate',
  description: 'Returns one of your certificates, by its id or its serial number.',
  params: OwnCertificateRef,
  returns: Certificate,
  example: { params: { certificate_id: 'BAKED-WARM0-BREAD-DEM00' } },
  async handle(context) {
    const { db, school, caller, params, allowedActions } = context
    const id = fromId('crt', params.certificate_id)
    const row =
      id === undefined
        ? await findBySerial(db, school.id, readSerial(params.certificate_id))
        : await findCertificate(db, school.id, id)
    if (row === undefined || row.member_id !== caller.member.id)
      throw new Refusal(notFound, 'You have no such certificate.')
    return { ...certificateView(context, row), allowed_actions: allowedActions(['getAccountCertificate']) }
  },
})

/** A person's own certificates. */
export const accountCertificateOperations = [listAccountCertificates, getAccountCertificate]
