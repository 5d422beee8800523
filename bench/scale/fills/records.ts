import { type Fill, object, readId } from '../spine.ts'

// A fourth of the spine, in runs of four rows.
const FOURTH = 'spine s where s.n / 4 % 4 = 0'

/** The audit log, delivered facts, sent mails and security events. */
export const records: readonly Fill[] = [
  {
    table: 'audit_log',
    from: FOURTH,
    set: {
      id: readId('audit'),
      recorded_at: 's.at',
      member_id: `case when s.b % 2 = 0 then (select id from members where school_id = $1 and role = 'owner' limit 1)
        else s.member_id end`,
      operation: `('{updateMember,createEnrollment,tagMember,updateMember}'::text[])[1 + s.a % 4]`,
      resource_ids: 'array[s.member_id::text]',
      resource_count: '1',
      fields: `'{name}'`,
      request_id: `'request-' || s.n`,
      about_id: 's.member_id',
    },
  },
  {
    table: 'facts',
    from: FOURTH,
    set: {
      id: readId('fact'),
      type: `('{enrollment.created,order.placed,order.paid,member.updated}'::text[])[1 + s.a % 4]`,
      payload: object({ member_id: 's.member_id' }),
      transaction_id: `s.changed_in::text::xid8`,
      recorded_at: 's.at',
      sequence: 's.n + 1000000',
      delivered_at: 's.at',
    },
  },
  {
    table: 'mails',
    from: FOURTH,
    set: {
      id: readId('mail'),
      kind: `'order_paid'`,
      recipient: 's.email',
      locale: `'en'`,
      values: `'{}'`,
      recorded_at: 's.at',
      not_before: 's.at',
      attempts: '1',
      sent_at: 'case when s.b % 100 > 0 then s.at end',
      parked_at: 'case when s.b % 100 = 0 then s.at end',
      member_id: 's.member_id',
    },
  },
  {
    table: 'security_events',
    from: FOURTH,
    set: { id: readId('event'), kind: `'signed_in'`, member_id: 's.member_id', recorded_at: 's.at' },
  },
]
