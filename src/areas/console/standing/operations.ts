import { operation } from '#src/contract/operation.ts'
import { readStanding } from './lookups.ts'
import { SenderQuery, Standing } from './schema.ts'

const getStanding = operation({
  id: 'getStanding',
  summary: 'Get how the school stands',
  description:
    'Returns in one read what the settings of the school say and whether it works: how it is paid, its mails, its address, seller, terms, staff, fields and apps.',
  who: 'staff',
  mode: 'read',
  query: SenderQuery,
  returns: Standing,
  handle: context => readStanding(context, context.query.sender),
})

/** The operation of the first page of the settings; no app can call it. */
export const operations = [getStanding]
