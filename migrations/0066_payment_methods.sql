-- Payment methods that are kept to charge later, as a provider names them. What a provider has forgotten has no references.
create table payment_methods (
  school_id uuid not null references schools (id),
  id uuid not null,
  member_id uuid not null,
  provider text not null check (provider in ('test', 'stripe')),
  -- The payment with which it was saved.
  payment_id uuid not null,
  customer_ref text,
  method_ref text,
  brand text,
  last4 text,
  expires text,
  created_at timestamptz not null,
  ended_at timestamptz,
  primary key (school_id, id),
  unique (school_id, payment_id),
  foreign key (school_id, member_id) references members (school_id, id),
  foreign key (school_id, payment_id) references payments (school_id, id),
  check (ended_at is not null or (customer_ref is not null and method_ref is not null))
);
create index payment_methods_member on payment_methods (school_id, member_id, id);
create index payment_methods_customer on payment_methods (school_id, provider, customer_ref) where customer_ref is not null;
select stoa.guard('payment_methods');

-- Whether the method is saved with a payment. A payment of nothing without an order only saves one, for what `setup_for` names.
alter table payments
  add column saves boolean not null default false,
  add column setup_for uuid,
  alter column order_id drop not null,
  add check ((order_id is null) = (setup_for is not null)),
  add check (setup_for is null or (saves and amount = 0)),
  add check (not saves or (provider in ('test', 'stripe') and method_ref is null));
create index payments_setup on payments (school_id, setup_for, id) where setup_for is not null;

-- The books of the provider of test payments: pages that save a method, and the methods that were saved on them.
alter table test_payments
  add column saves boolean not null default false,
  -- The card that was used on a page, or the saved method that was charged.
  add column method_ref text,
  drop constraint test_payments_amount_check,
  add check (amount > 0 or (amount = 0 and saves and page is not null));
create index test_payments_method on test_payments (school_id, method_ref) where page is null;
