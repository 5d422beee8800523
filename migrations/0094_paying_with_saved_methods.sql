-- The saved method with which the buyer of a checkout pays; null where they pay on a page or by a transfer.
alter table checkouts
  add column method_id uuid,
  add foreign key (school_id, method_id) references payment_methods (school_id, id),
  add check (method_id is null or provider is not null);
create index checkouts_method on checkouts (school_id, method_id) where method_id is not null;
-- Whether the buyer is there when a saved method is charged: they chose it, and wait for the answer.
alter table payments add column buyer_present boolean not null default false;
