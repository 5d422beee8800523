import type { TestDatabase } from './database.ts'

// What a document keeps of the one that it copies.
const COPIED = `kind, is_test, year, series, order_id, order_number, issued_on, paid_on, language, locale, currency,
  discount_total, net_total, tax_total, total, tax_mode, tax_country, reverse_charge, rates, lines, seller, buyer, payment,
  retain_until, created_at, updated_at`

/**
 * Adds to everybody in the demo data an invoice of the order that the first one is of, unless it is theirs; and a file to all
 * of them, as if they were printed.
 */
export const issueToAll = async ({ query }: Pick<TestDatabase, 'query'>): Promise<void> => {
  await query(`
    insert into invoices (school_id, id, member_id, sequence, number, ${COPIED})
    select i.school_id, overlay(i.id::text placing lpad(to_hex(i.n), 12, '0') from 25)::uuid, i.buyer_id, i.last + i.n,
      i.series || '-' || lpad((i.last + i.n)::text, 6, '0'), ${COPIED.replace(/\w+/g, 'i.$&')}
    from (
      select o.*, m.id as buyer_id,
        (row_number() over (partition by o.school_id order by m.email_folded collate "C"))::integer as n,
        (select max(l.sequence) from invoices l where l.school_id = o.school_id and l.kind = 'invoice') as last
      from invoices o join members m on m.school_id = o.school_id and m.id <> o.member_id and m.status = 'active'
      where o.kind = 'invoice' and o.sequence = 1
    ) i`)
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
