-- Documents of test payments are numbered by themselves, so that the first real invoice of a year has the number 1.
alter table number_series
  drop constraint number_series_kind_check,
  add constraint number_series_kind_check check (kind in ('invoice', 'credit_note', 'test_invoice', 'test_credit_note'));

-- Invoices and credit notes as they were issued: nothing of them changes but the buyer, who is forgotten at the end, and the file.
create table invoices (
  school_id uuid not null,
  id uuid not null,
  kind text collate "C" not null check (kind in ('invoice', 'credit_note')),
  -- Not an invoice in law: the payment was a test.
  is_test boolean not null,
  year integer not null,
  sequence integer not null check (sequence > 0),
  series text not null,
  number text collate "C" not null,
  order_id uuid not null,
  order_number text not null,
  -- The invoice that a credit note corrects.
  invoice_id uuid,
  member_id uuid not null,
  issued_on date not null,
  paid_on date,
  -- The language in which it is printed, and the locale of its amounts and dates.
  language text not null check (language in ('en', 'pt')),
  locale text not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  -- In minor units; those of a credit note are what was refunded.
  discount_total bigint not null check (discount_total >= 0),
  net_total bigint not null check (net_total >= 0),
  tax_total bigint not null check (tax_total >= 0),
  total bigint not null,
  tax_mode text not null check (tax_mode in ('none', 'inclusive', 'exclusive')),
  tax_country text check (tax_country ~ '^[A-Z]{2}$'),
  reverse_charge boolean not null,
  rates jsonb not null check (jsonb_typeof(rates) = 'array'),
  lines jsonb not null check (jsonb_typeof(lines) = 'array'),
  seller jsonb not null check (jsonb_typeof(seller) = 'object'),
  -- Null after the retention period, where the buyer was erased.
  buyer jsonb check (jsonb_typeof(buyer) = 'object'),
  payment jsonb check (jsonb_typeof(payment) = 'object'),
  reason text,
  withdrawal_waiver text,
  -- Until then the buyer stays, although they were erased.
  retain_until date not null,
  buyer_erased_at timestamptz,
  file_id uuid,
  print_state text collate "C" not null default 'pending' check (print_state in ('pending', 'printed', 'failed')),
  -- The characters for which no font was found.
  missing_characters text[] not null default '{}',
  revision integer not null default 1,
  changed_in bigint not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (school_id, id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, invoice_id) references invoices (school_id, id),
  check (total = net_total + tax_total),
  check ((kind = 'credit_note') = (invoice_id is not null)),
  check (buyer is not null or buyer_erased_at is not null),
  check (file_id is null or print_state = 'printed')
);
create unique index invoices_sequence on invoices (school_id, kind, is_test, year, sequence);
create unique index invoices_number on invoices (school_id, number);
create index invoices_order on invoices (school_id, order_id, id);
create index invoices_invoice on invoices (school_id, invoice_id, id) where invoice_id is not null;
create index invoices_member on invoices (school_id, member_id, id);
create index invoices_issued_on on invoices (school_id, issued_on, id);
create index invoices_file on invoices (school_id, file_id) where file_id is not null;
create index invoices_retained on invoices (school_id, retain_until) where buyer_erased_at is not null and buyer is not null;
create index invoices_failed on invoices (school_id) where print_state = 'failed';
create index invoices_changed_in on invoices (school_id, changed_in, id);
select stoa.guard('invoices');

create trigger invoices_issued before insert on invoices for each row execute function stoa.stamp_change();
create trigger invoices_changed before update on invoices for each row
  when (new.revision <> old.revision) execute function stoa.stamp_change();
