-- Every id that a provider has for a payment, such as of the page and of what was paid on it: notices name any of them.
-- `payments.reference` stays the one that is shown.
create table payment_references (
  school_id uuid not null,
  provider text not null,
  ref text not null check (length(ref) between 1 and 255),
  payment_id uuid not null,
  primary key (school_id, ref, provider),
  foreign key (school_id, payment_id) references payments (school_id, id)
);
create index payment_references_payment on payment_references (school_id, payment_id);
select stoa.guard('payment_references');

insert into payment_references (school_id, provider, ref, payment_id)
select school_id, provider, reference, id from payments where reference is not null;
