import type { TestDatabase } from './database.ts'

// What a document keeps of the one that it copies.
const COPIED = `kind, is_test, year, series, order_id, order_number, issued_on, paid_on, language, locale, currency,
  discount_total, net_total, tax_total, total, tax_mode, tax_country, reverse_charge, rates, lines, seller, buyer, payment,
  retain_until, created_at, updated_at`

/**
 * Adds to everybody in the demo data but Dev, who has one, an invoice of the order that Dev's is of; and a file to all of them,
 * as if they were printed.
 */
export const issueToAll = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  await query(`
    insert into invoices (school_id, id, member_id, sequence, number, ${COPIED})
    select i.school_id, overlay(i.id::text placing lpad(to_hex(n), 12, '0') from 25)::uuid, m.id, n + 1,
      i.series || '-' || lpad((n + 1)::text, 6, '0'), ${COPIED.replace(/\w+/g, 'i.$&')}
    from invoices i
      join (
        select school_id, id, (row_number() over (partition by school_id order by email_folded collate "C"))::integer as n from members
        where status = 'active' and email_folded <> 'dev@crumb.example'
      ) m on m.school_id = i.school_id
    where i.kind = 'invoice'`)
  await query(`
    update number_series s set last = i.last
    from (select school_id, year, max(sequence) as last from invoices where kind = 'invoice' group by school_id, year) i
    where s.school_id = i.school_id and s.year = i.year and s.kind = 'test_invoice'`)
  await query(`
    with file as (
      insert into uploads (school_id, id, member_id, purpose, status, filename, declared_type, byte_size, received_bytes,
        object_key, content_type, sha256, created_at, updated_at)
      select school_id, id, member_id, 'invoice', 'ready', number || '.pdf', 'application/pdf', 3, 3,
        school_id || '/files/00/' || id, 'application/pdf', sha256('Rye'::bytea), created_at, created_at
      from invoices
      returning school_id, id
    )
    update invoices i set file_id = f.id, print_state = 'printed' from file f
    where i.school_id = f.school_id and i.id = f.id`)
  await query(`
    insert into storage_totals (school_id, bytes)
    select school_id, sum(byte_size) from uploads group by school_id
    on conflict (school_id) do update set bytes = excluded.bytes`)
}
