-- What a provider keeps of a payment as its fee, in minor units of the currency that arrived; null where it says nothing.
alter table payments add column fee bigint check (fee >= 0);

-- Providers whose calls fail.
create table payment_outages (
  school_id uuid not null references schools (id),
  provider text not null check (provider in ('test', 'stripe')),
  -- How many calls failed since the last one that was answered.
  failures integer not null check (failures >= 0),
  -- When that was last reported to the staff.
  reported_at timestamptz,
  primary key (school_id, provider)
);
select stoa.guard('payment_outages');
