-- What ends because its member was deleted says so.
alter table orders drop constraint orders_cancel_reason_check,
  add constraint orders_cancel_reason_check check (cancel_reason in ('buyer', 'staff', 'deletion', 'erasure'));
alter table registrations drop constraint registrations_cancelled_by_check,
  add constraint registrations_cancelled_by_check
  check (cancelled_by in ('person', 'host', 'event', 'refund', 'deletion', 'erasure', 'payment'));
